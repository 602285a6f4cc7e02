"""One training configuration a game, in TOML; ``kingmaker.training.config`` says what each entry means."""
