"""Step 3, what a part looks like: hashed sparse features of quantities, phrases, pairs of phrases and tree nodes.

A checkpoint keeps a signature of its features (`eqparse.systems.signature`), by which it is refused once a template
has changed, or what a feature's values mean.
"""
