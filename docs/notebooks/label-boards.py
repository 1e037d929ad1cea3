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
# # Label boards for learning
#
# Whoever trains a model of the 15-puzzle needs many boards, and for each the true length of its shortest solution.
# This notebook labels 100,000 random boards, looks at the distribution of lengths, and fits a first model by least squares.
#
# The tables 7-8 make that fast. `generate` builds them once, 200 MB in all, in the user's cache directory or in the directory that
# the environment variable `TILEBASE_TABLES` names. From then on `generate` only finds that they are there.
#
# `scramble` draws boards that can be solved, each equally likely.
# `solve_many` works on all cores; with `progress=True` it shows a bar.

# %%
import os
import pathlib
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import tilebase

plt.rcParams["figure.dpi"] = 90
plt.rcParams["axes.spines.top"] = plt.rcParams["axes.spines.right"] = False

BOARDS = int(os.environ.get("TILEBASE_NOTEBOOK_BOARDS", 100_000))

tables = tilebase.generate("7-8")
print(f"{len(tables)} tables, {sum(table.bytes for table in tables):,} bytes")

boards = tilebase.scramble(BOARDS, seed=15)
solver = tilebase.Solver("7-8")
lengths = solver.solve_many(boards)

print("boards ", boards.shape, boards.dtype)
print("lengths", lengths.shape, lengths.dtype)
print(f"from {lengths.min()} to {lengths.max()} moves, {lengths.mean():.2f} on average")

# %% [markdown]
# ## The distribution of lengths
#
# For the 15-puzzle it is known how many of all 16!/2 boards are 0, 1, 2, … 80 moves away from the goal
# ([OEIS A089484](https://oeis.org/A089484)). The sample should look the same.
# Boards near the goal, and the farthest ones, are so rare that the sample has none of them.

# %%
CENSUS = np.array(
    """
    1 2 4 10 24 54 107 212 446 946 1948 3938 7808 15544 30821 60842 119000 231844 447342 859744 1637383 3098270 5802411 10783780
    19826318 36142146 65135623 116238056 204900019 357071928 613926161 1042022040 1742855397 2873077198 4660800459 7439530828
    11668443776 17976412262 27171347953 40271406380 58469060820 83099401368 115516106664 156935291234 208207973510 269527755972
    340163141928 418170132006 500252508256 581813416256 657076739307 719872287190 763865196269 784195801886 777302007562
    742946121222 683025093505 603043436904 509897148964 412039723036 317373604363 232306415924 161303043901 105730020222
    65450375310 37942606582 20696691144 10460286822 4961671731 2144789574 868923831 311901840 104859366 29592634 7766947 1508596
    272198 26638 3406 70 17
    """.split(),
    dtype=float,
)
share = CENSUS / CENSUS.sum()
moves = np.arange(len(CENSUS))
known_mean = (share * moves).sum()
known_deviation = np.sqrt((share * (moves - known_mean) ** 2).sum())
standard_error = known_deviation / np.sqrt(BOARDS)
print(f"mean of all boards {known_mean:.3f}, of the sample {lengths.mean():.3f}; standard error {standard_error:.3f}")
assert abs(lengths.mean() - known_mean) < 4 * standard_error
rare = (moves <= 20) | (moves >= 76)
print(f"share of boards with at most 20 or at least 76 moves: {share[rare].sum():.1e}, in the sample {rare[lengths].sum()}")
assert not rare[lengths].any()

figure, ax = plt.subplots(figsize=(7, 3.5))
ax.bar(moves, np.bincount(lengths, minlength=81) / BOARDS, width=0.9, color="#9ecae1", label=f"{BOARDS:,} random boards")
ax.plot(moves, share, ".-", color="#444444", markersize=4, linewidth=0.8, label="all boards")
ax.axvline(known_mean, color="#d55e00", linestyle="--", label=f"mean of all boards, {known_mean:.2f}")
ax.set_xlim(20, 80)
ax.set_xlabel("length of the shortest solution")
ax.set_ylabel("share of boards")
ax.legend(loc="upper left", frameon=False)
plt.show()

# %% [markdown]
# ## Features
#
# The plainest features are the squares: one-hot, sixteen numbers for each square, of which one is 1.
# Lower bounds are features that know something. Every heuristic has a function, and a solver has the bounds of its tables.

# %%
one_hot = (boards[:, :, None] == np.arange(16)).reshape(BOARDS, 256)
assert (one_hot.sum(axis=1) == 16).all()

bounds = {
    "manhattan": tilebase.manhattan(boards),
    "linear-conflict": tilebase.linear_conflict(boards),
    "walking-distance": tilebase.walking_distance(boards),
    "7-8": solver.heuristic(boards),
}
costs = solver.costs(boards).reshape(BOARDS, -1)  # of two patterns, on the board as it is and reflected
print("one-hot", one_hot.shape, " costs", costs.shape)

