"""What a seat of Kingsburg sees: named features, its own board first, the others' in turn order after it.

Figures are divided by powers of two, so that they lie near 0 to 1 and agents read them back exactly. Dice
show while they are free to be used, influence until the advisor has helped, and the enemy card to seats that
have looked at it, to all once it is turned up in Winter.
"""

from __future__ import annotations

from kingmaker.envs.core.kernel import kernel, large_kernel
from kingmaker.envs.core.spec import Feature, Reference, feature_slices
from kingmaker.envs.kingsburg.actions import (
    CHANGES,
    COLOURED_SETS,
    MARKET_STEPS,
    NUM_PLACEMENTS,
    PLACE_FIRST,
    WHITE_SETS,
)
from kingmaker.envs.kingsburg.rules.building import THIRD_COLUMN, next_of_row
from kingmaker.envs.kingsburg.state import (
    AID,
    CARDS_A_YEAR,
    COLOURED_DICE,
    COLUMNS,
    DIE_SIDES,
    GOLD,
    HELPING,
    NUM_ADVISORS,
    NUM_BUILDINGS,
    NUM_DICE,
    NUM_GOODS,
    PLACE,
    PLACING,
    REROLLING,
    ROWS,
    RUN,
    TOKEN_BONUS,
    WINTER,
    YEARS,
)
from kingmaker.envs.kingsburg.tables import CHEAP_BUILDINGS, ENEMY_TYPES

# What figures are divided by.
GOODS_SCALE = 8
FEW_SCALE = 4  # tokens, places, battle bonuses, what a card or an offer counts
POINTS_SCALE = 32
BATTLE_SCALE = 8  # soldiers and strengths
SUM_SCALE = 32  # sums of dice, advisors

# Bounds beyond what any data file can lead to: seats take at most nine gifts a season with the Envoy and lose
# points for all of them.
WIDE = 256.0

NUM_SUMS = COLOURED_SETS * WHITE_SETS
NUM_PHASES = RUN
SEASONS = WINTER  # phases of the calendar

