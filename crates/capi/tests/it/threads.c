/* One solver, many threads: all solve, one is cancelled, and the handles are freed while others use them. */
#include <pthread.h>
#include <stdatomic.h>

#include "expect.h"

#define THREADS 8
#define ROUNDS 12
#define HARD "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1"

static const struct {
    const char *text;
    int32_t length;
} BOARDS[] = {
    {"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15", 9},
    {"1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0", 0},
    {"1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15", 1},
    {"2 3 4 8 / 1 6 0 12 / 5 10 7 11 / 9 13 14 15", 13},
    {"5 2 9 7 / 10 1 4 3 / 0 14 15 8 / 13 12 6 11", 36},
};
#define COUNT (sizeof BOARDS / sizeof BOARDS[0])

static tilebase_solver *solver;
static tilebase_cancellation *cancellation;
static atomic_int searching;

/* Solves boards, and gets words of its own for its own mistakes. */
static void *solve(void *data) {
    const size_t number = *(const size_t *)data;
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t which = (number + round) % COUNT;
        tilebase_board board = board_of(BOARDS[which].text);
        tilebase_report report;
        tilebase_solution *solution;
        EXPECT(tilebase_solve(solver, &board, NULL, &report, &solution) == TILEBASE_OK);
        EXPECT(report.length == BOARDS[which].length);
        char moves[64], text[64], wrong[16];
        EXPECT(tilebase_solution_moves(solution, moves, sizeof moves, NULL) == TILEBASE_OK);
        for (const char *move = moves; *move != '\0'; move++)
            EXPECT(tilebase_board_slide(&board, *move) == TILEBASE_OK);
        EXPECT(tilebase_board_text(&board, text, sizeof text, NULL) == TILEBASE_OK);
        EXPECT(strcmp(text, BOARDS[1].text) == 0);
        EXPECT(tilebase_solution_free(solution) == TILEBASE_OK);
        snprintf(wrong, sizeof wrong, "thread%u", (unsigned)number);
        EXPECT_FAILURE(TILEBASE_BAD_BOARD, wrong, tilebase_board_parse(wrong, 0, 0, &board));
    }
    return NULL;
}

/* Tells that it has begun, and goes on. */
static int tell(void *data, const tilebase_progress *progress) {
    (void)data;
    (void)progress;
    atomic_fetch_add(&searching, 1);
    return 0;
}

/* A search that takes minutes, unless it is cancelled. */
static void *search_long(void *data) {
    (void)data;
    const tilebase_board board = board_of(HARD);
    tilebase_limits limits = tilebase_no_limits();
    limits.cancellation = cancellation;
    limits.progress = tell;
    tilebase_report report;
    EXPECT_FAILURE(TILEBASE_CANCELLED, "cancelled", tilebase_solve(solver, &board, &limits, &report, NULL));
    EXPECT(report.length == -1 && report.nodes > 0);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS], long_one;
    size_t numbers[THREADS];
    /* By a weak heuristic, so that the hard board is searched for as long as it takes to be cancelled. */
    tilebase_options options = tilebase_default_options();
    options.tables = "linear-conflict";
    options.only_own_tables = 1;
    options.threads = 2;
    EXPECT(tilebase_solver_open(&options, &solver) == TILEBASE_OK);
    EXPECT(tilebase_cancellation_new(&cancellation) == TILEBASE_OK);

    EXPECT(pthread_create(&long_one, NULL, search_long, NULL) == 0);
    for (size_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        EXPECT(pthread_create(&threads[i], NULL, solve, &numbers[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        EXPECT(pthread_join(threads[i], NULL) == 0);

    /* The long search goes on with a solver whose handle is freed, until it is cancelled. */
    while (atomic_load(&searching) == 0)
        sched_yield();
    EXPECT(tilebase_solver_free(solver) == TILEBASE_OK);
    const int before = atomic_load(&searching);
    while (atomic_load(&searching) == before)
        sched_yield();
    EXPECT(tilebase_cancel(cancellation) == TILEBASE_OK);
    EXPECT(tilebase_cancellation_free(cancellation) == TILEBASE_OK);
    EXPECT(pthread_join(long_one, NULL) == 0);
    EXPECT(tilebase_solver_free(solver) == TILEBASE_BAD_HANDLE);
    EXPECT(tilebase_living_objects() == 0);
    puts("all threads agree");
    return 0;
}
