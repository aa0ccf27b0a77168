"""Files of millions of lines, and datasets of Ray: `parse_file` and `parse_dataset`.

A file is read in shards (`reading`), which worker processes parse and write (`workers`, `writing`), and a manifest says
which are done (`manifest`).
"""

from eqparse.integrations.bulk.on_ray import parse_dataset
from eqparse.integrations.bulk.run import parse_file

__all__ = ["parse_dataset", "parse_file"]
