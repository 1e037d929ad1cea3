/*
 * tilebase: provably shortest solutions of sliding-tile puzzles, hints and lower bounds.
 *
 * Every function returns a tilebase_code, but for the few that cannot fail. tilebase_last_error() has the reason in words.
 *
 * Solvers, solutions and cancellations are handles: they are looked up, never read through. One that was freed, freed twice, or never
 * came from tilebase is refused with TILEBASE_BAD_HANDLE. All other pointers must point to what their types say for as long as the
 * call lasts; NULL is refused with TILEBASE_NULL_POINTER where it is not allowed, an address that is not aligned with
 * TILEBASE_BAD_ARGUMENT. Texts are UTF-8 and end with a zero.
 *
 * Any function may be called by any thread at any time, also while others use the same handles.
 *
 * This file is made by cbindgen. crates/capi/README.md teaches how to use it.
 */

#ifndef TILEBASE_H
#define TILEBASE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * The most squares that a board has.
 */
#define TILEBASE_MAX_SQUARES 25

/**
 * What a function returns. tilebase_last_error() has the reason in words for each but TILEBASE_OK.
 */
typedef enum {
    /**
     * Done.
     */
    TILEBASE_OK = 0,
    /**
     * The board cannot be solved: no sequence of moves leads from it to the goal.
     */
    TILEBASE_UNSOLVABLE = 1,
    /**
     * A limit was reached before there was an answer.
     */
    TILEBASE_LIMIT = 2,
    /**
     * It was cancelled, by tilebase_cancel() or by the progress function.
     */
    TILEBASE_CANCELLED = 3,
    /**
     * A pointer is NULL that must not be.
     */
    TILEBASE_NULL_POINTER = 4,
    /**
     * A handle is not that of a living object of its type: it has been freed, or never came from this library.
     */
    TILEBASE_BAD_HANDLE = 5,
    /**
     * A text is not UTF-8.
     */
    TILEBASE_BAD_TEXT = 6,
    /**
     * Something is not a board: a tile is missing, appears twice, or is not a tile.
     */
    TILEBASE_BAD_BOARD = 7,
    /**
     * A size that boards cannot have, or a board of another size than those of the solver.
     */
    TILEBASE_BAD_SIZE = 8,
    /**
     * Something is not a goal.
     */
    TILEBASE_BAD_GOAL = 9,
    /**
     * Something is not a move, or no tile can slide that way.
     */
    TILEBASE_BAD_MOVE = 10,
    /**
     * Another argument, or a member of a struct, is not what the function takes.
     */
    TILEBASE_BAD_ARGUMENT = 11,
    /**
     * There are no tables of that name, or they are damaged, or cannot be read or built.
     */
    TILEBASE_BAD_TABLES = 12,
    /**
     * The caller's buffer is too small. Nothing was written to it; `*needed` says how much is.
     */
    TILEBASE_SMALL_BUFFER = 13,
    /**
     * A mistake in tilebase, or the system has no more threads.
     */
    TILEBASE_INTERNAL = 14,
} tilebase_code;

/**
 * A way to cancel work from another thread. It is put into tilebase_limits or tilebase_options; tilebase_cancel() then ends every call
 * that was given it, and those that are given it later. For other work make another one.
 */
typedef struct tilebase_cancellation tilebase_cancellation;

/**
 * The moves that solve a board.
 */
typedef struct tilebase_solution tilebase_solution;

/**
 * Solves boards of one size with one goal, by certain tables. Any number of threads may use it at once.
 */
typedef struct tilebase_solver tilebase_solver;

/**
 * A board: width × height squares, row after row from the top left, each with the number of its tile; 0 is the blank.
 *
 * It may be made by hand, from a text by tilebase_board_parse(), or from an array by tilebase_board_from_tiles(). Every function
 * that takes a board checks it.
 */
typedef struct {
    /**
     * Number of columns, at least 2.
     */
    uint8_t width;
    /**
     * Number of rows, at least 2.
     */
    uint8_t height;
    /**
     * The tiles. Those behind the first width × height mean nothing.
     */
    uint8_t tiles[TILEBASE_MAX_SQUARES];
} tilebase_board;

/**
 * What a solver is opened with. Begin with tilebase_default_options(): every member that is 0 or NULL means the default.
 */
