"""``python -m esascore``."""

import sys

from esascore.cli import main

if __name__ == "__main__":
    sys.exit(main())
