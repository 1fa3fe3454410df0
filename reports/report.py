#!/usr/bin/python3
"""Makes the report of a data directory: one page, and if asked for figures and a summary in Markdown.

    reports/report.py DIR [-o report.html] [--figures DIR2] [--markdown FILE]

reports/README.md says what DIR holds. Called by holdfast report.
"""
import sys

from holdfast_report.start import start

if __name__ == "__main__":
    sys.exit(start("report", sys.argv[1:]))
