"""The seal: a process that can reach no network, and the evidence for it.

`train`, `compare` and `export` call `enter` as their first act, before a library of models or
data is loaded; `Seal.confirm` once they are; `Seal.evidence` goes into the run folder. What is
promised, and what is not, is in docs/seal.md.
"""

from trainer.seal.entry import Seal, enter
from trainer.seal.fault import SealError

__all__ = ["Seal", "SealError", "enter"]
