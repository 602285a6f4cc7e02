"""The compiled parts of the search: tree, choices within it, simulations, and the network's leaves."""
