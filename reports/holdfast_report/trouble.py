"""What a person can put right: told in one sentence, with exit code 2."""


class Trouble(Exception):
    """The sentence says what is wrong, where, and what to do."""
