"""Structured learning that knows nothing of sentences: output spaces with exact search, and structured SVMs."""
