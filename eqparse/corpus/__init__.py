"""Annotated sentences: what one is, and how they are read and written."""

from eqparse.corpus.example import Example, Span

__all__ = ["Example", "Span"]
