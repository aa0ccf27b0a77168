"""eqparse within other programs: spaCy pipelines and tables of texts."""
