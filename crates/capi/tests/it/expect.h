/* For the programs that test the library: what is not as expected ends them with its line. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilebase.h"

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: expected %s; last error: %s\n", __FILE__, __LINE__, #condition, \
                    tilebase_last_error());                                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* A call that fails with a code, and with words that have these in them. */
#define EXPECT_FAILURE(code, words, call)                       \
    do {                                                        \
        EXPECT((call) == (code));                               \
        EXPECT(strstr(tilebase_last_error(), (words)) != NULL); \
    } while (0)

static inline tilebase_board board_of(const char *text) {
    tilebase_board board;
    EXPECT(tilebase_board_parse(text, 0, 0, &board) == TILEBASE_OK);
    return board;
}

/* A solver that looks for no files. */
static inline tilebase_solver *open_solver(uint32_t width, uint32_t height, uint32_t threads) {
    tilebase_options options = tilebase_default_options();
    options.width = width;
    options.height = height;
    options.threads = threads;
    options.only_own_tables = 1;
    tilebase_solver *solver;
    EXPECT(tilebase_solver_open(&options, &solver) == TILEBASE_OK);
    return solver;
}

#endif
