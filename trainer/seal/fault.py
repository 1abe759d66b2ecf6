"""What stops a run whose seal falls short."""


class SealError(Exception):
    """The seal that was asked for was not reached. The message says why and what to do."""
