#!/usr/bin/python3
"""Draws one run as a space–time diagram.

    reports/picture.py HISTORY.jsonl VERDICTS.json OUT.svg|OUT.png

HISTORY is what holdfast run --history writes, VERDICTS what run --json prints. Called by holdfast run --picture.
"""
import sys

from holdfast_report.start import start

if __name__ == "__main__":
    sys.exit(start("picture", sys.argv[1:]))
