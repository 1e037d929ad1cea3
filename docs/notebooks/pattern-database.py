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
# # A pattern database, and why it beats Manhattan distance
#
# A search for a shortest solution needs a lower bound: how many moves does this board take at least?
# Manhattan distance adds up how far each tile is from home, as if the other tiles were not there.
# A pattern database looks at several tiles at once, and knows how they get in each other's way.
# This notebook builds one for the 15-puzzle, and compares the two.
#
# Here is one of 500 random boards. The same seed gives the same boards everywhere.

# %%
import tempfile

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.colors import ListedColormap

import tilebase

COLOURS = {"manhattan": "#d55e00", "linear-conflict": "#e69f00", "5-5-5": "#0072b2", "6-6-3": "#009e73", "moves": "#444444"}
plt.rcParams["figure.dpi"] = 90
plt.rcParams["axes.spines.top"] = plt.rcParams["axes.spines.right"] = False

boards = tilebase.scramble(500, seed=15)
tilebase.Board(boards[0])

# %% [markdown]
# ## Build it
#
# The catalogue 5-5-5 divides the fifteen tiles into three patterns of five.
# A table has an entry for all the ways in which the five tiles can lie, and for each region that the blank can be in.
# An entry says how many moves of these five tiles bring all five home; moves of other tiles cost nothing.
# `audit` proves every entry, and raises an error if one is wrong.
#
# The histogram of the first table shows how many of its entries have which cost.
# A table names its tiles by the squares that they belong on, counted from the blank's corner.
# So it serves goals with the blank in any corner.

# %%
directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
tables = tilebase.generate("5-5-5", out=directory.name)
for table in tables:
    table.audit()
    assert table.counts == "pattern"
    print(f"{table.entries:,} entries in {table.bytes:,} bytes, costs up to {table.max}, {table.mean:.2f} on average")

# A partition can be drawn as well: a letter for each pattern, and a dot where the blank belongs.
drawn = tilebase.generate(".AAC/AACC/ABCC/BBBB", out=directory.name)
assert {table.hash for table in drawn} == {table.hash for table in tables}

tables[0].plot()
plt.show()

# %% [markdown]
# ## Two views
#
# A solver translates patterns into the tiles of its own goal, whose blank is in the last corner here.
# It uses every table twice: for the board as it is, and for the board reflected on its main diagonal.
# The reflected view divides the tiles in another way, and needs no tables of its own. Equal colours are the same table.

# %%
solver = tilebase.Solver("5-5-5", table_dir=directory.name)
for table, tiles in zip(tables, solver.patterns[0][1]):
    assert sorted(16 - square for square in table.pattern) == tiles
blank_first = tilebase.Solver("5-5-5", goal="blank-first", table_dir=directory.name)
assert blank_first.patterns[0][1] == [list(table.pattern) for table in tables]

colours = ListedColormap(["white", "#9ecae1", "#fdd0a2", "#c7e9c0"])
figure, axes = plt.subplots(1, 2, figsize=(6, 3.2))
for ax, (view, patterns) in zip(axes, solver.patterns):
    number_of = {tile: number for number, tiles in enumerate(patterns, start=1) for tile in tiles}
    pattern_numbers = [[number_of.get(tile, 0) for tile in row] for row in solver.goal.rows]
    ax.imshow(pattern_numbers, cmap=colours)
    for (row, column), tile in np.ndenumerate(solver.goal.rows):
        ax.text(column, row, tile or "", ha="center", va="center", fontsize=13)
    ax.set_title(view, fontsize=10)
    ax.set_xticks([0.5, 1.5, 2.5], labels=[])
    ax.set_yticks([0.5, 1.5, 2.5], labels=[])
    ax.tick_params(length=0)
    ax.grid(color="white", linewidth=3)
    ax.spines[:].set_visible(False)
plt.show()

# %% [markdown]
# ## Add it up
#
# No tile is in two patterns of a view, so no move is counted twice, and the costs of the three patterns add up to a lower bound.
# The bound of a board is the larger sum of the two views.
# A pattern never costs less than the Manhattan distances of its five tiles.
# What it costs more is always even, because every detour has a way there and a way back.

# %%
costs = solver.costs(boards).astype(int)
assert costs.shape == (500, 2, 3)  # boards, views, patterns
sums = costs.sum(axis=2)
bounds = sums.max(axis=1)
assert (bounds == solver.heuristic(boards)).all()

