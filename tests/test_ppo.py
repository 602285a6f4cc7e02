"""The parts of the PPO trainer: masking, the league, rollouts and updates, also with more than two seats."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch")

import torch

import kingmaker.envs.krig  # noqa: F401  (registers the games)
from kingmaker.agents.loader import load_agent
from kingmaker.envs.core.registry import get_spec
from kingmaker.envs.core.spec import Feature, Reference, feature_slices
from kingmaker.training.config import NetworkConfig, OpponentsConfig, TrainingError, UpdateConfig
from kingmaker.training.evaluate import evaluate, wilson
from kingmaker.training.gae import NO_SEAT
from kingmaker.training.league import LATEST, LEAST, League, SnapshotPool
from kingmaker.training.masking import legal_distribution, sample_legal
from kingmaker.training.network import PolicyValueNet, build_network
from kingmaker.training.rollout import Batch, Rollout
from kingmaker.training.steps import ladders_of
from kingmaker.training.update import ppo_update


@pytest.fixture(autouse=True)
def _one_thread():
    """Keep torch to one thread: on a busy machine the second one mostly waits."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# --- masking ------------------------------------------------------------------------------------------


def sample(logits, masks, uniforms):
    actions, log_probs = np.empty(len(logits), np.int64), np.empty(len(logits), np.float32)
    sample_legal(logits, masks, uniforms, actions, log_probs)
    return actions, log_probs


def test_two_thousand_actions_sample_only_legal_ones_with_the_probabilities_that_training_sees():
    rng = np.random.default_rng(0)
    logits = (30 * rng.normal(size=(300, 2000))).astype(np.float32)
    masks = (rng.random((300, 2000)) < 0.01).astype(np.int8)
    masks[:, 7] = 1
    masks[:50] = 0
    masks[:50, 1999] = 1  # a single legal action
    actions, log_probs = sample(logits, masks, rng.random(300))
    assert masks[np.arange(300), actions].all()
    learned, _ = legal_distribution(
        torch.from_numpy(logits), torch.from_numpy(masks).bool(), torch.from_numpy(actions)
    )
    assert np.allclose(learned.numpy(), log_probs, atol=1e-5)


def test_losses_and_gradients_stay_finite_however_far_the_logits_are_apart():
    logits = torch.tensor([[1e6, -1e6, 0.0], [-1e6, 1e6, 1e6]], requires_grad=True)
    masks, actions = torch.tensor([[0, 1, 1], [1, 0, 0]]).bool(), torch.tensor([1, 0])
    log_probs, entropies = legal_distribution(logits, masks, actions)
    (log_probs.sum() + entropies.sum()).backward()
    assert log_probs.tolist() == [-1e6, 0]
    assert entropies.tolist() == [0, 0]
    assert torch.isfinite(logits.grad).all()
    assert logits.grad[0, 0] == 0  # an illegal action is not learned from


@given(seed=st.integers(0, 2**32 - 1), spread=st.floats(0.0, 20.0))
@settings(max_examples=30, deadline=None)
def test_log_probabilities_entropies_and_gradients_are_those_of_a_masked_softmax(seed, spread):
    generator = torch.Generator().manual_seed(seed)
    logits = spread * torch.randn(6, 9, generator=generator, dtype=torch.float32)
    masks = torch.rand(6, 9, generator=generator) < 0.4
    actions = torch.randint(9, (6,), generator=generator)
    masks[torch.arange(6), actions] = True
    weights = torch.randn(2, 6, generator=generator)
    results = []
    for tensor in (logits.clone(), logits.double()):
        tensor.requires_grad_()
        if tensor.dtype == torch.float32:
            log_probs, entropies = legal_distribution(tensor, masks, actions)
        else:
            log_all = torch.log_softmax(torch.where(masks, tensor, -1e9), 1)
            log_probs = log_all.gather(1, actions[:, None]).squeeze(1)
            entropies = -(log_all.exp() * log_all).sum(1)
        (weights[0] * log_probs + weights[1] * entropies).sum().backward()
        results.append((log_probs, entropies, tensor.grad))
    for compiled, reference in zip(*results, strict=True):
        assert torch.allclose(compiled.double(), reference.double(), atol=1e-5)


