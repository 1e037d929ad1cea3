/*
 * Says what is known of a board, and how to solve it:
 *
 *     hint "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"
 */
#include <stdio.h>
#include <stdlib.h>

#include "tilebase.h"

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, tilebase_last_error());
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const char *text = argc > 1 ? argv[1] : "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";
    int status = EXIT_FAILURE;
    tilebase_solver *solver = NULL;
    tilebase_solution *solution = NULL;
    char *moves = NULL;

    tilebase_board board;
    if (tilebase_board_parse(text, 0, 0, &board) != TILEBASE_OK)
        return failed("the board cannot be read");

    /* A game ships what it needs: nobody else's tables are looked for. */
    tilebase_options options = tilebase_default_options();
    options.width = board.width;
    options.height = board.height;
    options.only_own_tables = 1;
    if (tilebase_solver_open(&options, &solver) != TILEBASE_OK)
        return failed("no solver can be opened");

    /* Nobody waits longer than ten seconds for a hint. */
    tilebase_limits limits = tilebase_no_limits();
    limits.milliseconds = 10000;

    uint32_t bound;
    if (tilebase_bound(solver, &board, &bound) != TILEBASE_OK) {
        failed("the board has no solution");
        goto end;
    }
    tilebase_hint_move hint;
    if (tilebase_hint(solver, &board, &limits, &hint) != TILEBASE_OK) {
        failed("there is no hint");
        goto end;
    }
    tilebase_report report;
    if (tilebase_solve(solver, &board, &limits, &report, &solution) != TILEBASE_OK) {
        failed("there is no solution");
        goto end;
    }
    size_t needed = (size_t)report.length + 1;
    moves = malloc(needed);
    if (moves == NULL || tilebase_solution_moves(solution, moves, needed, NULL) != TILEBASE_OK) {
        failed("the moves cannot be had");
        goto end;
    }

    if (hint.moves_left == 0)
        printf("the board is solved\n");
    else
        printf("slide tile %d (%c): %u moves left, at least %u were certain before\n", hint.tile, hint.letter,
               (unsigned)hint.moves_left, (unsigned)bound);
    printf("all moves: %s (%llu nodes)\n", moves, (unsigned long long)report.nodes);
    status = EXIT_SUCCESS;

end:
    free(moves);
    tilebase_solution_free(solution);
    tilebase_solver_free(solver);
    return status;
}
