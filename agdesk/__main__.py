"""Run agdesk with ``python -m agdesk``."""

import sys

from agdesk.cli import main

if __name__ == "__main__":
    sys.exit(main())