def test_samples_follow_the_softmax():
    logits = np.log(np.tile(np.array([[0.5, 9.0, 0.2, 0.3]], np.float32), (40_000, 1)))
    masks = np.tile(np.array([[1, 0, 1, 1]], np.int8), (40_000, 1))
    actions, _ = sample(logits, masks, np.random.default_rng(1).random(40_000))
    shares = np.bincount(actions, minlength=4) / 40_000
    assert np.allclose(shares, [0.5, 0.0, 0.2, 0.3], atol=0.01)


def test_the_largest_uniform_number_still_gives_a_legal_action():
    masks = np.array([[1, 1, 0]], np.int8)
    actions, _ = sample(np.zeros((1, 3), np.float32), masks, np.array([np.nextafter(1.0, 0.0)]))
    assert actions[0] == 1


# --- network ------------------------------------------------------------------------------------------


def test_actions_get_the_scores_of_what_they_refer_to():
    reference = Reference("things", 4, 8.0, actions=(0, 2, 3), features=(0, 1, 1), offsets=(0, 0, 1))
    network = PolicyValueNet(2, 5, [4], references=[reference])
    torch.nn.init.zeros_(network.policy_head.weight)
    head = network.reference_heads[0]
    torch.nn.init.zeros_(head.scores.weight)
    head.scores.bias.data = torch.tensor([10.0, 11.0, 12.0, 13.0])
    observations = torch.tensor([[1 / 8, 2 / 8], [0, 3 / 8], [5 / 8, 0]])
    expected = [
        [11, 0, 12, 13, 0],
        [0, 0, 13, 0, 0],
        [0, 0, 0, 0, 0],
    ]  # there are no things 4 and 5
    assert network.logits(observations).tolist() == expected
    assert network(observations)[0].tolist() == expected


def test_scores_of_things_are_learned():
    reference = Reference("things", 4, 8.0, actions=(0, 1), features=(0, 1), offsets=(0, 0))
    network = PolicyValueNet(2, 2, [4], generator=torch.Generator().manual_seed(0), references=[reference])
    network.logits(torch.tensor([[1 / 8, 3 / 8]])).square().sum().backward()
    gradient = network.reference_heads[0].scores.bias.grad
    assert (gradient != 0).tolist() == [False, True, False, True]


def test_features_that_come_in_steps_get_an_input_a_step():
    spec = get_spec("krig")
    size = spec.observation_size(2)
    config = NetworkConfig(hidden=[8], steps={"own.hit_points": 20, "other.charging": 2})
    network = build_network(config, spec, 2)
    seen = torch.zeros(3, size)
    seen[:, feature_slices(spec.features(2))["own.hit_points"]] = torch.tensor([[0.0], [7 / 20], [0.975]])
    inputs = network.steps(seen)
    assert torch.equal(inputs[:, :size], seen)
    assert inputs[:, size : size + 20].sum(1).tolist() == pytest.approx([0, 7, 19.5])
    assert inputs[1, size : size + 8].tolist() == pytest.approx([1, 1, 1, 1, 1, 1, 1, 0], abs=1e-6)
    assert network.policy_trunk[0].in_features == size + 22
    logits, values = network(seen)
    assert torch.equal(logits, network.logits(seen))
    assert torch.equal(values, network.value(seen))


def test_the_range_of_a_feature_is_what_its_steps_divide():
    spread = (Feature("hand", "cards", 2, -1.0, 3.0),)
    spec = dataclasses.replace(get_spec("krig"), features=lambda num_players: spread)
    found = ladders_of({"hand": 4}, spec, 2)
    assert [column for column, *_ in found] == [0] * 4 + [1] * 4
    assert [factor * 1.5 - start for _, factor, start in found[:4]] == [2.5, 1.5, 0.5, -0.5]


