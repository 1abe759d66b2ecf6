"""Our own recognisers, one module per family."""
