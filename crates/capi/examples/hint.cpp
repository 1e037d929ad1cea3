// Plays a board to its end by hints, each found on a thread of its own, as a game would:
//
//     hint "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"

#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "tilebase.h"

namespace tilebase {

/// A call that failed. Its code tells why, and what() says it in words.
class Error : public std::runtime_error {
public:
    explicit Error(tilebase_code found) : std::runtime_error(tilebase_last_error()), code(found) {}
    const tilebase_code code;
};

/// Throws what a call returned, unless it is TILEBASE_OK. On the thread that made the call, which has the words.
inline void check(tilebase_code code) {
    if (code != TILEBASE_OK) throw Error(code);
}

struct Free {
    void operator()(tilebase_solver *solver) const noexcept { tilebase_solver_free(solver); }
    void operator()(tilebase_solution *solution) const noexcept { tilebase_solution_free(solution); }
};

inline tilebase_board parse(const std::string &text) {
    tilebase_board board;
    check(tilebase_board_parse(text.c_str(), 0, 0, &board));
    return board;
}

/// A solver that frees itself. Any number of threads may use it at once.
class Solver {
public:
    explicit Solver(const tilebase_options &options) {
        tilebase_solver *opened = nullptr;
        check(tilebase_solver_open(&options, &opened));
        solver.reset(opened);
    }

    tilebase_hint_move hint(const tilebase_board &board, const tilebase_limits &limits) const {
        tilebase_hint_move hint;
        check(tilebase_hint(solver.get(), &board, &limits, &hint));
        return hint;
    }

    std::string solve(const tilebase_board &board, const tilebase_limits &limits) const {
        tilebase_report report;
        tilebase_solution *found = nullptr;
        check(tilebase_solve(solver.get(), &board, &limits, &report, &found));
        const std::unique_ptr<tilebase_solution, Free> solution(found);
        std::string moves(static_cast<std::size_t>(report.length), '\0');
        // A string has room for the zero behind its end.
        check(tilebase_solution_moves(solution.get(), &moves[0], moves.size() + 1, nullptr));
        return moves;
    }

private:
    std::unique_ptr<tilebase_solver, Free> solver;
};

}  // namespace tilebase

int main(int argc, char **argv) {
    try {
        tilebase_board board = tilebase::parse(argc > 1 ? argv[1] : "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15");
        tilebase_options options = tilebase_default_options();
        options.width = board.width;
        options.height = board.height;
        options.only_own_tables = 1;
        const tilebase::Solver solver(options);
        tilebase_limits limits = tilebase_no_limits();
        limits.milliseconds = 10000;

        std::cout << "to be played: " << solver.solve(board, limits) << '\n';
        for (;;) {
            // The game goes on drawing meanwhile.
            auto thinking = std::async(std::launch::async, [&] { return solver.hint(board, limits); });
            const tilebase_hint_move hint = thinking.get();
            if (hint.moves_left == 0) break;
            tilebase::check(tilebase_board_slide(&board, hint.letter));
            std::cout << "tile " << int{hint.tile} << " slides " << hint.letter << '\n';
        }
        std::cout << "solved\n";
        return EXIT_SUCCESS;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
