"""May this record, this set pass? Uses `scrubbers` only."""
