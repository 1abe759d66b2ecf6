"""Normal forms of values, and the realistic values that replace them."""
