"""Rules of thumb for each game, compiled; each sees an observation and a mask, nothing else."""
