"""How the stages are built: the options of the group `stage`, with their defaults and ranges."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from enum import StrEnum

from eqparse.errors import ConfigError
from eqparse.parser.limits import Limits
from eqparse.stages.base import Stage
from eqparse.stages.custom import find_class
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.registry import STAGES
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS

MAX_BITS = 22  # of a stage's feature hash; 2**22 buckets with 7 labels take 117 MB


class Phrases(StrEnum):
    """Which annotated phrase of a variable to learn from: the first one listed, or any (chosen by Algorithm 1)."""

    first = "first"
    any = "any"


class Coreference(StrEnum):
    """What decides whether two mentions are the same variable: a learned stage, or the paper's three rules."""

    learned = "learned"
    rules = "rules"


class LexiconUse(StrEnum):
    """How the lexicon's operation for a node is used: as a constraint on the search, or as a feature of the node."""

    constraint = "constraint"
    feature = "feature"


class LexiconRules(StrEnum):
    """Which rules restrict the tree search: the paper's and ours, only the paper's, or none."""

    extended = "extended"
    paper = "paper"
    none = "none"


StageClasses = make_dataclass(
    "StageClasses", [(name, str | None, None) for name in STAGES], namespace={"__module__": __name__}
)
"""For each stage a user-defined class as MODULE.CLASS, or None for the one in eqparse; see docs/extending.md."""


@dataclass(kw_only=True)
class StageOptions:
    """How the stages are built.

    bits: each stage has 2**bits hash buckets.
    coreference: what decides whether two mentions are the same variable.
    refusal: learn to answer "no equation", if some training sentences state none.
    answer_cost: the loss of an equation where there is none; the opposite mistake costs 1.
    lexicon: the rules that restrict the tree search.
    lexicon_file: a file of further rules, which take precedence over those of `lexicon`.
    limits: how large a sentence may be.
    classes: user-defined classes that replace those of the stages.

    Ablations of the paper's tables:
    lexicon_use: whether the lexicon is a constraint on the search or a feature.
    independent_quantities: decide on each quantity separately, with a binary classifier.
    variable_overlap: whether a variable's phrase may overlap a quantity that the equation uses.
    variable_mentions: how many mentions of variables an equation may have, 2 as in the paper or 3.
    projective: whether the nodes of a tree join only neighbouring spans, rather than any two sets of leaves; over
        more than 8 leaves they always do.
    syntactic: allow no node of a tree to cross a constituent of the syntactic parse.
    """

    bits: int = 18
    coreference: Coreference = Coreference.learned
    refusal: bool = True
    answer_cost: float = 1.0
    lexicon: LexiconRules = LexiconRules.extended
    lexicon_file: str | None = None
    lexicon_use: LexiconUse = LexiconUse.constraint
    independent_quantities: bool = False
    variable_overlap: bool = True
    variable_mentions: int = MAX_VARIABLE_MENTIONS
    projective: bool = True
    syntactic: bool = False
    limits: Limits = field(default_factory=Limits)
    classes: StageClasses = field(default_factory=StageClasses)

    def check(self) -> None:
        """Raise ConfigError for a value out of range or a missing class, DataError for an invalid lexicon file."""
        if not 1 <= self.bits <= MAX_BITS:
            raise ConfigError(f"stage.bits: expected 1 to {MAX_BITS}, found {self.bits}")
        if not 0 < self.answer_cost <= 100:
            raise ConfigError(f"stage.answer_cost: expected above 0 and at most 100, found {self.answer_cost}")
        if not 2 <= self.variable_mentions <= MAX_VARIABLE_MENTIONS:
            raise ConfigError(
                f"stage.variable_mentions: expected 2 to {MAX_VARIABLE_MENTIONS}, found {self.variable_mentions}"
            )
        self.read_lexicon()
        self.find_classes()

    def read_lexicon(self) -> Lexicon | None:
        """The rules, or None for no restriction.

        Raises DataError if the lexicon file is invalid, ConfigError if there is one although `lexicon` is none.
        """
        if self.lexicon != LexiconRules.none:
            return Lexicon.load(rule_set=str(self.lexicon), extra=self.lexicon_file)
        if self.lexicon_file is not None:
            raise ConfigError("stage.lexicon_file: adds to stage.lexicon, which is none; leave out one of the two")
        return None

    def find_classes(self) -> dict[str, type[Stage]]:
        """Stage -> user-defined class, for the stages that have one. Raises ConfigError if one cannot be used."""
        paths = {name: path for name, path in vars(self.classes).items() if path is not None}
        if "tree" in paths and not self.projective:
            raise ConfigError(
                "stage.classes.tree: replaces the tree stage that stage.projective=false asks for; leave out one of "
                "the two"
            )
        return {name: find_class(path, name, anywhere=True) for name, path in paths.items()}
