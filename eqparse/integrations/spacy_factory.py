"""How spaCy makes the component `eqparse`: the entry point that it loads whenever it makes a pipeline, any pipeline.

So nothing is imported here that takes time, and nothing is added to spaCy but the factory.
"""

# No `from __future__ import annotations`: spaCy checks a component's configuration against the annotations themselves.
from typing import TYPE_CHECKING

from spacy.language import Language

from eqparse.errors import ConfigError
from eqparse.systems.folder import DEFAULT

if TYPE_CHECKING:
    from eqparse.integrations.spacy_pipe import EquationPipe


@Language.factory(
    "eqparse",
    requires=["doc.sents", "token.tag", "token.dep", "token.head", "token.lemma"],
    assigns=["doc._.equations", "doc.spans", "span._.equation", "span._.equation_reason"],
    default_config={"model": DEFAULT, "min_confidence": None, "prevalence": None, "batch_size": 128},
)
def make_equation_pipe(
    nlp: Language, name: str, model: str, min_confidence: float | None, prevalence: float | None, batch_size: int
) -> "EquationPipe":
    """The component for a pipeline; see `EquationPipe`. Raises ConfigError if the pipeline is not English."""
    from eqparse.integrations.spacy_pipe import EquationPipe
    from eqparse.systems.load import warn_of_another_pipeline
    from eqparse.text.annotate import version_of

    if nlp.lang != "en":
        raise ConfigError(f"component {name}: expected an English pipeline, found one for {nlp.lang!r}")
    pipe = EquationPipe(
        name, model=model, min_confidence=min_confidence, prevalence=prevalence, batch_size=batch_size
    )
    if nlp.meta["name"] != "pipeline":  # the name of one that is being put together
        warn_of_another_pipeline(pipe.checkpoint, version_of(nlp))
    return pipe
