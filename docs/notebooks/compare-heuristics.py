# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Compare heuristics
#
# A heuristic says how many moves a board takes at least. Which one is best, and by how much?
# This notebook compares all heuristics of the package, and some tables, in three ways: by their values, by the nodes of searches,
# and by η, a number that needs no search.
#
# The 8-puzzle has so few boards that all of them can be looked at.
# `neighbours` makes all boards that are a move away from those of a level; what has not been seen before is the next level.

# %%
import math
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import tilebase

plt.rcParams["figure.dpi"] = 90
plt.rcParams["axes.spines.top"] = plt.rcParams["axes.spines.right"] = False


def all_boards(goal):
    """Every board that can be solved, and its distance from the goal."""
    levels, seen = [np.array([goal], dtype=np.uint8)], {bytes(goal)}
    while len(levels[-1]):
        reached = [board for board in tilebase.neighbours(levels[-1])[0] if board.tobytes() not in seen]
        fresh = {board.tobytes(): board for board in reached}
        seen.update(fresh)
        levels.append(np.array(list(fresh.values()), dtype=np.uint8).reshape(-1, len(goal)))
    return np.concatenate(levels), np.repeat(np.arange(len(levels)), [len(level) for level in levels])


boards, distances = all_boards([1, 2, 3, 4, 5, 6, 7, 8, 0])
assert len(boards) == math.factorial(9) // 2
print(f"{len(boards):,} boards, up to {distances.max()} moves from the goal, {distances.mean():.2f} on average")

# %% [markdown]
# ## By their values
#
# The list has heuristics that need no tables. To them comes a pattern database of two patterns of four tiles, drawn with a letter for
# each pattern. Its tables are built at once.
#
# A heuristic is *admissible* if it never exceeds the distance; only then are solutions sure to be shortest.
# The list says what each promises, and all boards are there to check it.
#
# The plot shows the mean value at each distance. An admissible heuristic cannot rise above the distance itself.
# `blank-aware` does: it counts moves that no solution has to make. It is drawn as a dotted line.

# %%
directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
FOUR_FOUR = ".AA/AAB/BBB"
tilebase.generate(FOUR_FOUR, out=directory.name)

values = {name: heuristic(boards).astype(int) for name, heuristic in tilebase.heuristics().items()}
values["tables 4-4"] = tilebase.Solver(FOUR_FOUR, (3, 3), table_dir=directory.name).heuristic(boards).astype(int)
admissible = [name for name, bound in values.items() if (bound <= distances).all()]
for name, heuristic in tilebase.heuristics().items():
    assert (name in admissible) == (heuristic.promise != "not admissible")

print(f"{'':19} {'mean':>6} {'largest':>8} {'exact':>6} {'too large':>10}")
for name, bound in values.items():
    exact, too_large = (bound == distances).mean(), (bound > distances).mean()
    print(f"{name:19} {bound.mean():6.2f} {bound.max():8} {exact:6.1%} {too_large:10.1%}")
print(f"{'distance':19} {distances.mean():6.2f} {distances.max():8}")

COLOURS = {
    "hamming": "#999999",
    "gaschnig": "#cc79a7",
    "manhattan": "#d55e00",
    "corner-tiles": "#e69f00",
    "tables 4-4": "#0072b2",
    "blank-aware": "#000000",
}
assert "blank-aware" not in admissible
figure, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
ax.plot([0, 31], [0, 31], color="#bbbbbb", linewidth=5, solid_capstyle="butt", label="distance")
for name, colour in COLOURS.items():
    means = np.bincount(distances, weights=values[name]) / np.bincount(distances)
    style = "-" if name in admissible else ":"
    ax.plot(means, style, color=colour, label=name if name in admissible else f"{name} (not admissible)")
ax.set_xlabel("distance from the goal (moves)")
ax.set_ylabel("mean value (moves)")
ax.set_xlim(0, 31)
ax.set_ylim(0, 36)
figure.legend(loc="outside right center", frameon=False)
plt.show()

# %% [markdown]
# ## By the nodes of searches
#
# What counts is how much of a search a heuristic saves.
# 500 boards that need 24 moves are solved with each. `ida-plain` is IDA\* as in the papers, one node at a time.
# With the heuristic that is not admissible some solutions are longer than they have to be, so it is left out from here on.

