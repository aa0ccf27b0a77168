"""Rules that bar an answer which the sentence cannot mean, each a pattern of its words and of the answer's shape."""
