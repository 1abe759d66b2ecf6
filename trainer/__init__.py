"""Chat templates, token counts and training. The only package that may import torch."""
