/* Does everything wrong that a program can do, and expects a code and words each time; and what is right in between. */
#include "expect.h"

#define NEAR "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"
#define UNSOLVABLE "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0"
/* 80 moves from the goal: nobody solves it within a few nodes. */
#define HARD "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1"

static void boards(void) {
    tilebase_board board, before;
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "text is NULL", tilebase_board_parse(NULL, 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "board is NULL", tilebase_board_parse(NEAR, 0, 0, NULL));
    EXPECT_FAILURE(TILEBASE_BAD_TEXT, "not UTF-8", tilebase_board_parse("1 2 3 \xff", 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "", tilebase_board_parse("", 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "tile 2 appears twice", tilebase_board_parse("1 2 / 2 0", 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "what", tilebase_board_parse("1 2 / what 0", 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "4x4", tilebase_board_parse(NEAR, 3, 3, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "1x4", tilebase_board_parse(NEAR, 1, 4, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "4x0", tilebase_board_parse(NEAR, 4, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "4294967295", tilebase_board_parse(NEAR, UINT32_MAX, UINT32_MAX, &board));
    EXPECT(tilebase_board_parse("1 2 3 4 5 0", 3, 2, &board) == TILEBASE_OK && board.width == 3 && board.height == 2);

    const uint8_t tiles[25] = {1, 2, 3, 0, 5, 6, 7, 8, 4, 9};
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "tiles is NULL", tilebase_board_from_tiles(NULL, 4, 2, 2, &board));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "board is NULL", tilebase_board_from_tiles(tiles, 4, 2, 2, NULL));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "0 tiles", tilebase_board_from_tiles(tiles, 0, 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "0 values", tilebase_board_from_tiles(tiles, 0, 2, 2, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "8 tiles", tilebase_board_from_tiles(tiles, 8, 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "values", tilebase_board_from_tiles(tiles, SIZE_MAX, 2, 2, &board));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "tiles", tilebase_board_from_tiles(tiles, SIZE_MAX, 0, 0, &board));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "tile 9", tilebase_board_from_tiles(tiles + 1, 9, 3, 3, &board));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "two blanks", tilebase_board_from_tiles(tiles + 16, 9, 3, 3, &board));
    EXPECT(tilebase_board_from_tiles(tiles, 4, 0, 0, &board) == TILEBASE_OK && board.tiles[3] == 0);

    /* A struct that nobody has made a board of. */
    memset(&board, 0xff, sizeof board);
    char text[64];
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "255x255", tilebase_board_text(&board, text, sizeof text, NULL));
    memset(&board, 0, sizeof board);
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "0x0", tilebase_board_text(&board, text, sizeof text, NULL));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "0x0", tilebase_board_slide(&board, 'U'));
    board.width = board.height = 4;
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "two blanks", tilebase_board_slide(&board, 'U'));

    board = before = board_of("1 2 / 3 0");
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "board is NULL", tilebase_board_slide(NULL, 'R'));
    EXPECT_FAILURE(TILEBASE_BAD_MOVE, "'x' is not a move", tilebase_board_slide(&board, 'x'));
    EXPECT_FAILURE(TILEBASE_BAD_MOVE, "is not a move", tilebase_board_slide(&board, '\0'));
    EXPECT_FAILURE(TILEBASE_BAD_MOVE, "is not a move", tilebase_board_slide(&board, (char)0xff));
    EXPECT_FAILURE(TILEBASE_BAD_MOVE, "no tile can slide up", tilebase_board_slide(&board, 'U'));
    EXPECT(memcmp(&board, &before, sizeof board) == 0);
    EXPECT(tilebase_board_slide(&board, 'R') == TILEBASE_OK && board.tiles[2] == 0 && board.tiles[3] == 3);

    size_t needed = 0;
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "board is NULL", tilebase_board_text(NULL, text, sizeof text, &needed));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "buffer is NULL", tilebase_board_text(&board, NULL, 1, &needed));
    EXPECT_FAILURE(TILEBASE_SMALL_BUFFER, "room for 10", tilebase_board_text(&board, NULL, 0, &needed));
    EXPECT(needed == sizeof "1 2 / 0 3");
    memset(text, '?', sizeof text);
    EXPECT_FAILURE(TILEBASE_SMALL_BUFFER, "room for 9", tilebase_board_text(&board, text, needed - 1, NULL));
    EXPECT(text[0] == '?');
    EXPECT(tilebase_board_text(&board, text, needed, NULL) == TILEBASE_OK);
    EXPECT(strcmp(text, "1 2 / 0 3") == 0 && text[needed] == '?');
}