def test_steps_of_a_feature_that_the_game_lacks_are_refused():
    with pytest.raises(TrainingError, match=r"krig has no feature 'own\.gold'"):
        build_network(NetworkConfig(steps={"own.gold": 3}), get_spec("krig"), 2)


# --- league -------------------------------------------------------------------------------------------


def build():
    return PolicyValueNet(3, 2, [4])


def test_the_pool_stays_evenly_spread_over_the_run():
    pool, network = SnapshotPool(4, 5), build()
    for update in range(100):
        pool.offer(update, network)
    kept = [update for update, _ in pool.snapshots]
    assert len(kept) <= 4
    assert kept[0] == 0
    assert len(set(np.diff(kept))) == 1
    assert kept[-1] + pool.every >= 100


def test_a_snapshot_does_not_follow_the_network():
    pool, network = SnapshotPool(4, 1), build()
    pool.offer(0, network)
    with torch.no_grad():
        network.policy_head.bias.add_(1.0)
    assert (pool.snapshots[0][1]["policy_head.bias"] == 0).all()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_league_games_have_one_seat_of_the_latest_policy_and_the_configured_share(players):
    league = League(OpponentsConfig(share=0.3, slots=3), 20_000, players, build, [])
    league.seat(np.arange(20_000), np.random.default_rng(2))
    ours = (league.seating == LATEST).sum(1)
    assert set(ours) == {1, players}
    assert (ours == 1).mean() == pytest.approx(0.3, abs=0.02)
    seats = np.argmax(league.seating[ours == 1] == LATEST, axis=1)
    assert np.allclose(np.bincount(seats, minlength=players) / len(seats), 1 / players, atol=0.03)
    assert set(np.unique(league.seating)) == {LATEST, 0, 1, 2}


def test_slots_play_their_snapshot_and_bots_and_leave_the_other_rows_alone():
    always_one = build()
    with torch.no_grad():
        always_one.policy_head.bias[1] = 50.0
    league = League(OpponentsConfig(share=1.0, slots=1), 8, 2, build, [])
    league.offer(0, always_one)
    rng = np.random.default_rng(0)
    league.draw_players(rng)
    league.seating[:] = [[0, LATEST]] * 8
    actors, actions = np.array([0, 1] * 4), np.zeros(8, np.int64)
    with torch.inference_mode():
        mine = league.decide(actors, torch.zeros(8, 3), np.ones((8, 2), np.int8), actions, rng)
    assert mine.tolist() == [False, True] * 4
    assert actions.tolist() == [1, 0] * 4


def test_slots_keep_their_players_for_as_many_rollouts_as_asked():
    league = League(OpponentsConfig(share=1.0, slots=3, hold=4, pool=32, every=1), 8, 2, build, [])
    for update in range(32):
        league.offer(update, build())
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(12):
        league.seat(np.arange(8), rng)
        league.draw_players(rng)
        drawn.append((list(league.names), bool(league.whole.any())))
    for start in (0, 4, 8):
        names, whole = zip(*drawn[start : start + 4], strict=True)
        assert names[0] == names[1] == names[2] == names[3]
        assert whole == (False, True, True, True)  # new players: no game is theirs from its start
    assert len({tuple(names) for names, _ in drawn}) == 3


def test_ratings_tell_who_comes_out_ahead_and_survive():
    league = League(OpponentsConfig(share=1.0, slots=2, pool=4, every=1), 4, 3, build, [])
    league.offer(0, build())
    league.offer(1, build())
    rng = np.random.default_rng(0)
    league.draw_players(rng)
    league.names = ["update 0", "update 1"]
    for _ in range(500):
        league.seat(np.arange(4), rng)
        league.seating[:] = [[LATEST, 0, 1], [0, LATEST, 1], [0, 1, LATEST], [LATEST, LATEST, LATEST]]
        # Ahead of the first, level with the second.
        league.record(np.arange(4), np.array([[0, 2, 0], [2, 0, 0], [2, 0, 0], [1, 1, 0]]))
    relative = league.ratings.relative()
    assert relative["update 0"] < -400
    assert abs(relative["update 1"]) < 200
    assert league.ratings.table["update 0"][1] == league.ratings.table["update 1"][1] == 1500
    other = League(OpponentsConfig(share=1.0, slots=2, pool=4, every=1), 4, 3, build, [])
    other.load_state(league.state())
    assert other.ratings.table == league.ratings.table
    assert other.names == league.names
    league.offer(2, build())
    assert league.ratings.table["update 2"] == (league.ratings.latest, 0)  # enters as strong as the latest


