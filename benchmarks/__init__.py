"""Figures, each beside a peer or a baseline of the same run; ``python -m benchmarks`` writes docs/benchmarks.md.

One module a figure, each with ``measure() -> dict`` and a ``main`` that prints it as JSON, run in a process of its own.
Nothing here is a test: a figure that misses its bound is a finding, not a failure.
"""