# %%
chosen = np.random.default_rng(8).choice(np.flatnonzero(distances == 24), 500, replace=False)
nodes = {}
for name in values:
    tables = FOUR_FOUR if name == "tables 4-4" else name
    solver = tilebase.Solver(tables, (3, 3), table_dir=directory.name, algorithm="ida-plain")
    results = solver.solve_many(boards[chosen], nodes=True)
    longer = (results.lengths > 24).mean()
    assert (longer == 0) == (name in admissible)
    print(f"{name:19} {results.nodes.mean():10,.0f} nodes a board" + (f", but {longer:.0%} too long" if longer else ""))
    if name in admissible:
        nodes[name] = results.nodes.mean()

# %% [markdown]
# ## By η
#
# Deep in the tree of moves, each level is $b$ times as large as the one before. That is the branching factor.
# It is the largest eigenvalue of the matrix that says from which square, entered in which direction, the blank can go where, if no
# move is taken back.
#
# If the boards of a search were random ones, IDA\* would expand about $b^d \cdot \eta$ nodes to the depth $d$, where **η is the mean of
# $b^{-h}$** over all boards, $h$ being their bounds (Korf, Reid & Edelkamp 2001). So η alone would tell heuristics apart.

# %%
b3, b4 = tilebase.branching_factor((3, 3)), tilebase.branching_factor((4, 4))
assert math.isclose(b3, math.sqrt(3)) and round(b4, 4) == 2.1304
print(f"branching factor of the 8-puzzle {b3:.4f}, of the 15-puzzle {b4:.4f}")

eta = {name: (b3 ** -values[name].astype(float)).mean() for name in nodes}
lag = {name: (b3 ** (distances - values[name]).astype(float)).mean() for name in nodes}

# %% [markdown]
# ## Nodes against η
#
# The logarithm of the nodes follows the logarithm of η: the correlation is close to 1.
# But the line is steeper than η promises: a heuristic with half of η saves more than half of the nodes.
#
# The reason is that η of a good heuristic comes largely from the few boards near the goal, and searches do not see many of those.
# A search for a solution of 23 moves leaves a board, after $i$ moves, if its bound exceeds $23 - i$.
# The distance does exceed that, because no solution is so short; and near the goal bounds are nearly exact.
#
# The mean of $b^{d-h}$, with $d$ the distance, is called the *lag*. Boards near the goal count no more than others in it.
# Its line has nearly the slope 1, but it needs the distances. [docs/eta.md](../eta.md) says more.

# %%
def draw(ax, measure, nodes, estimates=None, on_the_left=()):
    """Nodes against a measure, with the range of its estimates, and the line that fits best: returns its slope, and the correlation."""
    x, y = (np.log10([of[name] for name in nodes]) for of in (measure, nodes))
    slope, start = np.polyfit(x, y, 1)
    correlation = np.corrcoef(x, y)[0, 1]
    ends = np.array([x.min() - 0.1, x.max() + 0.1])
    ax.loglog(10**ends, 10 ** (slope * ends + start), color="#bbbbbb", linewidth=1)
    ax.loglog(10**x, 10**y, "o", color="#0072b2")
    if estimates:
        least, x = (np.log10([of(estimates[name]) for name in nodes]) for of in (min, max))
        ax.hlines(10**y, 10**least, 10**x, color="#0072b2", linewidth=1)
    labels = {}  # points in the same place share a label
    for name, *at in zip(nodes, x, y):
        near = next((other for other in labels if np.allclose(at, other, rtol=0, atol=0.05)), tuple(at))
        labels.setdefault(near, []).append(name)
    for at, sharing in labels.items():
        shift, side = ((-8, 0), "right") if sharing[0] in on_the_left else ((8, 0), "left")
        text, place = "\n".join(sharing), 10 ** np.array(at)
        ax.annotate(text, place, shift, textcoords="offset points", ha=side, va="center_baseline", fontsize=8)
    ax.set_title(f"slope {slope:.2f}, correlation {correlation:.3f}", fontsize=10)
    return slope, correlation


figure, axes = plt.subplots(1, 2, figsize=(10, 5.5), sharey=True, layout="constrained")
eta_slope, eta_correlation = draw(axes[0], eta, nodes, on_the_left=["corner-tiles"])
lag_slope, lag_correlation = draw(axes[1], lag, nodes, on_the_left=["corner-tiles"])
axes[0].set_xlabel("η, the mean of $b^{-h}$")
axes[1].set_xlabel("lag, the mean of $b^{d-h}$")
axes[0].set_ylabel("nodes of IDA* (mean of 500 boards)")
plt.show()
assert eta_correlation > 0.98 and lag_correlation > 0.98
assert eta_slope > 1.1 and abs(lag_slope - 1) < 0.1