static void opening(void) {
    tilebase_options options = tilebase_default_options();
    tilebase_solver *solver = (tilebase_solver *)&options;
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "solver is NULL", tilebase_solver_open(&options, NULL));

#define EXPECT_REFUSED(code, words, member, value)                                 \
    do {                                                                           \
        options = tilebase_default_options();                                      \
        options.only_own_tables = 1;                                               \
        options.member = value;                                                    \
        solver = (tilebase_solver *)&options;                                      \
        EXPECT_FAILURE(code, words, tilebase_solver_open(&options, &solver));      \
        EXPECT(solver == NULL);                                                    \
    } while (0)

    EXPECT_REFUSED(TILEBASE_BAD_ARGUMENT, "struct_size is 0", struct_size, 0);
    EXPECT_REFUSED(TILEBASE_BAD_ARGUMENT, "tilebase_default_options()", struct_size, SIZE_MAX);
    EXPECT_REFUSED(TILEBASE_BAD_SIZE, "4x0", width, 4);
    EXPECT_REFUSED(TILEBASE_BAD_GOAL, "not a goal", goal, "nowhere");
    EXPECT_REFUSED(TILEBASE_BAD_GOAL, "not a goal", goal, "");
    EXPECT_REFUSED(TILEBASE_BAD_TEXT, "options->goal is not UTF-8", goal, "\xc3");
    EXPECT_REFUSED(TILEBASE_BAD_TABLES, "heuristics are", tables, "no-such-tables");
    EXPECT_REFUSED(TILEBASE_BAD_TABLES, "", tables, "");
    EXPECT_REFUSED(TILEBASE_BAD_TABLES, "tilebase generate", tables, "7-8");
    EXPECT_REFUSED(TILEBASE_BAD_TABLES, "may exceed the distance", tables, "blank-aware");
    EXPECT_REFUSED(TILEBASE_BAD_TEXT, "options->tables is not UTF-8", tables, "\xff");
    EXPECT_REFUSED(TILEBASE_BAD_TABLES, "expected a directory", table_directory, "/no/such/directory");
    EXPECT_REFUSED(TILEBASE_BAD_TABLES, "expected a directory", table_directory, "");
    EXPECT_REFUSED(TILEBASE_BAD_TEXT, "options->table_directory is not UTF-8", table_directory, "\xff");
    EXPECT_REFUSED(TILEBASE_BAD_HANDLE, "living cancellation", cancellation, (tilebase_cancellation *)&options);

    options = tilebase_default_options();
    options.width = options.height = 3;
    options.goal = NEAR;
    EXPECT(tilebase_solver_open(&options, &solver) == TILEBASE_BAD_GOAL && solver == NULL);
    EXPECT(tilebase_living_objects() == 0);
}

static int stop_at_once(void *data, const tilebase_progress *progress) {
    EXPECT(progress->nodes > 0 && progress->at_least > 0 && progress->seconds > 0.0);
    *(int *)data += 1;
    return 1;
}

