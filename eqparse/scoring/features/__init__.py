"""Step 3: hashed sparse features of the parts (quantities, phrases, pairs of phrases and tree nodes).

A checkpoint stores a signature of its features (`eqparse.systems.signature`), and is refused once a template, or the
meaning of a feature's values, has changed.
"""