typedef struct {
    /**
     * sizeof(tilebase_options), which tilebase_default_options() puts here.
     */
    size_t struct_size;
    /**
     * Number of columns of the boards. When width and height are both 0 they are those of the goal, if it is a board, or else 4 and 4.
     */
    uint32_t width;
    /**
     * Number of rows of the boards.
     */
    uint32_t height;
    /**
     * The goal: "blank-last" (the default), "blank-first", "snail", or a board in any notation.
     */
    const char *goal;
    /**
     * Where lower bounds come from: "auto" (the default), the strongest tables that are there and fit into memory; tables by name, such
     * as "6-6-3" or "7-8"; heuristics by name, such as "walking-distance"; several with '+' between them; or "none".
     */
    const char *tables;
    /**
     * A directory with tables, looked into before the others.
     */
    const char *table_directory;
    /**
     * Not 0: only table_directory, if it is given, and the tables in the library itself are used, and no other file is touched.
     * Otherwise tables are also looked for in the directory that the environment variable TILEBASE_TABLES names, and in the user's
     * cache directory, where the command tilebase puts them.
     */
    int only_own_tables;
    /**
     * Not 0: files of tables are mapped into memory instead of being read: ready at once, and shared with other processes. You promise that
     * nothing changes these files in place or cuts one short while the solver lives; replacing a file by renaming another one is harmless.
     * If a mapped file is cut short, the system kills the process with the signal SIGBUS, unless you have called
     * tilebase_install_truncation_handler(). 0, the default, reads files into memory of the process: no change to a file can end it.
     */
    int map_tables;
    /**
     * How many threads may work on one call. 0: one for each core.
     */
    uint32_t threads;
    /**
     * Bytes of memory that tables chosen by "auto", and searches of tilebase_improve(), may take. 0: what the machine has free.
     */
    uint64_t memory;
    /**
     * Lets another thread cancel the opening. NULL: nobody can.
     */
    const tilebase_cancellation *cancellation;
} tilebase_options;

/**
 * How a search gets on.
 */
typedef struct {
    /**
     * Solutions of this many moves are being searched for; there is no shorter one.
     */
    uint32_t at_least;
    /**
     * Nodes generated so far.
     */
    uint64_t nodes;
    /**
     * Time since the start.
     */
    double seconds;
} tilebase_progress;

/**
 * Is told about ten times a second how a search gets on. It returns 0 to go on, or anything else to cancel the search.
 *
 * It is called by any thread, one call at a time, and never after the call that it was given to has returned. It may call other
 * functions of tilebase. It has to return: no exception, and no longjmp.
 */
typedef int (*tilebase_progress_fn)(void *data, const tilebase_progress *progress);

/**
 * When a search gives up. Begin with tilebase_no_limits(): every member that is 0 or NULL is no limit.
 */
typedef struct {
    /**
     * sizeof(tilebase_limits), which tilebase_no_limits() puts here.
     */
    size_t struct_size;
    /**
     * Give up after this many generated nodes.
     */
    uint64_t nodes;
    /**
     * Give up after this time.
     */
    uint64_t milliseconds;
    /**
     * Lets another thread cancel the search.
     */
    const tilebase_cancellation *cancellation;
    /**
     * Is told how the search gets on, and may cancel it.
     */
    tilebase_progress_fn progress;
    /**
     * What the progress function gets as its first argument.
     */
    void *data;
} tilebase_limits;

/**
 * What a search found, and what it cost. It is written when TILEBASE_OK, TILEBASE_LIMIT or TILEBASE_CANCELLED is returned.
 */
typedef struct {
    /**
     * Moves of the solution; -1 when none was found.
     */
    int32_t length;
    /**
     * Every solution has at least this many moves: proven. A solution of this length is a shortest one.
     */
    uint32_t at_least;
    /**
     * Nodes generated.
     */
    uint64_t nodes;
    /**
     * Time from start to end.
     */
    double seconds;
} tilebase_report;

/**
 * The next move.
 */
typedef struct {
    /**
     * The direction in which a tile is to slide: 'U' up, 'L' left, 'R' right, 'D' down; 0 when the board is solved.
     */
    char letter;
    /**
     * The number of the tile; 0 when the board is solved.
     */
    uint8_t tile;
    /**
     * Moves of a shortest solution, this one included.
     */
    uint32_t moves_left;
} tilebase_hint_move;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Why the last call on this thread that did not return TILEBASE_OK did not: what was expected, what was found, and what to do.
 * Empty when there was none; calls that return TILEBASE_OK leave it as it is.
 *
 * It is UTF-8, never NULL, and not to be freed. The pointer is valid as long as the thread lives; the next failure on this thread
 * puts its own text there.
 */
const char *tilebase_last_error(void);

