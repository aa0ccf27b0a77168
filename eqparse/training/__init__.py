"""Gold structures of annotated sentences, training of the stages on them, and how good a parser is."""
