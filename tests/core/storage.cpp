#include "engine/core/storage.hpp"

#include "tests/support/check.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <thread>

using namespace gradus;
using namespace gradus::test;

TEST(storage_is_aligned_and_large_enough) {
    const auto pool = std::make_shared<BufferPool>();
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                    std::size_t{4096}, std::size_t{16383}, std::size_t{16385}, std::size_t{1000003}}) {
        const Row row(std::to_string(bytes));
        const StorageRef storage = pool->allocate(bytes);
        CHECK(storage.bytes() >= bytes && storage.bytes() > 0);
        CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(storage.data()) % 64, 0u);
        CHECK(storage.unique());
        std::memset(storage.data(), 1, storage.bytes());
    }
}

TEST(storage_refuses_a_size_that_wraps) {
    const auto pool = std::make_shared<BufferPool>();
    const auto throws = [&](std::size_t bytes) {
        try {
            const StorageRef storage = pool->allocate(bytes);
            return storage.bytes() < bytes ? "too small" : "given";
        } catch (const std::bad_alloc&) {
            return "bad_alloc";
        }
    };
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which end the program instead of throwing
    CHECK_EQUAL(std::string(throws(SIZE_MAX / 2)), "bad_alloc");
#endif
    CHECK_EQUAL(std::string(throws(SIZE_MAX)), "bad_alloc");
    CHECK_EQUAL(std::string(throws(SIZE_MAX - 4000)), "bad_alloc");
}

TEST(storage_is_shared_by_copies) {
    const auto pool = std::make_shared<BufferPool>();
    StorageRef first = pool->allocate(100);
    void* const data = first.data();
    StorageRef second = first;
    CHECK(!first.unique() && !second.unique() && first == second);
    StorageRef third = std::move(second);
    CHECK(!second && third.data() == data);
    third = StorageRef{};
    CHECK(first.unique());
    first = first; // NOLINT: to itself
    CHECK(first.data() == data && first.unique());
    CHECK(!StorageRef{}.unique() && StorageRef{}.data() == nullptr && StorageRef{}.bytes() == 0);
}

TEST(storage_is_reused_once_nobody_holds_it) {
    const auto pool = std::make_shared<BufferPool>();
    void* data = nullptr;
    {
        const StorageRef storage = pool->allocate(1000);
        data = storage.data();
        CHECK_EQUAL(pool->live_bytes(), pool->allocator().rules().block(1000));
    }
    const std::size_t reserved = pool->cached_bytes();
    CHECK_EQUAL(pool->live_bytes(), 0u);
    CHECK(reserved >= 1000);
    const StorageRef again = pool->allocate(990); // rounds to the same size
    CHECK(again.data() == data);
    const StorageRef other = pool->allocate(990);
    CHECK(other.data() != data);
    CHECK_EQUAL(pool->live_bytes() + pool->cached_bytes(), reserved); // nothing new of the system
    CHECK_EQUAL(pool->live_bytes(), 2 * pool->allocator().rules().block(990));
}

TEST(storage_trims) {
    const auto pool = std::make_shared<BufferPool>();
    StorageRef held = pool->allocate(5000);
    const std::size_t beside = pool->cached_bytes();
    { const StorageRef dropped = pool->allocate(3'000'000); } // in a segment of its own
    CHECK(pool->cached_bytes() > beside + 3'000'000);
    pool->trim();
    CHECK_EQUAL(pool->cached_bytes(), beside); // of a segment that somebody holds a part of, nothing is given back
    std::memset(held.data(), 3, held.bytes());
    held = StorageRef{};
    pool->trim();
    CHECK_EQUAL(pool->live_bytes() + pool->cached_bytes(), 0u);
}

TEST(storage_outlives_its_pool) {
    auto pool = std::make_shared<BufferPool>();
    const std::weak_ptr<BufferPool> watched = pool;
    StorageRef storage = pool->allocate(100);
    pool.reset();
    CHECK(!watched.expired()); // the buffer keeps it
    std::memset(storage.data(), 7, 100);
    storage = StorageRef{};
    CHECK(watched.expired());
}

TEST(prepared_buffers_are_the_next_to_be_taken) {
    const auto pool = std::make_shared<BufferPool>();
    const std::size_t large = 900'000, small = 40;
    const std::vector<std::size_t> sizes{large, small, large, large, small + 1, 3 * large};
    pool->prepare(sizes);
    const std::size_t at_hand = pool->cached_bytes();
    CHECK(at_hand >= 6 * large && pool->live_bytes() == 0);
    std::vector<CachingAllocator::Allocation> taken;
    for (const std::size_t bytes : sizes) {
        taken.push_back(pool->allocator().allocate(bytes));
        CHECK_EQUAL(taken.back().used_before, taken.back().bytes); // every page is in place
    }
    CHECK_EQUAL(pool->live_bytes() + pool->cached_bytes(), at_hand); // nothing new of the system
    for (const auto& one : taken) pool->allocator().free(one.block);
    pool->prepare({large, small}); // they are there
    CHECK_EQUAL(pool->cached_bytes(), at_hand);
    CHECK_EQUAL(pool->live_bytes(), 0u);
    CHECK_THROWS(pool->prepare({large, SIZE_MAX}), std::bad_alloc, "out of memory");
    CHECK_EQUAL(pool->live_bytes(), 0u);
    CHECK_THROWS(pool->prepare({SIZE_MAX}), std::bad_alloc, "out of memory");
}

TEST(storage_is_released_by_other_threads) {
    const auto pool = std::make_shared<BufferPool>();
    constexpr int threads = 4, rounds = 2000;
    std::vector<std::thread> helpers;
    for (int t = 0; t < threads; ++t)
        helpers.emplace_back([&, t] {
            StorageRef held;
            for (int i = 0; i < rounds; ++i) {
                StorageRef storage = pool->allocate(static_cast<std::size_t>(64 * (1 + (i + t) % 5)));
                auto* data = static_cast<unsigned char*>(storage.data());
                std::memset(data, t + 1, 64);
                std::thread* none = nullptr;
                static_cast<void>(none);
                if (i % 3 == 0) held = storage; // the one before goes back
                if (data[63] != t + 1) CHECK(data[63] == t + 1);
            }
        });
    for (std::thread& helper : helpers) helper.join();
    CHECK_EQUAL(pool->live_bytes(), 0u);

    // The last reference is dropped by a thread that did not make it, while the maker goes on.
    for (int i = 0; i < 200; ++i) {
        StorageRef storage = pool->allocate(256);
        std::memset(storage.data(), i, 256);
        std::thread reader([snapshot = storage, i] {
            const auto* data = static_cast<const unsigned char*>(snapshot.data());
            for (int at = 0; at < 256; ++at)
                if (data[at] != static_cast<unsigned char>(i)) CHECK(data[at] == i);
        });
        if (!storage.unique()) storage = pool->allocate(256); // what a tape does before it writes
        std::memset(storage.data(), i + 1, 256);
        reader.join();
    }
    CHECK_EQUAL(pool->live_bytes(), 0u);
}
