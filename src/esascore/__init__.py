"""Is every input entity mentioned, and is anything mentioned that the input does not contain?"""

from esascore._version import __version__

__all__ = ["__version__"]
