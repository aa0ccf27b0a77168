"""A pretrained encoder: word pieces, a base model, low-rank adapters, and the states of a sentence's tokens."""
