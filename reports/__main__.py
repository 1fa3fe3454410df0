"""Both programs in one, as holdfast carries them inside: python3 reports report|picture ARGUMENTS."""
import sys

from holdfast_report.start import start

if __name__ == "__main__":
    sys.exit(start(sys.argv[1] if len(sys.argv) > 1 else "", sys.argv[2:]))
