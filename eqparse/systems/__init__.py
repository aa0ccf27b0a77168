"""Whole systems that the pipeline is compared with: joint learning of its stages, and a CCG semantic parser."""
