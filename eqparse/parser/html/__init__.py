"""A parse as HTML: the text with its phrases and numbers marked, which the page of errors shows as well."""