static void searching(void) {
    tilebase_solver *solver = open_solver(4, 4, 2);
    const tilebase_board near = board_of(NEAR), small = board_of("1 2 / 3 0"), unsolvable = board_of(UNSOLVABLE),
                         hard = board_of(HARD), solved = board_of("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0");
    tilebase_board twice = near;
    twice.tiles[0] = twice.tiles[1];
    tilebase_report report;
    tilebase_hint_move hint;
    tilebase_solution *solution;
    uint32_t bound;

    EXPECT(tilebase_check(solver, &near) == TILEBASE_OK);
    EXPECT_FAILURE(TILEBASE_UNSOLVABLE, "exchanges", tilebase_check(solver, &unsolvable));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "2x2", tilebase_check(solver, &small));
    EXPECT_FAILURE(TILEBASE_BAD_BOARD, "appears twice", tilebase_check(solver, &twice));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "board is NULL", tilebase_check(solver, NULL));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "solver is NULL", tilebase_check(NULL, &near));

    EXPECT(tilebase_bound(solver, &near, &bound) == TILEBASE_OK && bound == 9);
    EXPECT_FAILURE(TILEBASE_UNSOLVABLE, "exchanges", tilebase_bound(solver, &unsolvable, &bound));
    EXPECT_FAILURE(TILEBASE_BAD_SIZE, "2x2", tilebase_bound(solver, &small, &bound));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "moves is NULL", tilebase_bound(solver, &near, NULL));
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "board is NULL", tilebase_bound(solver, NULL, &bound));

    typedef tilebase_code search_fn(const tilebase_solver *, const tilebase_board *, const tilebase_limits *,
                                    tilebase_report *, tilebase_solution **);
    search_fn *const searches[] = {tilebase_solve, tilebase_improve};
    for (size_t i = 0; i < 2; i++) {
        search_fn *search = searches[i];
#define EXPECT_NO_SOLUTION(code, words, solver, board, limits)                              \
    do {                                                                                    \
        solution = (tilebase_solution *)&report;                                            \
        EXPECT_FAILURE(code, words, search(solver, board, limits, &report, &solution));     \
        EXPECT(solution == NULL);                                                           \
    } while (0)
        EXPECT_NO_SOLUTION(TILEBASE_NULL_POINTER, "solver is NULL", NULL, &near, NULL);
        EXPECT_NO_SOLUTION(TILEBASE_NULL_POINTER, "board is NULL", solver, NULL, NULL);
        EXPECT_NO_SOLUTION(TILEBASE_BAD_HANDLE, "living solver", (tilebase_solver *)&report, &near, NULL);
        EXPECT_NO_SOLUTION(TILEBASE_BAD_SIZE, "2x2", solver, &small, NULL);
        EXPECT_NO_SOLUTION(TILEBASE_BAD_BOARD, "appears twice", solver, &twice, NULL);
        EXPECT_NO_SOLUTION(TILEBASE_UNSOLVABLE, "exchanges", solver, &unsolvable, NULL);

        tilebase_limits limits;
        memset(&limits, 0, sizeof limits);
        EXPECT_NO_SOLUTION(TILEBASE_BAD_ARGUMENT, "tilebase_no_limits()", solver, &near, &limits);
        memset(&limits, 0xff, sizeof limits);
        EXPECT_NO_SOLUTION(TILEBASE_BAD_ARGUMENT, "tilebase_no_limits()", solver, &near, &limits);
        limits = tilebase_no_limits();
        limits.cancellation = (tilebase_cancellation *)solver;
        EXPECT_NO_SOLUTION(TILEBASE_BAD_HANDLE, "living cancellation", solver, &near, &limits);

        limits = tilebase_no_limits();
        limits.nodes = limits.milliseconds = UINT64_MAX;
        EXPECT(search(solver, &near, &limits, &report, NULL) == TILEBASE_OK);
        EXPECT(report.length == 9 && report.at_least == 9 && report.nodes > 0 && report.seconds > 0.0);
        EXPECT(search(solver, &near, NULL, NULL, NULL) == TILEBASE_OK);
        EXPECT(search(solver, &solved, NULL, &report, NULL) == TILEBASE_OK && report.length == 0);
    }

    tilebase_limits limits = tilebase_no_limits();
    limits.nodes = 1;
    solution = (tilebase_solution *)&report;
    EXPECT_FAILURE(TILEBASE_LIMIT, "nodes", tilebase_solve(solver, &hard, &limits, &report, &solution));
    EXPECT(solution == NULL && report.length == -1 && report.at_least >= 50 && report.nodes > 0);
    EXPECT(tilebase_hint(solver, &hard, &limits, &hint) == TILEBASE_LIMIT);
    limits = tilebase_no_limits();
    limits.milliseconds = 1;
    EXPECT_FAILURE(TILEBASE_LIMIT, "time", tilebase_solve(solver, &hard, &limits, &report, NULL));
    limits = tilebase_no_limits();
    limits.nodes = 2000000;
    EXPECT(tilebase_improve(solver, &hard, &limits, &report, &solution) == TILEBASE_OK);
    EXPECT(report.length >= 80 && report.at_least <= 80 && report.at_least >= 50);
    EXPECT(tilebase_solution_free(solution) == TILEBASE_OK);

    tilebase_cancellation *cancellation;
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "cancellation is NULL", tilebase_cancellation_new(NULL));
    EXPECT(tilebase_cancellation_new(&cancellation) == TILEBASE_OK);
    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "cancellation is NULL", tilebase_cancel(NULL));
    EXPECT_FAILURE(TILEBASE_BAD_HANDLE, "living cancellation", tilebase_cancel((tilebase_cancellation *)solver));
    EXPECT(tilebase_cancel(cancellation) == TILEBASE_OK && tilebase_cancel(cancellation) == TILEBASE_OK);
    limits = tilebase_no_limits();
    limits.cancellation = cancellation;
    EXPECT_FAILURE(TILEBASE_CANCELLED, "cancelled", tilebase_solve(solver, &hard, &limits, &report, &solution));
    EXPECT(solution == NULL && report.length == -1);
    EXPECT(tilebase_improve(solver, &hard, &limits, &report, &solution) == TILEBASE_CANCELLED && solution == NULL);
    EXPECT(tilebase_hint(solver, &hard, &limits, &hint) == TILEBASE_CANCELLED);
    EXPECT(tilebase_cancellation_free(cancellation) == TILEBASE_OK);
    EXPECT_FAILURE(TILEBASE_BAD_HANDLE, "has been freed", tilebase_cancel(cancellation));
    EXPECT(tilebase_solve(solver, &near, &limits, &report, NULL) == TILEBASE_BAD_HANDLE);
    EXPECT(tilebase_cancellation_free(cancellation) == TILEBASE_BAD_HANDLE);

    int calls = 0;
    limits = tilebase_no_limits();
    limits.progress = stop_at_once;
    limits.data = &calls;
    EXPECT(tilebase_solve(solver, &hard, &limits, &report, NULL) == TILEBASE_CANCELLED && calls == 1);

    EXPECT_FAILURE(TILEBASE_NULL_POINTER, "hint is NULL", tilebase_hint(solver, &near, NULL, NULL));
    EXPECT(tilebase_hint(solver, NULL, NULL, &hint) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_hint(NULL, &near, NULL, &hint) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_hint(solver, &unsolvable, NULL, &hint) == TILEBASE_UNSOLVABLE);
    EXPECT(tilebase_hint(solver, &small, NULL, &hint) == TILEBASE_BAD_SIZE);
    EXPECT(tilebase_hint(solver, &near, NULL, &hint) == TILEBASE_OK);
    EXPECT(hint.letter == 'D' && hint.tile == 13 && hint.moves_left == 9);
    EXPECT(tilebase_hint(solver, &solved, NULL, &hint) == TILEBASE_OK);
    EXPECT(hint.letter == 0 && hint.tile == 0 && hint.moves_left == 0);

    char name[16];
    size_t needed;
    EXPECT(tilebase_solver_tables(solver, NULL, 0, &needed) == TILEBASE_SMALL_BUFFER && needed == sizeof "6-6-3");
    EXPECT(tilebase_solver_tables(solver, NULL, 7, NULL) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_solver_tables(NULL, name, sizeof name, NULL) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_solver_tables(solver, name, sizeof name, NULL) == TILEBASE_OK && strcmp(name, "6-6-3") == 0);
    EXPECT(tilebase_solver_free(solver) == TILEBASE_OK);
    EXPECT(tilebase_living_objects() == 0);
}

