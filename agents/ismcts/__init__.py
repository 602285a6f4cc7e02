"""Information-set Monte Carlo tree search for every game, compiled.

Sources:

* Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012: a fresh
  deal of all that is hidden for every simulation, one tree over what the searching seat sees, UCB1 with
  availability counts; ``observer=actor`` tells nodes apart by what each choosing seat sees itself, as their
  tree for each player does.
* Kocsis and Szepesvari, "Bandit based Monte-Carlo Planning", ECML 2006: UCB1 in trees. Sturtevant, "An
  Analysis of UCT in Multi-player Games", 2008: each seat maximises its own part of a vector of returns.
* Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007: progressive widening.
* Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", 2008: one tree a thread, added up at
  the root.
* Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017: PUCT with a network.

Chance is sampled, and what came up is part of what a seat sees: a node stands for what is known, not for the
actions that led there. Seats that choose at the same time are asked one after another without seeing each
other's choices, so their nodes do not tell these apart.

Files: ``options`` (names and settings), ``kernels`` (compiled), ``driver`` (budgets, threads), ``agent``.
"""
