"""The rules of Clockwork Kingdom, a file for each area or step. ``CK-n`` are the ids of ``rulebook.md``.

``flow`` runs the game. It always does the first of these that there is: settle what a seat is owed
(``gains``), go on with placement, open the window of an area (``cards``), resolve the area a bit further, pay
income. A bit is as much as can be done before somebody is owed something or has to choose, so no step ever
has to be taken up in its middle.
"""

from kingmaker.envs.clockwork_kingdom.rules.choices import legal
from kingmaker.envs.clockwork_kingdom.rules.flow import apply, reset
from kingmaker.envs.clockwork_kingdom.rules.redealing import redeal
from kingmaker.envs.clockwork_kingdom.rules.scoring import outcome

__all__ = ["apply", "legal", "outcome", "redeal", "reset"]
