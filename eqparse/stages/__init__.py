"""The structured predictors: parts, features, output space and task loss, one file a stage."""
