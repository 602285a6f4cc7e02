"""What all games share: compiled rules, chance, batches, and the adapters to PettingZoo and Gymnasium."""
