"""Order, files, books, words: the verbs of `privatune` and the command line."""
