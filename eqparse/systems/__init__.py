"""Complete systems: the pipeline, and those it is compared with, joint learning of its stages and a CCG parser."""
