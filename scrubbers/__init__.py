"""Text in, findings and surrogates out. The ground floor: imports none of the other packages."""