near = distances <= 12
part = {name: (b3 ** -values[name][near].astype(float)).sum() / (eta[name] * len(boards)) for name in nodes}
assert part["tables 4-4"] > 0.5
print(f"{near.mean():.2%} of all boards are at most 12 moves from the goal")
print(f"they make up {part['manhattan']:.0%} of η of manhattan, and {part['tables 4-4']:.0%} of η of the tables")

# %% [markdown]
# ## The tail of η
#
# The 15-puzzle has too many boards to look at all of them, so η is estimated from random ones.
# Such estimates need care. A bound that is smaller by 10 counts $b^{10}$ times as much, about 1,900 times.
# So half of the mean comes from a few boards with small bounds.
# Boards with even smaller bounds, which are too rare to be in the sample, would add to it.
#
# The plot shows where the boards are, and where η comes from.

# %%
tilebase.generate("5-5-5", out=directory.name)
names = ["euclidean", "manhattan", "linear-conflict", "corner-tiles", "walking-distance", "5-5-5", "6-6-3"]
solvers = {name: tilebase.Solver(name, table_dir=directory.name, algorithm="ida-plain") for name in names}
sample = tilebase.scramble(100_000, seed=15)
bounds = {name: solver.heuristic(sample) for name, solver in solvers.items()}
weights = {name: b4 ** -bound.astype(float) for name, bound in bounds.items()}

figure, axes = plt.subplots(1, 2, figsize=(10, 3.5), sharex=True, sharey=True, layout="constrained")
for ax, name in zip(axes, ["manhattan", "6-6-3"]):
    bound, weight = bounds[name], weights[name]
    bins = np.arange(10, 66, 2)
    ax.hist(bound, bins, weights=np.full(len(bound), 1 / len(bound)), color="#bbbbbb", label="share of the boards")
    ax.hist(bound, bins, weights=weight / weight.sum(), histtype="step", color="#d55e00", linewidth=1.5, label="share of η")
    ax.set_title(name, fontsize=10)
    ax.set_xlabel("bound (moves)")
axes[0].set_ylabel("share")
axes[0].legend(frameon=False)
plt.show()

assert 1850 < b4**10 < 1950
estimates = {name: weight.reshape(10, -1).mean(axis=1) for name, weight in weights.items()}
for name, weight in weights.items():
    heaviest = np.sort(weight)[::-1].cumsum()
    half = np.searchsorted(heaviest, heaviest[-1] / 2) + 1
    assert half < 0.01 * len(sample)
    tenths = estimates[name]
    print(f"{name:17} η {weight.mean():.1e}, half of it from {half:3} boards; by tenths {tenths.min():.1e} to {tenths.max():.1e}")

# %% [markdown]
# ## Nodes against an estimate
#
# Rough as these estimates are, they put heuristics that differ much in the right order.
# The nodes are those of 100 boards that need 36 moves, which are easy ones.
# For random boards of the 15-puzzle the line is steeper than η promises, as it is for the 8-puzzle ([docs/eta.md](../eta.md)).
#
# Bars go from the smallest to the largest of ten estimates, each from a tenth of the sample.
# Where bars overlap, another sample might put the heuristics in another order.
# `hamming` and `gaschnig` are missing, because searches with them take too long. So are both kinds of `pair-distance`, because they are
# so close to `linear-conflict`.

# %%
easy = tilebase.scramble(100, distance=36, seed=36)
nodes = {}
for name, solver in solvers.items():
    results = solver.solve_many(easy, nodes=True)
    assert (results.lengths == 36).all()
    nodes[name] = results.nodes.mean()
eta = {name: weight.mean() for name, weight in weights.items()}

figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
slope, correlation = draw(ax, eta, nodes, estimates)
ax.set_xlabel("η, the mean of $b^{-h}$, from 100,000 random boards")
ax.set_ylabel("nodes of IDA* (mean of 100 boards)")
plt.show()
assert correlation > 0.97
assert eta["euclidean"] > eta["manhattan"] > eta["linear-conflict"] > eta["5-5-5"] > eta["6-6-3"]
assert nodes["euclidean"] > nodes["manhattan"] > nodes["linear-conflict"] > nodes["5-5-5"] > nodes["6-6-3"]
