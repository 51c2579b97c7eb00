"""What people and programs read: tables of systems, JSON lines, files written wholly or not at all."""

from esascore.report.lines import detection_lines, detection_record, segment_lines
from esascore.report.summary import Summary, summarise
from esascore.report.tables import FORMATS
from esascore.report.writing import atomic_writer, check_writable, write_files

__all__ = [
    "FORMATS",
    "Summary",
    "atomic_writer",
    "check_writable",
    "detection_lines",
    "detection_record",
    "segment_lines",
    "summarise",
    "write_files",
]
