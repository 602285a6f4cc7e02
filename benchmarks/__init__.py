"""Benchmarks: how fast the games run (``throughput``) and how well agents play (``tournament``)."""