_SITUATION = (
    Feature("phase", "one-hot: what is asked, in the order of the phases", NUM_PHASES),
    Feature("calendar", "one-hot: aid, Spring, reward, Summer, Envoy, Autumn, recruiting, Winter", SEASONS),
    Feature("year", f"number of the year / {YEARS}"),
    Feature("advisor", f"the advisor who helps now / {SUM_SCALE}, 0 if none"),
    Feature("built", "buildings that the acting seat has built in this construction step", high=2.0),
    Feature("pending.count", f"goods to take or to lose / {FEW_SCALE}"),
    Feature("pending.kinds", "1 for each kind that may be taken: gold, wood, stone", NUM_GOODS),
    Feature("pending.price", f"victory points to pay for them / {FEW_SCALE}", high=WIDE),
    Feature("strengths", f"of this year's five cards: lowest, mean, highest / {BATTLE_SCALE}", 3, high=WIDE),
    Feature("card.known", "1 if this seat knows this year's card, without which all of it is 0"),
    Feature("card.strength", f"/ {BATTLE_SCALE}", high=WIDE),
    Feature("card.type", f"one-hot: {', '.join(ENEMY_TYPES)}", len(ENEMY_TYPES)),
    Feature("card.loss.goods", f"named goods lost on defeat / {FEW_SCALE}", NUM_GOODS, high=WIDE),
    Feature("card.loss.choice", f"goods of choice lost / {FEW_SCALE}"),
    Feature("card.loss.building", "1 if a building is lost"),
    Feature("card.loss.vp", f"victory points lost / {FEW_SCALE}", high=WIDE),
    Feature("card.reward.goods", f"named goods won / {FEW_SCALE}", NUM_GOODS, high=WIDE),
    Feature("card.reward.choice", f"goods of choice won / {FEW_SCALE}"),
    Feature("card.reward.vp", f"victory points won / {FEW_SCALE}", high=WIDE),
)
_BOARD = (
    ("goods", f"gold, wood, stone / {GOODS_SCALE}", NUM_GOODS, 0.0, WIDE),
    ("tokens", f'"+2" tokens / {FEW_SCALE}', 1, 0.0, WIDE),
    ("vp", f"victory points / {POINTS_SCALE}", 1, -WIDE, WIDE),
    ("soldiers", f"/ {BATTLE_SCALE}", 1, 0.0, WIDE),
    ("battle", f"what buildings add in every battle / {BATTLE_SCALE}", 1, -WIDE, WIDE),
    ("place", f"place in turn order, the first being 0 / {FEW_SCALE}", 1, 0.0, 1.0),
    ("to_move", "1 if the seat has the choice", 1, 0.0, 1.0),
    ("envoy", "1 if it holds the King's Envoy", 1, 0.0, 1.0),
    ("peeked", "1 if it has looked at this year's card", 1, 0.0, 1.0),
    ("aid_die", "1 if it has the white die of the King's aid", 1, 0.0, 1.0),
    ("passed", "1 if it places no more dice", 1, 0.0, 1.0),
    ("token_used", 'placing: 1 if it has used a "+2" token this season', 1, 0.0, 1.0),
    ("market_used", "placing: 1 if it has used the Market this season", 1, 0.0, 1.0),
    ("buildings", "1 for each building it has, row by row", NUM_BUILDINGS, 0.0, 1.0),
    ("influence", "groups on advisors 1 to 18 that have yet to be helped", NUM_ADVISORS, 0.0, 2.0),
)
_OWN_ONLY = (
    Feature("own.statue_used", "1 if the Statue has been used this season"),
    Feature("own.chapel_used", "1 if the Chapel has been used this season"),
    Feature("own.stables_used", "1 if the Stables have been used this season"),
    Feature("own.lead", f"victory points more than the best other seat / {POINTS_SCALE}", 1, -WIDE, WIDE),
    Feature(
        "own.margin",
        "combat value without reinforcements less the enemy's strength, its mean if the card is not known"
        f" / {BATTLE_SCALE}",
        1,
        -WIDE,
        WIDE,
    ),
    Feature("own.next", "1 for each row whose next building can be paid for now", ROWS),
    Feature("own.missing", f"goods missing for it, row by row / {FEW_SCALE}", ROWS * NUM_GOODS, high=WIDE),
    Feature("own.dice", "free dice, one-hot by slot: three coloured, two white", NUM_DICE * DIE_SIDES),
    Feature("own.sums", f"sum of each set of free dice / {SUM_SCALE}, when placing; others 0", NUM_SUMS),
)
_OTHER_ONLY = (
    ("dice", f"free coloured dice by face / {FEW_SCALE}", DIE_SIDES, 0.0, 1.0),
    ("white.count", f"free white dice / {FEW_SCALE}", 1, 0.0, 1.0),
    ("white.sum", f"their sum / {SUM_SCALE}", 1, 0.0, 1.0),
)
_BLOCKED = Feature("blocked", "1 for each advisor under neutral dice", NUM_ADVISORS)


def _parts(whose, words, parts):
    return tuple(
        Feature(f"{whose}.{name}", f"{words}: {meaning}", size, low, high)
        for name, meaning, size, low, high in parts
    )


_HEAD = (*_SITUATION, *_parts("own", "this seat", _BOARD), *_OWN_ONLY)
_OTHER = _parts("next_1", "the next seat in turn order", _BOARD + _OTHER_ONLY)


def features(num_players: int) -> tuple[Feature, ...]:
    """Return the parts of the vector; ``blocked`` is for two seats alone, as neutral dice are."""
    others = (
        feature
        for place in range(1, num_players)
        for feature in _parts(f"next_{place}", f"{place} after this seat in turn order", _BOARD + _OTHER_ONLY)
    )
    return (*_HEAD, *others, *((_BLOCKED,) if num_players == 2 else ()))


