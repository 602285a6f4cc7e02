"""Runnable examples of training with outside libraries."""