# %% [markdown]
# ## How wrong the bounds are
#
# A bound never exceeds the length.
# Every move slides one tile by one square, so length and Manhattan distance are both even or both odd.
# The same holds for the other three bounds; hence their errors are all even numbers.

# %%
errors = {name: lengths - bound for name, bound in bounds.items()}
figure, ax = plt.subplots(figsize=(7, 3.5))
for (name, error), colour in zip(errors.items(), ["#d55e00", "#e69f00", "#009e73", "#0072b2"]):
    assert (error >= 0).all() and (error % 2 == 0).all()
    shares = np.bincount(error, minlength=2)[::2] / BOARDS
    ax.plot(2 * np.arange(len(shares)), shares, "o-", markersize=4, color=colour, label=f"{name}: {error.mean():.1f} on average")
ax.set_xlim(-0.5, 32)
ax.set_ylim(0, None)
ax.set_xlabel("length of the shortest solution − bound")
ax.set_ylabel("share of boards")
ax.legend(frameon=False)
plt.show()

# %% [markdown]
# ## A first model
#
# Least squares makes a guess at the length from some of the features.
# Four fifths of the boards are for training; the error is that of the rest.
# The true length has the parity of the Manhattan distance, so a guess may be rounded to the nearest number with that parity.

# %%
training = 4 * BOARDS // 5
parity = bounds["manhattan"][training:] % 2


def fit(*features):
    """Guesses at the lengths of the boards that are not for training."""
    columns = np.column_stack([np.ones(BOARDS), *features])
    known = columns[:training]
    # The normal equations have a row for each feature, not for each board, so that they are solved at once.
    weights = np.linalg.lstsq(known.T @ known, known.T @ lengths[:training], rcond=None)[0]
    return columns[training:] @ weights


guesses = {
    "Manhattan distance": fit(bounds["manhattan"]),
    "three heuristics": fit(*[bounds[name] for name in ("manhattan", "linear-conflict", "walking-distance")]),
    "one-hot": fit(one_hot),
    "7-8": fit(bounds["7-8"]),
    "all of these, and costs": fit(one_hot, *bounds.values(), costs),
}
truth = lengths[training:]
deviation = {name: np.sqrt(((guess - truth) ** 2).mean()) for name, guess in guesses.items()}
rounded = {name: (2 * np.round((guess - parity) / 2) + parity).astype(int) for name, guess in guesses.items()}

print(f"{'features':24} {'error':>8} {'right when rounded':>20}")
print(f"{'none: always the mean':24} {truth.std():8.2f}")
for name in guesses:
    print(f"{name:24} {deviation[name]:8.2f} {(rounded[name] == truth).mean():20.0%}")

# %% [markdown]
# The error in this list is the root of the mean square, in moves.
# The larger the lower bounds that a model sees, the less it errs.
# A linear model of the squares alone does better than one of Manhattan distance, which is itself a sum over squares.
# Unlike a bound, a guess may be too large.
#
# The plot shows how many of the rounded guesses are off by how much at most: the higher the line, the better the model.

# %%
best = guesses["all of these, and costs"]
assert deviation["7-8"] < deviation["three heuristics"] < deviation["Manhattan distance"] < truth.std()
assert deviation["one-hot"] < deviation["Manhattan distance"]
assert deviation["all of these, and costs"] == min(deviation.values())
assert (best > truth).any() and (best < truth).any()

figure, ax = plt.subplots(figsize=(7, 4))
at_most = np.arange(0, 10, 2)
for (name, guess), colour in zip(rounded.items(), ["#d55e00", "#e69f00", "#cc79a7", "#0072b2", "#444444"]):
    shares = [(abs(guess - truth) <= most).mean() for most in at_most]
    ax.plot(at_most, shares, "o-", markersize=4, color=colour, label=name)
ax.set_ylim(0, 1.02)
ax.set_xticks(at_most)
ax.set_xlabel("difference between rounded guess and length, at most (moves)")
ax.set_ylabel("share of boards")
ax.legend(loc="lower right", frameon=False)
plt.show()

# %% [markdown]
# ## Keep it
#
# The boards and their labels are all that has to be kept; features can be made again from them.
# Move the file from the temporary directory to a place of your own.

# %%
with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory, "boards-15-puzzle.npz")
    np.savez_compressed(path, boards=boards, lengths=lengths)
    with np.load(path) as kept:
        assert (kept["boards"] == boards).all() and (kept["lengths"] == lengths).all()
    print(f"{path.name}: {path.stat().st_size / BOARDS:.1f} bytes a board")
