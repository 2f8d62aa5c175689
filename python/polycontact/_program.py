"""The program `polycontact`."""

import signal
import sys
from pathlib import Path

from . import _native

FOLDER = Path(__file__).parent
"""Where the libraries of FMUs are."""


def main() -> None:
    """Runs the program with the words of the command line."""
    # Python would wait for the end of the command before it hears of Ctrl-C, and a closed pipe is no reason to complain.
    for name in ("SIGINT", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    sys.exit(_native.run(["polycontact", *sys.argv[1:]], FOLDER))