def test_close_opponents_are_drawn_more_often_and_no_other_never():
    bot = load_agent("random", get_spec("krig"))
    config = OpponentsConfig(
        share=1.0, slots=1, pool=4, every=1, bots=["random"], bot_share=0.5, prefer="close"
    )
    league = League(config, 4, 2, build, [bot])
    for update in range(2):
        league.offer(update, build())
    rng = np.random.default_rng(0)

    def shares(**ratings):
        league.ratings.table = {name.replace("_", " "): (rating, 1) for name, rating in ratings.items()}
        drawn = []
        for _ in range(4000):
            league.draw_players(rng)
            drawn += league.names
        return {name: drawn.count(name) / len(drawn) for name in league.ratings.table}

    even = shares(random=0.0, update_0=0.0, update_1=0.0)
    assert even == pytest.approx({"random": 0.5, "update 0": 0.25, "update 1": 0.25}, abs=0.03)
    # 400 points are odds of ten to one: 4 * 10 / 121 of the weight of an equal.
    strong = shares(random=400.0, update_0=0.0, update_1=2000.0)
    bots = 0.5 * 40 / 121
    wanted = {
        "random": bots,
        "update 0": (1 - bots) / (1 + LEAST),
        "update 1": (1 - bots) * LEAST / (1 + LEAST),
    }
    assert strong == pytest.approx(wanted, abs=0.03)


def test_games_that_changed_their_opponent_are_not_rated():
    league = League(OpponentsConfig(share=1.0, slots=1, pool=4, every=1), 2, 2, build, [])
    league.offer(0, build())
    rng = np.random.default_rng(0)
    league.seat(np.array([0, 1]), rng)
    league.draw_players(rng)  # both games were under way
    league.seat(np.array([1]), rng)
    league.record(np.array([0, 1]), np.array([[0, 1], [0, 1]]))
    assert league.ratings.table["update 0"][1] == 1


# --- rollouts with three seats ------------------------------------------------------------------------


class Duel:
    """A toy batch of games: 9 decisions by seats in random order; points for naming the bit on show."""

    LENGTH = 9

    def __init__(self, num_games, players, seed=0):
        self.rng = np.random.default_rng(seed)
        self.observations = np.zeros((num_games, 3), np.float32)
        self.masks = np.ones((num_games, 3), np.int8)
        self.masks[:, 2] = 0
        self.actors = np.zeros(num_games, np.int64)
        self.rewards = np.zeros((num_games, players), np.float32)
        self.dones = np.zeros(num_games, bool)
        self.ranks = np.zeros((num_games, players), np.int64)
        self.points = np.zeros((num_games, players), np.float32)
        self.clock = self.rng.integers(self.LENGTH, size=num_games)
        self.show()

    def show(self):
        self.bits = self.rng.integers(2, size=len(self.actors))
        self.actors[:] = self.rng.integers(self.rewards.shape[1], size=len(self.actors))
        self.observations[:, 0], self.observations[:, 1] = self.bits, 1 - self.bits

    def step(self, actions):
        rows = np.arange(len(actions))
        assert self.masks[rows, actions].all()
        self.right = actions == self.bits
        self.points[rows, self.actors] += self.right
        self.clock += 1
        self.dones = self.clock >= self.LENGTH
        self.rewards[:] = self.dones[:, None] * (self.points - self.points.mean(1, keepdims=True))
        self.ranks[:] = (self.points[:, :, None] < self.points[:, None]).sum(axis=2)
        self.points[self.dones] = 0
        self.clock[self.dones] = 0
        self.show()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_self_play_learns_a_toy_game_for_any_number_of_seats(players):
    games = Duel(128, players)
    network = PolicyValueNet(3, 3, [16], generator=torch.Generator().manual_seed(0))
    league = League(OpponentsConfig(share=0.3), 128, players, lambda: PolicyValueNet(3, 3, [16]), [])
    league.offer(0, network)
    rng, rollout = np.random.default_rng(0), Rollout(games, 16)
    league.seat(np.arange(128), rng)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-2)
    for _ in range(25):
        rollout.play(network, league, rng)
        batch = rollout.batch(network, 1.0, 0.9)
        ppo_update(network, optimiser, batch, UpdateConfig(minibatch=512), 0.0, rng)
        rollout.carry()
    rollout.play(network, league, rng)
    ours = rollout.seats[players:] != NO_SEAT
    right = rollout.actions[players:].numpy() == rollout.observations[players:, :, 0].numpy()
    assert right[ours].mean() > 0.95
    assert right[~ours].mean() == pytest.approx(0.5, abs=0.06)  # the first snapshot still guesses


