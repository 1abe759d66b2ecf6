"""Training data, training and figures of the tagger; no part of the wheel."""
