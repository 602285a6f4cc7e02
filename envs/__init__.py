"""The environments. Importing this package registers every game in PettingZoo's and Gymnasium's registries."""

from kingmaker.envs.krig import KRIG, KRIG_INTERVENTION

__all__ = ["KRIG", "KRIG_INTERVENTION"]
