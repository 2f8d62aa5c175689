"""The program `polycontact`, as a console script and as `python -m polycontact`."""

import signal
import sys
from pathlib import Path

from polycontact import _polycontact


def main() -> int:
    """Does what the arguments of the process say; returns the exit code."""
    # Ctrl-C ends the program at once, as it does for any other.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _polycontact.main(["polycontact", *sys.argv[1:]], str(Path(__file__).parent))


if __name__ == "__main__":
    sys.exit(main())
