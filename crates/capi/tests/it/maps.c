/*
 * Maps tables, and shows what becomes of the handler of SIGBUS.
 *
 *   maps DIRECTORY            whether the library has left the handler alone
 *   maps DIRECTORY TABLE      installs the handler, cuts the table short and uses it: ends with exit code 2
 */

#define _XOPEN_SOURCE 700

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tilebase.h"

static struct sigaction handler(void) {
    struct sigaction now;
    memset(&now, 0, sizeof now);
    sigaction(SIGBUS, NULL, &now);
    return now;
}

int main(int count, char **arguments) {
    tilebase_options options = tilebase_default_options();
    tilebase_solver *solver = NULL;
    tilebase_board board;
    uint32_t moves;
    struct sigaction before = handler();

    if (count < 2)
        return 1;
    options.table_directory = arguments[1];
    options.only_own_tables = 1;
    options.tables = "6-6-3";
    options.map_tables = 1;
    if (tilebase_solver_open(&options, &solver) != TILEBASE_OK
        || tilebase_board_parse("5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15", 0, 0, &board) != TILEBASE_OK
        || tilebase_bound(solver, &board, &moves) != TILEBASE_OK) {
        fprintf(stderr, "%s\n", tilebase_last_error());
        return 1;
    }
    if (handler().sa_handler != before.sa_handler || handler().sa_sigaction != before.sa_sigaction) {
        fprintf(stderr, "the library has installed a handler\n");
        return 1;
    }
    if (count > 2) {
        tilebase_install_truncation_handler();
        if (truncate(arguments[2], 4096) != 0)
            return 1;
        (void)tilebase_bound(solver, &board, &moves);
        fprintf(stderr, "the table was not read\n");
        return 1;
    }
    tilebase_solver_free(solver);
    puts("the handler is the program's own");
    return 0;
}
