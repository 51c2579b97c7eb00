"""A report as web pages that open from disk: no server, nothing from elsewhere, every field only data.

`write_report` is the door. The pages' code is in ``assets`` (plain scripts and one style sheet); what they
show is JSON in scripts of its own, loaded part by part, because browsers refuse ``fetch`` on files.
"""

from esascore.reports.html.content import Flag, read_flags
from esascore.reports.html.site import write_report

__all__ = ["Flag", "read_flags", "write_report"]
