"""The state record of Kingsburg, its phases and constants."""

from __future__ import annotations

from kingmaker.envs.core.contract import HEADER
from kingmaker.envs.core.record import record_dtype

MAX_PLAYERS = 5
YEARS = 5
NUM_ADVISORS = 18
NUM_BUILDINGS = 20
ROWS, COLUMNS = 5, 4
CARDS_A_YEAR = 5
NUM_ENEMIES = YEARS * CARDS_A_YEAR
DIE_SIDES = 6

# Goods, as positions in every array of goods and as bits ``1 << good`` in a set of kinds.
GOLD, WOOD, STONE = range(3)
NUM_GOODS = 3
ANY_KIND = 0b111

# A seat's dice lie in slots, each colour in ascending order of faces as last rolled: the coloured dice first,
# then the white ones (the die of the King's aid and that of the Farms, KB-7).
COLOURED_DICE = 3
WHITE_DICE = 2
NUM_DICE = COLOURED_DICE + WHITE_DICE

TOKEN_BONUS = 2  # what a "+2" token adds to a group of dice (KB-8)
CHAPEL_LIMIT = 7  # the highest total of all dice that the Chapel rerolls (KB-3)

# Phases: what a seat is asked (``state.phase`` whenever somebody chooses).
REROLL, PLACE, GAIN, TRADE, BUILD, TOWN_HALL, RECRUIT, LOSE = range(8)
# ``state.phase`` while the rules run by themselves: go on with ``state.step``.
RUN = 8

# The calendar (``state.calendar``): the eight phases of a year. SPRING, SUMMER and AUTUMN are the
# productive seasons.
AID, SPRING, REWARD, SUMMER, ENVOY, AUTUMN, RECRUITING, WINTER = range(1, 9)

# Steps within a phase of the calendar (``state.step``): after PHASE_OVER the next phase begins.
PHASE_OVER = 0
REROLLING, PLACING, HELPING, BUILDING, SELLING = range(1, 6)  # of a productive season
AIDING, HIRING, FIGHTING = range(6, 9)  # of the other phases that ask something

# Where victory points come from (positions in ``seat.sources``). They add up to ``seat.vp``.
(
    FROM_BUILDINGS,  # printed points of buildings when built
    FROM_RUINS,  # the same, lost with a building (negative)
    FROM_ADVISORS,  # gifts of advisors
    FROM_PRICES,  # paid to advisors (negative)
    FROM_KINGS_REWARD,
    FROM_VICTORIES,  # rewards on enemy cards
    FROM_STRONGEST,  # the point for the highest combat value among the victors
    FROM_DEFEATS,  # losses on enemy cards (negative)
    FROM_FORTRESS,
    FROM_TOWN_HALL,
    FROM_EMBASSY,
    FROM_CATHEDRAL,
) = range(12)
SOURCES = (
    "buildings",
    "buildings lost",
    "advisors",
    "paid to advisors",
    "king's reward",
    "victories",
    "strongest",
    "defeats",
    "fortress",
    "town hall",
    "embassy",
    "cathedral",
)
NUM_SOURCES = len(SOURCES)

# No seat, in ``state.envoy``.
NO_SEAT = -1

# What lies open before a seat. Sets of advisors have bit ``n`` for advisor ``n`` (1 to 18); the set of
# buildings has bit ``4 * row + column``, counted from 0.
SEAT = record_dtype(
    [
        ("goods", "i2", (NUM_GOODS,)),
        ("tokens", "i2"),  # "+2" tokens
        ("vp", "i2"),
        ("soldiers", "i2"),
        ("buildings", "i4"),
        ("faces", "i2", (NUM_DICE,)),  # by slot, 0 for a die that the seat does not have
        ("placed", "i2", (NUM_DICE,)),  # by slot, the advisor (1 to 18) where the die lies, 0 for a free die
        ("influence", "i4"),  # advisors with at least one group of this seat
        ("twice", "i4"),  # advisors with two groups of this seat, by the Envoy (KB-22)
        ("passed", "i2"),  # 1: places no more dice this season
        ("token_used", "i2"),  # the next five are 1 once used this season
        ("market_used", "i2"),
        ("statue_used", "i2"),
        ("chapel_used", "i2"),
        ("stables_used", "i2"),
        ("aid_die", "i2"),  # 1: holds the white die of the King's aid
        ("peeked", "i2"),  # 1: has looked at this year's enemy card; that it did so is public
        ("combat", "i2"),  # combat value in the last battle
        ("sources", "i2", (NUM_SOURCES,)),
    ]
)

# What ``GAIN`` and ``LOSE`` ask for: zeros outside these phases.
PENDING = record_dtype(
    [
        ("count", "i2"),  # goods to take or to lose
        ("kinds", "i2"),  # set of kinds that may be taken
        ("price", "i2"),  # victory points to pay; with a price the seat may decline
    ]
)

STATE = record_dtype(
    [
        *HEADER,
        ("stables_once", "i2"),  # the option of that name
        ("year", "i2"),  # 1 to 5
        ("calendar", "i2"),  # AID .. WINTER
        ("step", "i2"),
        ("position", "i2"),  # place in ``order`` of the seat that the step is about
        ("waiting", "i2"),  # set of seats that have yet to take a good of the King's aid
        ("advisor", "i2"),  # the advisor who helps now (1 to 18), 0 outside HELPING
        ("group", "i2"),  # groups on that advisor whose gift the seat at ``position`` has had
        ("built", "i2"),  # buildings that the acting seat has built in this construction step
        ("order", "i2", (MAX_PLAYERS,)),  # seats in turn order; entries beyond the seats in play are 0
        ("blocked", "i4"),  # set of advisors under neutral dice (two seats only)
        ("envoy", "i2"),  # the seat that holds the King's Envoy, or NO_SEAT
        ("reinforcements", "i2"),  # the King's die of the last battle, 0 before the first
        ("deck", "i2", (YEARS,)),  # hidden: the enemy card of each year, an index into the table of enemies
        ("pending", PENDING),
        ("seats", SEAT, (MAX_PLAYERS,)),
    ]
)

OPTIONS = record_dtype([("stables_once", "i2")])
