"""What the stages look like: the options of the group `stage`, with their defaults and ranges."""

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

MAX_BITS = 22  # of a stage's hash; 2**22 buckets of 7 labels are 117 MB


class Phrases(StrEnum):
    """Which of a variable's annotated phrases to learn from: the first one listed, or any (chosen by Algorithm 1)."""

    first = "first"
    any = "any"


class Coreference(StrEnum):
    """What decides that two mentions are one variable: a learned stage, or the paper's three rules."""

    learned = "learned"
    rules = "rules"


class LexiconUse(StrEnum):
    """What the lexicon's operation for a node is: a constraint on the search, or a feature of the node."""

    constraint = "constraint"
    feature = "feature"


class LexiconRules(StrEnum):
    """Which rules restrict the tree search: the paper's and ours, the paper's alone, none."""

    extended = "extended"
    paper = "paper"
    none = "none"


StageClasses = make_dataclass(
    "StageClasses", [(name, str | None, None) for name in STAGES], namespace={"__module__": __name__}
)
"""For each stage a user-defined class, MODULE.CLASS, or None for the project's own; see docs/extending.md."""


@dataclass(kw_only=True)
class StageOptions:
    """How the stages are built.

    bits: 2**bits hash buckets a stage.
    coreference: what decides that two mentions are one variable.
    refusal: learn to say "no equation", where some training sentences state none.
    answer_cost: the loss of an equation where there is none; that of none where there is one is 1.
    lexicon: the rules that restrict the tree search.
    lexicon_file: the user's rules, which take precedence over those of `lexicon`.
    limits: what a sentence may hold.
    classes: user-defined classes in the place of the stages'.

    Ablations of the paper's tables:
    lexicon_use: constraint or feature.
    independent_quantities: each quantity is decided by a classifier of its own.
    variable_overlap: whether a variable's phrase may overlap a quantity that the equation uses.
    variable_mentions: how many mentions of variables an equation may have, 2 as in the paper or 3.
    projective: whether a tree's nodes join neighbouring spans only, rather than any two sets of at most 8 leaves.
    syntactic: no node of a tree crosses a constituent of the parse.
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
        """Raise ConfigError for a value out of range or a class that is not there, DataError for a bad lexicon file."""
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
        """The rules, None for no restriction. Raises DataError for an unreadable file, ConfigError for a file alone."""
        if self.lexicon != LexiconRules.none:
            return Lexicon.load(rule_set=str(self.lexicon), extra=self.lexicon_file)
        if self.lexicon_file is not None:
            raise ConfigError("stage.lexicon_file: adds to stage.lexicon, which is none; leave one of the two out")
        return None

    def find_classes(self) -> dict[str, type[Stage]]:
        """Stage -> the user-defined class for it, where there is one. Raises ConfigError."""
        paths = {name: path for name, path in vars(self.classes).items() if path is not None}
        if "tree" in paths and not self.projective:
            raise ConfigError(
                "stage.classes.tree: takes the place of the tree stage that stage.projective chooses; leave one of the "
                "two out"
            )
        return {name: find_class(path, name, anywhere=True) for name, path in paths.items()}