/**
 * Reads a board in any notation: rows separated by '/', line ends or brackets, or one list; tiles separated by spaces or commas; the
 * blank as 0, '_', '.' or 'x'; JSON; what the command writes and draws.
 *
 * width and height may both be 0: then rows say how wide the board is, and one list without rows is a square.
 *
 * Returns TILEBASE_BAD_BOARD for what is not a board, or none of that size; TILEBASE_BAD_SIZE for a size that boards cannot have;
 * TILEBASE_BAD_TEXT, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_board_parse(const char *text,
                                   uint32_t width,
                                   uint32_t height,
                                   tilebase_board *board);

/**
 * Makes a board from an array of `count` tiles, row after row; 0 is the blank. width and height may both be 0 for a square.
 *
 * Returns TILEBASE_BAD_SIZE when count is not width × height, or boards cannot have that size; TILEBASE_BAD_BOARD for what is not a
 * board; TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_board_from_tiles(const uint8_t *tiles,
                                        size_t count,
                                        uint32_t width,
                                        uint32_t height,
                                        tilebase_board *board);

/**
 * Writes a board as a text such as "1 2 3 / 4 5 6 / 7 8 0", with a zero at its end.
 *
 * `buffer` has room for `capacity` bytes, and may be NULL when that is 0. `*needed` becomes the number of bytes that are needed,
 * the zero included; needed may be NULL.
 *
 * Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_BOARD, TILEBASE_BAD_SIZE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_board_text(const tilebase_board *board,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *needed);

/**
 * Makes a move on a board. The letter is the direction in which the tile slides: 'U' up, 'L' left, 'R' right, 'D' down.
 *
 * Returns TILEBASE_BAD_MOVE, and leaves the board as it was, when the letter is another one or no tile can slide that way;
 * TILEBASE_BAD_BOARD, TILEBASE_BAD_SIZE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_board_slide(tilebase_board *board,
                                   char letter);

/**
 * Opens a solver, to be freed by tilebase_solver_free(). options may be NULL: then it is for 4×4 boards, by the strongest tables that
 * are there. `*solver` is NULL unless TILEBASE_OK is returned.
 *
 * It takes from a millisecond to about a second, and longer where large tables are read, or packed ones are unpacked.
 *
 * Returns TILEBASE_BAD_SIZE, TILEBASE_BAD_GOAL, TILEBASE_BAD_TABLES, TILEBASE_BAD_TEXT or TILEBASE_BAD_ARGUMENT for options that
 * cannot be; TILEBASE_CANCELLED, TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_solver_open(const tilebase_options *options,
                                   tilebase_solver **solver);

/**
 * Frees a solver. Calls that are using it end as they would have; then its memory is given back. NULL is left alone.
 *
 * Returns TILEBASE_BAD_HANDLE, when it was freed before for instance.
 */
tilebase_code tilebase_solver_free(tilebase_solver *solver);

/**
 * Writes the name of the solver's tables, such as "6-6-3", with a zero at its end.
 *
 * `buffer` has room for `capacity` bytes, and may be NULL when that is 0. `*needed` becomes the number of bytes that are needed,
 * the zero included; needed may be NULL.
 *
 * Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_solver_tables(const tilebase_solver *solver,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *needed);

/**
 * Says whether a board can be solved: TILEBASE_OK if so, TILEBASE_UNSOLVABLE if not, with the reason as the last error.
 *
 * Returns TILEBASE_BAD_SIZE when the board is of another size than the solver's boards; TILEBASE_BAD_BOARD, TILEBASE_BAD_HANDLE,
 * TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_check(const tilebase_solver *solver,
                             const tilebase_board *board);

/**
 * The lower bound of a board: every solution has at least `*moves` moves. It takes microseconds, because nothing is searched.
 *
 * Returns TILEBASE_UNSOLVABLE when there is no solution; TILEBASE_BAD_SIZE, TILEBASE_BAD_BOARD, TILEBASE_BAD_TABLES,
 * TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_bound(const tilebase_solver *solver,
                             const tilebase_board *board,
                             uint32_t *moves);

/**
 * Finds a shortest solution of a board. No solution is shorter.
 *
 * limits may be NULL: then it takes as long as it takes, which is milliseconds for most 4×4 boards and hours for most 5×5 boards.
 * report may be NULL, and so may solution, when nobody wants them. `*solution` is to be freed by tilebase_solution_free(); it is NULL
 * unless TILEBASE_OK is returned.
 *
 * Returns TILEBASE_UNSOLVABLE when there is no solution; TILEBASE_LIMIT, TILEBASE_CANCELLED when it gave up, with what is proven in
 * the report; TILEBASE_BAD_SIZE when the board is of another size than the solver's boards; TILEBASE_BAD_BOARD,
 * TILEBASE_BAD_TABLES, TILEBASE_BAD_ARGUMENT, TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_solve(const tilebase_solver *solver,
                             const tilebase_board *board,
                             const tilebase_limits *limits,
                             tilebase_report *report,
                             tilebase_solution **solution);

/**
 * Finds the best solution of a board within the limits: a good one at once, better ones as time goes on. It ends when the best is
 * proven to be shortest, or at a limit. For boards that take too long for tilebase_solve(), such as most 5×5 boards. Everything
 * else is as for tilebase_solve().
 *
 * Returns TILEBASE_OK when there is a solution; it is a shortest one if the report's length is its at_least. TILEBASE_LIMIT when no
 * solution was found within the limits. For the rest see tilebase_solve().
 */
