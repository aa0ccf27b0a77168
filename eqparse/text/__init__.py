"""A text: its tokens and parse, the numbers and noun phrases in it, and those that an equation mentions."""