# Positions in the vector, read by the kernels below and by the heuristic agent.
_at = {name: part.start for name, part in feature_slices((*_HEAD, *_OTHER, _BLOCKED)).items()}
PHASE, CALENDAR, YEAR, ADVISOR, BUILT = (
    _at[name] for name in ("phase", "calendar", "year", "advisor", "built")
)
COUNT, KINDS, PRICE = (_at[f"pending.{name}"] for name in ("count", "kinds", "price"))
STRENGTHS, CARD = _at["strengths"], _at["card.known"]
CARD_STRENGTH, CARD_TYPE = _at["card.strength"], _at["card.type"]
CARD_LOSS, CARD_REWARD = _at["card.loss.goods"], _at["card.reward.goods"]
OWN = _at["own.goods"]
STATUE_USED, CHAPEL_USED, STABLES_USED = (_at[f"own.{name}_used"] for name in ("statue", "chapel", "stables"))
LEAD, MARGIN, NEXT, MISSING = (_at[f"own.{name}"] for name in ("lead", "margin", "next", "missing"))
DICE, SUMS, OTHERS = _at["own.dice"], _at["own.sums"], _at["next_1.goods"]
OTHER_SIZE = _at["blocked"] - OTHERS  # floats of each other seat
# Within the board of a seat, from ``OWN`` or ``OTHERS`` on.
TOKENS, VP, SOLDIERS, BATTLE, PLACE_IN_ORDER, TO_MOVE = (
    _at[f"own.{name}"] - OWN for name in ("tokens", "vp", "soldiers", "battle", "place", "to_move")
)
HAS_ENVOY, PEEKED, AID_DIE, PASSED, TOKEN_USED, MARKET_USED = (
    _at[f"own.{name}"] - OWN for name in ("envoy", "peeked", "aid_die", "passed", "token_used", "market_used")
)
BUILDINGS, INFLUENCE = _at["own.buildings"] - OWN, _at["own.influence"] - OWN
OTHER_DICE, OTHER_WHITE = _at["next_1.dice"] - OTHERS, _at["next_1.white.count"] - OTHERS


