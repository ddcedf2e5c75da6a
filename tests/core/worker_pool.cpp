#include "engine/core/worker_pool.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Every piece of every job is done once, and everything written is seen by the caller.
void check_jobs(WorkerPool& pool, int jobs, int most_pieces) {
    std::vector<int> done(static_cast<std::size_t>(most_pieces)); // plain ints: a race shows
    bool right = true;
    for (int job = 0; job < jobs; ++job) {
        const int pieces = job * 7 % (most_pieces + 1);
        std::fill(done.begin(), done.end(), 0);
        pool.parallel_for(pieces, [&](int piece) { done[static_cast<std::size_t>(piece)] += 1 + job; });
        for (int piece = 0; piece < most_pieces; ++piece)
            right &= done[static_cast<std::size_t>(piece)] == (piece < pieces ? 1 + job : 0);
    }
    CHECK(right);
}

} // namespace

TEST(pool_does_every_piece_once) {
    for (int threads = 1; threads <= 8; ++threads) {
        const Row row(fmt::format("{} threads", threads));
        WorkerPool pool(threads);
        CHECK_EQUAL(pool.threads(), threads);
        check_jobs(pool, 300, 67);
    }
}

TEST(pool_wakes_sleeping_workers) {
    for (const int threads : {2, 3, 8}) {
        const Row row(fmt::format("{} threads", threads));
        WorkerPool pool(threads);
        for (int round = 0; round < 10; ++round) {
            check_jobs(pool, 5, 9);
            std::this_thread::sleep_for(std::chrono::microseconds(round % 2 ? 300 : 40)); // asleep, or about to be
        }
    }
}

TEST(pool_starts_and_ends_at_any_time) {
    for (int i = 0; i < 40; ++i) {
        WorkerPool pool(1 + i % 8);
        if (i % 3 != 0) check_jobs(pool, i % 5, 4);
    }
    CHECK(true);
}

TEST(pool_refuses_absurd_sizes) {
    for (const int threads : {0, -1, 257, 1 << 30})
        CHECK_THROWS(WorkerPool(threads), ArgumentError, "1 to 256", std::to_string(threads));
}

TEST(pool_of_two_callers_beside_each_other) { // two sessions side by side each have their own
    std::vector<std::thread> callers;
    for (int i = 0; i < 2; ++i)
        callers.emplace_back([] {
            WorkerPool pool(3);
            check_jobs(pool, 200, 20);
        });
    for (std::thread& caller : callers) caller.join();
}

SLOW_TEST(pool_of_many_jobs) {
    for (const int threads : {2, 4, 8}) {
        const Row row(fmt::format("{} threads", threads));
        WorkerPool pool(threads);
        check_jobs(pool, 20'000, 33);
    }
}
