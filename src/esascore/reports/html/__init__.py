"""A report as web pages that open from disk: no server, nothing from elsewhere, every field only data.

The entry point is `write_report`. The pages' code is in ``assets`` (plain scripts and one style sheet); their
data are JSON in separate scripts, loaded part by part, because browsers refuse ``fetch`` on files.
"""

from esascore.reports.html.content import Flag, read_flags
from esascore.reports.html.site import write_report

__all__ = ["Flag", "read_flags", "write_report"]
