"""Turns the data that holdfast wrote into pages and pictures. reports/README.md says what goes in."""
