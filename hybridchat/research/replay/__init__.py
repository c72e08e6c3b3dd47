"""Runs: conversations held again and compared with how they went, and the evaluations and benchmarks of the past."""
