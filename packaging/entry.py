"""Where the packaged program begins."""

import os
import sys

from agdesk.cli import main

if __name__ == "__main__":
    # The bootloader names the program's own libraries for the loader, which has read that by now. Programs that agdesk
    # opens (a browser, a file manager) must not be given them.
    if sys.platform == "linux":
        original = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
        os.environ.pop("LD_LIBRARY_PATH", None)
        if original:
            os.environ["LD_LIBRARY_PATH"] = original
    sys.exit(main())