# How far each tile is from home: squares[i, t - 1] is where tile t is on board i, and it belongs on square t - 1.
squares, homes = np.argsort(boards, axis=1)[:, 1:], np.arange(15)
tile_distances = abs(squares // 4 - homes // 4) + abs(squares % 4 - homes % 4)
assert (tile_distances.sum(axis=1) == tilebase.manhattan(boards)).all()

for tiles, cost in zip(solver.patterns[0][1], costs[:, 0].T):
    excess = cost - tile_distances[:, np.array(tiles) - 1].sum(axis=1)
    assert (excess >= 0).all() and (excess % 2 == 0).all()
    print(f"tiles {str(tiles):21} cost {cost.mean():5.2f} on average, {excess.mean():.2f} above their Manhattan distances")

print()
print(f"board as it is:    {sums[:, 0].mean():.2f} on average")
print(f"board reflected:   {sums[:, 1].mean():.2f} on average, and larger on {(sums[:, 1] > sums[:, 0]).mean():.0%} of the boards")
print(f"the larger of both {bounds.mean():.2f} on average")
assert bounds.mean() > sums.mean(axis=0).max()

# %% [markdown]
# ## Compare it with the truth
#
# `solve_many` finds the lengths of shortest solutions.
# It takes the larger tables 6-6-3 here, which are part of the package.
# Neither bound ever exceeds the length, and the pattern database is never below Manhattan distance.

# %%
lengths = tilebase.Solver("6-6-3").solve_many(boards)
manhattan = tilebase.manhattan(boards)
assert (manhattan <= bounds).all() and (bounds <= lengths).all()

figure, ax = plt.subplots(figsize=(7, 3.5))
bins = np.arange(16, 74, 2)
for name, values, colour in [
    ("Manhattan distance", manhattan, COLOURS["manhattan"]),
    ("5-5-5", bounds, COLOURS["5-5-5"]),
    ("shortest solution", lengths, COLOURS["moves"]),
]:
    ax.hist(values, bins, histtype="step", color=colour, linewidth=1.5, label=f"{name}: {values.mean():.1f} on average")
ax.set_xlabel("moves")
ax.set_ylabel("boards")
ax.set_ylim(0, 140)
ax.legend(loc="upper left", frameon=False)
plt.show()

# %% [markdown]
# ## What a search gains
#
# The larger the bound, the fewer nodes a search generates.
# The boards that need at most 44 moves are searched with four heuristics; Manhattan distance would take long for the others.
# All searches find solutions of the same lengths; they differ in their nodes.

# %%
easy = lengths <= 44
nodes = {}
for name in ["manhattan", "linear-conflict", "5-5-5", "6-6-3"]:
    results = tilebase.Solver(name, table_dir=directory.name).solve_many(boards[easy], nodes=True)
    assert (results.lengths == lengths[easy]).all()
    nodes[name] = results.nodes
    print(f"{name:15} {results.nodes.mean():12,.0f} nodes a board")
means = [of_boards.mean() for of_boards in nodes.values()]
assert means == sorted(means, reverse=True) and means[0] > 10 * means[2]

figure, ax = plt.subplots(figsize=(7, 4))
easiest_first = np.argsort(nodes["manhattan"])
for (name, of_boards), style in zip(nodes.items(), ["o", "^", "s", "D"]):
    ax.semilogy(of_boards[easiest_first], style, markersize=4, color=COLOURS[name], label=name)
ax.set_xlabel(f"{easy.sum()} boards, those that are easiest with Manhattan distance first")
ax.set_ylabel("nodes")
ax.set_xticks([])
ax.legend(loc="upper left", frameon=False)
plt.show()

# %% [markdown]
# ## Along a solution
#
# A solution plays itself. One thread finds the same one every time.
# On the way to the goal the moves that are left go down to zero, one at a time.
# Neither bound ever exceeds them, and the pattern database is never farther from them than Manhattan distance.

# %%
one_thread = tilebase.Solver("5-5-5", table_dir=directory.name, threads=1)
solution = one_thread.solve(boards[0])
assert solution.optimal and len(solution) == lengths[0]
assert solution.moves == one_thread.solve(boards[0]).moves
print(solution)
display(solution)

along = solution.boards()
left = len(solution) - np.arange(len(along))
by_tables, by_manhattan = solver.heuristic(along), tilebase.manhattan(along)
assert (by_manhattan <= by_tables).all() and (by_tables <= left).all()

figure, ax = plt.subplots(figsize=(7, 3.5))
ax.plot(left, color=COLOURS["moves"], label="moves that are left")
ax.plot(by_tables, color=COLOURS["5-5-5"], label="5-5-5")
ax.plot(by_manhattan, color=COLOURS["manhattan"], label="Manhattan distance")
ax.set_xlabel("moves made")
ax.set_ylabel("moves")
ax.set_xlim(0, len(solution))
ax.set_ylim(0, None)
ax.legend(frameon=False)
plt.show()
