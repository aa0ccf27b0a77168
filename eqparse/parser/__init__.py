"""The stages together: limits, decoding, and `Parse`, the answer."""