tilebase_code tilebase_improve(const tilebase_solver *solver,
                               const tilebase_board *board,
                               const tilebase_limits *limits,
                               tilebase_report *report,
                               tilebase_solution **solution);

/**
 * The next move: the first one of a shortest solution. Who follows every hint solves the board by the fewest moves. Where a shortest
 * solution takes too long, as on most 5×5 boards, follow a solution of tilebase_improve() instead: hints of different solutions may
 * lead to and fro.
 *
 * limits may be NULL.
 *
 * Returns what tilebase_solve() returns.
 */
tilebase_code tilebase_hint(const tilebase_solver *solver,
                            const tilebase_board *board,
                            const tilebase_limits *limits,
                            tilebase_hint_move *hint);

/**
 * Writes the moves, a letter for each, with a zero at the end, such as "DDDLLUUUL": the directions in which tiles slide, up, left,
 * right or down.
 *
 * `buffer` has room for `capacity` bytes, and may be NULL when that is 0. `*needed` becomes the number of bytes that are needed: one
 * more than there are moves, for the zero; needed may be NULL.
 *
 * Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_solution_moves(const tilebase_solution *solution,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Writes the numbers of the tiles that slide, in their order.
 *
 * `buffer` has room for `capacity` numbers, and may be NULL when that is 0. `*needed` becomes the number of moves; needed may be NULL.
 *
 * Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_solution_tiles(const tilebase_solution *solution,
                                      uint8_t *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Frees a solution. NULL is left alone.
 *
 * Returns TILEBASE_BAD_HANDLE, when it was freed before for instance.
 */
tilebase_code tilebase_solution_free(tilebase_solution *solution);

/**
 * Makes a cancellation, to be freed by tilebase_cancellation_free(). `*cancellation` is NULL unless TILEBASE_OK is returned.
 *
 * Returns TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_cancellation_new(tilebase_cancellation **cancellation);

/**
 * Cancels: every call that was given the cancellation ends soon, and returns TILEBASE_CANCELLED. Any thread may call it, also from the
 * progress function. It takes a lock for a moment, so it is not for handlers of signals.
 *
 * Returns TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
 */
tilebase_code tilebase_cancel(const tilebase_cancellation *cancellation);

/**
 * Frees a cancellation. Calls that were given it go on, and cannot be cancelled by it any more. NULL is left alone.
 *
 * Returns TILEBASE_BAD_HANDLE, when it was freed before for instance.
 */
tilebase_code tilebase_cancellation_free(tilebase_cancellation *cancellation);

/**
 * The version of the library, such as "0.2.0". It is never NULL, valid for ever, and not to be freed.
 */
const char *tilebase_version(void);

/**
 * How many objects of all types there are in the process: solvers, solutions and cancellations that have not been freed. A program that
 * frees everything ends with 0; a leak checker sees nothing of what is left.
 */
size_t tilebase_living_objects(void);

/**
 * Makes the process report tables that are cut short while they are mapped (map_tables): reading the lost part writes an error with the
 * file's name to stderr and ends the process with exit code 2, instead of the signal SIGBUS.
 *
 * It installs a handler of SIGBUS for the whole process, which passes other faults on to the handler that was installed before. The library
 * never does that unasked. Call it once, after you have installed handlers of your own; later calls do nothing, nor do calls on
 * Windows, where a mapped file cannot be cut short.
 */
void tilebase_install_truncation_handler(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/** Options that say nothing: change those that matter, and give them to tilebase_solver_open(). */
static inline tilebase_options tilebase_default_options(void) {
    tilebase_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/** No limits: change those that matter, and give them to tilebase_solve(), tilebase_improve() or tilebase_hint(). */
static inline tilebase_limits tilebase_no_limits(void) {
    tilebase_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.struct_size = sizeof limits;
    return limits;
}

#endif /* TILEBASE_H */
