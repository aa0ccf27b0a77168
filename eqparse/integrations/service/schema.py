"""What goes in and out of the service, for checking requests and for the service's description in OpenAPI."""

from __future__ import annotations

import re
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

TEXT = "The tower is 30 metres taller than twice the height of the chapel."
Spans = dict[str, list[tuple[int, int]]]


def written(pattern: str, expected: str) -> BeforeValidator:
    """Of a value that is text, as in a query, take that form alone: int() and float() also take "1_0" and " 1"."""

    def check(value: Any) -> Any:
        if isinstance(value, str) and not re.fullmatch(pattern, value):
            raise ValueError(f"expected {expected}")
        return value

    return BeforeValidator(check)


Alternatives = Annotated[
    int | None, Field(ge=0, description="name up to so many relations that a text may state, with probabilities"),
    written("[0-9]+", "a whole number in the digits 0 to 9"),
]
MinConfidence = Annotated[
    float | None, Field(ge=0, le=1, allow_inf_nan=False, description="withhold answers with less confidence"),
    written("[0-9]*[.]?[0-9]+(e-?[0-9]+)?", "a number from 0 to 1 in digits, such as 0.8"),
]
Explain = Annotated[
    bool, Field(description="add the features that weighed most in each stage"),
    written("(?i)true|false|yes|no|on|off|[tfyn01]", "true or false"),
]


class ParseRequest(BaseModel):
    """A text, or several. Without `alternatives` and `min_confidence`, those of the service hold."""

    model_config = ConfigDict(
        strict=True, extra="forbid",
        json_schema_extra={"examples": [{"text": TEXT}, {"texts": [TEXT, "Nobody came."], "alternatives": 3}]},
    )

    text: str | None = None
    texts: list[str] | None = None
    alternatives: Alternatives = None
    min_confidence: MinConfidence = None
    explain: Explain = False

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.text is None) == (self.texts is None):
            raise ValueError('expected one of "text" and "texts"')
        return self


class Notations(BaseModel):
    """An equation and its variables: spans are characters of the text, end exclusive."""

    model_config = ConfigDict(extra="forbid")

    equation: str | None
    variables: Spans
    phrases: dict[str, list[str]]
    latex: str | None
    sympy: str | None
    canonical: str | None = Field(description="one form for all equations that are equal up to algebra")


class Alternative(Notations):
    """A relation that the text may state."""

    probability: float


class Quantity(BaseModel):
    """A number that the equation uses."""

    value: float
    exact: str = Field(description='the value as a fraction: "1/3", "15"')
    unit: str
    unit_text: str | None = Field(description='as the text writes it: "metres", "$"')
    unit_name: str | None = Field(description='as pint names it, or an ISO code: "meter", "EUR"')
    kind: str
    span: tuple[int, int]


class Feature(BaseModel):
    """A feature of the answer, and what it added to the score of its stage."""

    name: str
    weight: float


class Stage(BaseModel):
    """A stage of the parser, its score of the answer, and the features that weighed most."""

    stage: str
    score: float
    features: list[Feature]


class Answer(Notations):
    """The answer to a text: an equation, or the reason why there is none."""

    text: str
    quantities: list[Quantity]
    tree: dict[str, Any] | None = Field(
        description='{"op", "order", "left", "right"}, down to leaves {"number" or "variable", "start", "end", "text"}'
    )
    score: float | None
    confidence: float | None = Field(description="the probability that the relation is right")
    alternatives: list[Alternative]
    reason: str
    reason_code: str
    explanation: list[Stage] | None = Field(None, description="if asked for, and if the text got so far")


class Answers(BaseModel):
    """The answers to several texts, in their order."""

    parses: list[Answer]


class Refused(BaseModel):
    """Why a request is not answered, on one line."""

    detail: str


LINES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/x-ndjson": {"schema": {"type": "string"}, "example": f'{{"id": "a", "text": "{TEXT}"}}\n'}
        },
    }
}
"""The body of a request of JSON lines, for OpenAPI."""
