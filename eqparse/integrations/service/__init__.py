"""The parser as an HTTP service: `eqparse serve`. Needs the extra eqparse[serve]."""
