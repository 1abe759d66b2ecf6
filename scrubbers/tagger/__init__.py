"""Names, places and free-form identifiers by our own tagger, a small multilingual model."""