def references(num_players: int) -> tuple[Reference, ...]:
    """Return what placements refer to: the advisor that their sum reaches."""
    placements = range(NUM_PLACEMENTS)
    changes = [number % CHANGES for number in placements]
    return (
        Reference(
            "advisors",
            NUM_ADVISORS + 1,
            SUM_SCALE,
            actions=tuple(PLACE_FIRST + number for number in placements),
            features=tuple(SUMS + number // CHANGES for number in placements),
            offsets=tuple(
                TOKEN_BONUS * (change // MARKET_STEPS) + change % MARKET_STEPS - 1 for change in changes
            ),
        ),
    )


@kernel
def write_bits(bits, first, count, out, at):
    """Write ``count`` members of a set, from bit ``first`` on, as 0 and 1."""
    for number in range(count):
        out[at + number] = bits >> first + number & 1


@kernel
def battle_bonus(tables, buildings):
    """Return what a set of buildings adds in every battle (KB-45)."""
    bonus = 0
    for number in range(NUM_BUILDINGS):
        bonus += tables.buildings[number].battle * (buildings >> number & 1)
    return bonus


@kernel
def dice_are_out(state):
    """Return whether this season's dice are still in use."""
    return state.step == REROLLING or state.step == PLACING


@kernel
def write_influence(state, board, place, out, at):
    """Write the groups of dice that have yet to be helped, those of advisor ``n`` at ``at + n``.

    ``place`` is the seat's place in turn order: at the advisor who helps now it may be before or after the
    seat whose turn it is.
    """
    first = NUM_ADVISORS + 1
    if dice_are_out(state):
        first = 1
    elif state.step == HELPING:
        first = state.advisor + (1 if place < state.position else 0)
    for advisor in range(1, NUM_ADVISORS + 1):
        groups = (board.influence >> advisor & 1) + (board.twice >> advisor & 1)
        out[at + advisor] = groups if advisor >= first else 0
    if state.step == HELPING and place == state.position:
        out[at + state.advisor] -= state.group


@large_kernel
def write_board(state, tables, seat, place, out, at):
    """Write what lies open before a seat, at ``place`` in turn order."""
    board = state.seats[seat]
    rolled = 1 if dice_are_out(state) else 0
    for good in range(NUM_GOODS):
        out[at + good] = board.goods[good] / GOODS_SCALE
    out[at + TOKENS] = board.tokens / FEW_SCALE
    out[at + VP] = board.vp / POINTS_SCALE
    out[at + SOLDIERS] = board.soldiers / BATTLE_SCALE
    out[at + BATTLE] = battle_bonus(tables, board.buildings) / BATTLE_SCALE
    out[at + PLACE_IN_ORDER] = place / FEW_SCALE
    out[at + TO_MOVE] = state.actor == seat
    out[at + HAS_ENVOY] = state.envoy == seat
    out[at + PEEKED] = board.peeked
    out[at + AID_DIE] = board.aid_die
    out[at + PASSED] = board.passed * rolled
    out[at + TOKEN_USED] = board.token_used * rolled
    out[at + MARKET_USED] = board.market_used * rolled
    write_bits(board.buildings, 0, NUM_BUILDINGS, out, at + BUILDINGS)
    write_influence(state, board, place, out, at + INFLUENCE - 1)


@kernel
def is_free(state, board, slot):
    """Return whether a die can still be placed this season."""
    return dice_are_out(state) and board.placed[slot] == 0 and board.faces[slot] > 0


@kernel
def write_own_dice(state, seat, out):
    """Write the seat's free dice, and the sums that its placements would have."""
    board = state.seats[seat]
    out[DICE : DICE + NUM_DICE * DIE_SIDES] = 0.0
    out[SUMS : SUMS + NUM_SUMS] = 0.0
    free = 0
    for slot in range(NUM_DICE):
        if is_free(state, board, slot):
            free |= 1 << slot
            out[DICE + DIE_SIDES * slot + board.faces[slot] - 1] = 1.0
    if state.phase == PLACE and state.actor == seat:
        for coloured in range(1, COLOURED_SETS + 1):
            for white in range(WHITE_SETS):
                chosen = coloured | white << COLOURED_DICE
                if chosen & free == chosen:
                    total = 0
                    for slot in range(NUM_DICE):
                        total += board.faces[slot] * (chosen >> slot & 1)
                    out[SUMS + (coloured - 1) * WHITE_SETS + white] = total / SUM_SCALE


@kernel
def write_other_dice(state, seat, out, at):
    """Write another seat's free dice."""
    board = state.seats[seat]
    out[at + OTHER_DICE : at + OTHER_SIZE] = 0.0
    for slot in range(NUM_DICE):
        if is_free(state, board, slot):
            if slot < COLOURED_DICE:
                out[at + OTHER_DICE + board.faces[slot] - 1] += 1 / FEW_SCALE
            else:
                out[at + OTHER_WHITE] += 1 / FEW_SCALE
                out[at + OTHER_WHITE + 1] += board.faces[slot] / SUM_SCALE


@kernel
def write_plans(state, tables, seat, out):
    """Write for each row whether its next building can be paid for, and the goods missing."""
    board = state.seats[seat]
    crane = 1 if board.buildings & tables.owners[CHEAP_BUILDINGS] else 0
    for row in range(ROWS):
        column = next_of_row(board.buildings, row)
        left = column < COLUMNS
        cost = tables.buildings[COLUMNS * row + min(column, COLUMNS - 1)].cost
        total = 0
        for good in range(NUM_GOODS):
            price = cost[good] - (crane if good == GOLD and column >= THIRD_COLUMN else 0)
            missing = max(price - board.goods[good], 0) if left else 0
            out[MISSING + NUM_GOODS * row + good] = missing / FEW_SCALE
            total += missing
        out[NEXT + row] = left and total == 0


@kernel
def write_card(state, tables, seat, out):
    """Write this year's strengths, the card if the seat knows it, and how it would fare."""
    mean = 0
    lowest = tables.enemies[CARDS_A_YEAR * (state.year - 1)].strength
    highest = lowest
    for card in range(CARDS_A_YEAR * (state.year - 1), CARDS_A_YEAR * state.year):
        strength = tables.enemies[card].strength
        lowest = min(lowest, strength)
        highest = max(highest, strength)
        mean += strength
    out[STRENGTHS] = lowest / BATTLE_SCALE
    out[STRENGTHS + 1] = mean / (CARDS_A_YEAR * BATTLE_SCALE)
    out[STRENGTHS + 2] = highest / BATTLE_SCALE
    board = state.seats[seat]
    value = board.soldiers + battle_bonus(tables, board.buildings)
    out[MARGIN] = value / BATTLE_SCALE - out[STRENGTHS + 1]
    out[CARD:OWN] = 0.0
    if board.peeked or state.calendar == WINTER:  # KB-18, KB-170
        enemy = tables.enemies[state.deck[state.year - 1]]
        out[CARD] = 1.0
        out[CARD_STRENGTH] = enemy.strength / BATTLE_SCALE
        out[CARD_TYPE + enemy.type] = 1.0
        for good in range(NUM_GOODS):
            out[CARD_LOSS + good] = enemy.lose_goods[good] / FEW_SCALE
            out[CARD_REWARD + good] = enemy.win_goods[good] / FEW_SCALE
        out[CARD_LOSS + NUM_GOODS] = enemy.lose_choice / FEW_SCALE
        out[CARD_LOSS + NUM_GOODS + 1] = enemy.lose_building
        out[CARD_LOSS + NUM_GOODS + 2] = enemy.lose_vp / FEW_SCALE
        out[CARD_REWARD + NUM_GOODS] = enemy.win_choice / FEW_SCALE
        out[CARD_REWARD + NUM_GOODS + 1] = enemy.win_vp / FEW_SCALE
        for number in range(NUM_BUILDINGS):  # KB-46
            building = tables.buildings[number]
            if board.buildings >> number & 1 and building.against == enemy.type:
                value += building.against_bonus
        out[MARGIN] = (value - enemy.strength) / BATTLE_SCALE


@kernel
def write_situation(state, out):
    """Write what time it is and what is asked."""
    for phase in range(NUM_PHASES):
        out[PHASE + phase] = state.phase == phase
    for season in range(SEASONS):
        out[CALENDAR + season] = state.calendar == AID + season
    out[YEAR] = state.year / YEARS
    out[ADVISOR] = state.advisor / SUM_SCALE
    out[BUILT] = state.built
    out[COUNT] = state.pending.count / FEW_SCALE
    write_bits(state.pending.kinds, 0, NUM_GOODS, out, KINDS)
    out[PRICE] = state.pending.price / FEW_SCALE


@kernel
def observe(state, tables, seat, out):
    """Write the features in the order of the tables above."""
    players = state.num_players
    write_situation(state, out)
    write_card(state, tables, seat, out)
    place = 0
    while state.order[place] != seat:
        place += 1
    write_board(state, tables, seat, place, out, OWN)
    own = state.seats[seat]
    out[STATUE_USED] = own.statue_used
    out[CHAPEL_USED] = own.chapel_used
    out[STABLES_USED] = own.stables_used
    best = state.seats[state.order[(place + 1) % players]].vp
    at = OTHERS
    for ahead in range(1, players):
        other_place = (place + ahead) % players
        other = state.order[other_place]
        best = max(best, state.seats[other].vp)
        write_board(state, tables, other, other_place, out, at)
        write_other_dice(state, other, out, at)
        at += OTHER_SIZE
    out[LEAD] = (own.vp - best) / POINTS_SCALE
    write_plans(state, tables, seat, out)
    write_own_dice(state, seat, out)
    if players == 2:
        write_bits(state.blocked if dice_are_out(state) else 0, 1, NUM_ADVISORS, out, at)
