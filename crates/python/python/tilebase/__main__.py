"""The command ``tilebase``, as it is without Python."""

import sys

from ._tilebase import main as run


def main() -> int:
    """Runs the command with the words of the command line."""
    return run(["tilebase", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
