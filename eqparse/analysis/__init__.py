"""After the runs: tables and plots, the page of errors, statistics of corpora, agreement of annotators."""
