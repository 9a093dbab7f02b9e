"""Slow, obvious computations of the bundled systems, written from their sources and not from the rulesets.

Each module has `score(case) -> Result` for cases in the contract's format. Nothing here imports tilewright.
"""
