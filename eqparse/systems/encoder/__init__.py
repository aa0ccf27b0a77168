"""The pipeline with scorers that read the text through a pretrained encoder, beside or instead of hashed features."""
