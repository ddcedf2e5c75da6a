#include "engine/core/hash.hpp"

#include "engine/core/ids.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_set>

using namespace gradus;
using namespace gradus::test;

TEST(hash_is_xxh3) {
    // From the reference implementation: XXH3 of nothing, and of one zero byte.
    CHECK_EQUAL(hash_hex(hash_bytes("", 0)), "2d06800538d394c2");
    CHECK_EQUAL(hash_hex(hash_bytes("\0", 1)), "c44bdff4074eecdb");
    CHECK_EQUAL(hash_hex(0x1f), "000000000000001f");
    CHECK(hash_text("a") != hash_text("b"));
    CHECK(hash_bytes("a", 1, 1) != hash_bytes("a", 1, 2));
}

TEST(hash_of_pieces_is_that_of_the_whole) {
    std::vector<std::byte> data(100'000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * i >> 3);
    for (const std::size_t bytes : {0UL, 1UL, 16UL, 240UL, 241UL, 1024UL, 65'537UL, 100'000UL}) // XXH3 goes another way for short ones
        for (const std::size_t piece : {1UL, 63UL, 256UL, 4096UL, 1UL << 20})
            for (const std::uint64_t seed : {0UL, 7UL}) {
                std::size_t done = 0;
                const auto next = [&] {
                    const auto part = std::span<const std::byte>(data).subspan(done, std::min(piece, bytes - done));
                    done += part.size();
                    return part;
                };
                CHECK_EQUAL(hash_pieces(next, seed), hash_bytes(data.data(), bytes, seed));
            }
}

TEST(hash_of_a_tensor_ignores_strides_only) {
    const Tensor a = random_tensor(shape_of({5, 7}), DType::f64, 1);
    const auto pool = std::make_shared<BufferPool>();
    const Tensor flipped = a.transposed(0, 1);
    CHECK_EQUAL(hash_tensor(flipped), hash_tensor(flipped.contiguous_copy(*pool)));
    CHECK_EQUAL(hash_tensor(a.rows(1, 3)), hash_tensor(a.rows(1, 3).contiguous_copy(*pool)));
    CHECK(hash_tensor(a) != hash_tensor(flipped));
    CHECK_EQUAL(hash_tensor(a), hash_tensor(Tensor(a.storage(), {{5, "B"}, {7, "C"}}, DType::f64))); // names are no contents
    CHECK(hash_tensor(a) != hash_tensor(Tensor(a.storage(), shape_of({7, 5}), DType::f64)));
    CHECK(hash_tensor(a) != hash_tensor(Tensor(a.storage(), shape_of({35}), DType::f64)));
    CHECK(hash_tensor(a) != hash_tensor(Tensor(a.storage(), shape_of({5, 14}), DType::f32)));
    std::vector<double> values = values_of(a);
    values[34] = std::nextafter(values[34], 9.0);
    CHECK(hash_tensor(a) != hash_tensor(tensor_of(shape_of({5, 7}), values)));
}

TEST(ids_order_and_hash) {
    const EventId early{3, 5}, late{3, 6}, next{4, 0};
    CHECK(early < late && late < next && !EventId{}.valid() && early.valid());
    CHECK((TensorId{early, 0} < TensorId{early, 1}));
    std::unordered_set<TensorId> seen;
    for (StepIndex i = 0; i < 50; ++i)
        for (std::int32_t j = 0; j < 50; ++j) seen.insert({{i, j}, 0});
    CHECK_EQUAL(seen.size(), 2500u);
    std::unordered_set<std::size_t> values;
    for (const TensorId& id : seen) values.insert(std::hash<TensorId>{}(id));
    CHECK(values.size() > 2490);
}