def test_every_decision_of_the_latest_policy_is_learned_from_once_or_carried():
    games, players, steps = Duel(32, 3), 3, 8
    network = PolicyValueNet(3, 3, [8])
    league = League(OpponentsConfig(share=0.0), 32, players, build, [])
    rng, rollout = np.random.default_rng(0), Rollout(games, steps)
    learned = 0
    for rounds in range(1, 6):
        rollout.play(network, league, rng)
        learned += len(rollout.batch(network, 1.0, 0.9).rows)
        rollout.carry()
        carried = int((rollout.seats[:players] != NO_SEAT).sum())
        assert learned + carried == rounds * steps * 32


# --- update -------------------------------------------------------------------------------------------


def constant_batch(advantages, log_prob):
    n = len(advantages)
    return Batch(
        rows=np.arange(n),
        observations=torch.ones(n, 3),
        masks=torch.ones(n, 2, dtype=torch.bool),
        actions=torch.arange(n) % 2,
        log_probs=torch.full((n,), log_prob),
        advantages=torch.tensor(advantages),
        returns=torch.zeros(n),
    )


def test_an_update_makes_better_actions_likelier_and_reports_the_entropy():
    network = PolicyValueNet(3, 2, [8], generator=torch.Generator().manual_seed(1))
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-2)
    batch = constant_batch([1.0, -1.0] * 50, float(np.log(0.5)))
    losses = ppo_update(network, optimiser, batch, UpdateConfig(), 0.0, np.random.default_rng(0))
    logits = network.logits(torch.ones(1, 3))[0]
    assert logits[0] > logits[1]
    assert losses.entropy == pytest.approx(np.log(2), abs=0.01)


def test_a_ratio_beyond_the_clip_range_gains_nothing():
    network = PolicyValueNet(3, 2, [8], generator=torch.Generator().manual_seed(1))
    optimiser = torch.optim.SGD(network.parameters(), lr=1.0)
    # The policy plays each action with about 1/2; recorded at 1/8 and 7/8, ratios are 4 and 4/7.
    batch = constant_batch([1.0, -1.0] * 50, 0.0)
    batch.log_probs[0::2], batch.log_probs[1::2] = np.log(1 / 8), np.log(7 / 8)
    before = {name: value.clone() for name, value in network.state_dict().items() if "policy" in name}
    config = UpdateConfig(value_weight=0.0)
    losses = ppo_update(network, optimiser, batch, config, 0.0, np.random.default_rng(0))
    assert losses.clipped == 1.0
    assert all(torch.equal(network.state_dict()[name], value) for name, value in before.items())


# --- evaluation ---------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_random_against_random_is_even_and_repeats_exactly():
    agent = load_agent("random", "krig")
    first, again = (evaluate(agent, "random", 2001, seed=5) for _ in range(2))
    assert first == again
    assert first.games == 2002
    assert first.low < 0.5 < first.high


def test_the_interval_is_wilsons():
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
