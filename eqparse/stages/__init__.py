"""Step 6, the structured predictors: features, output space and task loss, one file per stage."""