static void solutions(void) {
    tilebase_solver *solver = open_solver(4, 4, 1);
    const tilebase_board near = board_of(NEAR), solved = board_of("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0");
    tilebase_solution *solution, *none;
    EXPECT(tilebase_solve(solver, &near, NULL, NULL, &solution) == TILEBASE_OK);
    EXPECT(tilebase_solve(solver, &solved, NULL, NULL, &none) == TILEBASE_OK);

    char moves[16];
    uint8_t tiles[16];
    size_t needed = 0;
    EXPECT(tilebase_solution_moves(NULL, moves, sizeof moves, NULL) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_solution_moves(solution, NULL, 16, NULL) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_solution_moves((tilebase_solution *)solver, moves, 16, NULL) == TILEBASE_BAD_HANDLE);
    EXPECT(tilebase_solution_moves(solution, NULL, 0, &needed) == TILEBASE_SMALL_BUFFER && needed == 10);
    EXPECT(tilebase_solution_moves(solution, moves, 9, NULL) == TILEBASE_SMALL_BUFFER);
    EXPECT(tilebase_solution_moves(solution, moves, 10, NULL) == TILEBASE_OK && strcmp(moves, "DDDLLUUUL") == 0);
    EXPECT(tilebase_solution_moves(none, moves, 1, &needed) == TILEBASE_OK && moves[0] == '\0' && needed == 1);

    const uint8_t expected[] = {13, 9, 5, 1, 2, 3, 7, 11, 15};
    EXPECT(tilebase_solution_tiles(NULL, tiles, sizeof tiles, NULL) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_solution_tiles(solution, NULL, 9, NULL) == TILEBASE_NULL_POINTER);
    EXPECT(tilebase_solution_tiles(solution, NULL, 0, &needed) == TILEBASE_SMALL_BUFFER && needed == 9);
    EXPECT(tilebase_solution_tiles(solution, tiles, 8, NULL) == TILEBASE_SMALL_BUFFER);
    EXPECT(tilebase_solution_tiles(solution, tiles, 9, NULL) == TILEBASE_OK && memcmp(tiles, expected, 9) == 0);
    EXPECT(tilebase_solution_tiles(none, NULL, 0, &needed) == TILEBASE_OK && needed == 0);

    /* A solution does not need its solver. What was freed is freed, whatever has been made since. */
    EXPECT(tilebase_solver_free(solver) == TILEBASE_OK);
    tilebase_solver *other = open_solver(2, 2, 1);
    tilebase_report report;
    EXPECT(tilebase_solution_moves(solution, moves, sizeof moves, NULL) == TILEBASE_OK);
    EXPECT_FAILURE(TILEBASE_BAD_HANDLE, "has been freed", tilebase_solver_free(solver));
    EXPECT_FAILURE(TILEBASE_BAD_HANDLE, "has been freed", tilebase_solve(solver, &near, NULL, &report, NULL));
    EXPECT_FAILURE(TILEBASE_BAD_HANDLE, "living solution", tilebase_solution_free((tilebase_solution *)other));
    EXPECT_FAILURE(TILEBASE_BAD_HANDLE, "living solver", tilebase_solver_free((tilebase_solver *)moves));
    EXPECT(tilebase_solution_free(solution) == TILEBASE_OK && tilebase_solution_free(none) == TILEBASE_OK);
    EXPECT(tilebase_solution_free(solution) == TILEBASE_BAD_HANDLE);
    EXPECT(tilebase_solution_moves(solution, moves, sizeof moves, NULL) == TILEBASE_BAD_HANDLE);
    EXPECT(tilebase_solver_free(other) == TILEBASE_OK);
    EXPECT(tilebase_solver_free(NULL) == TILEBASE_OK && tilebase_solution_free(NULL) == TILEBASE_OK &&
           tilebase_cancellation_free(NULL) == TILEBASE_OK);
    EXPECT(tilebase_living_objects() == 0);
}

int main(void) {
    EXPECT(tilebase_last_error()[0] == '\0');
    EXPECT(tilebase_living_objects() == 0);
    EXPECT(strcmp(tilebase_version(), VERSION) == 0);
    /* Once is enough, twice is harmless. */
    tilebase_install_truncation_handler();
    tilebase_install_truncation_handler();
    boards();
    opening();
    searching();
    solutions();
    puts("everything was refused as it should be");
    return 0;
}
