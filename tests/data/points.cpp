#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/data/dataset.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

using namespace gradus;
using namespace gradus::test;

TEST(points_are_the_same_on_every_machine) {
    struct {
        const char* name;
        std::uint64_t seed;
        const char* hash;
    } const rows[] = {
        {"xor", 1, "5f59f78844d270e2"},     {"spirals", 1, "de0b4bf1b7ede246"},
        {"spirals", 2, "939ac1b14e993f95"}, {"blobs", 1, "ac78ba928066f6f6"},
        {"moons", 1, "2997b35c0d0a4905"},   {"rings", 1, "52cf1e10707d13f1"},
    };
    for (const auto& row : rows) {
        const Row named(fmt::format("{} seed {}", row.name, row.seed));
        CHECK_EQUAL(hash_hex(generate_points(row.name, row.seed)->hash), row.hash);
    }
}

TEST(points_come_from_the_seed) {
    for (const char* name : {"spirals", "blobs", "moons", "rings"}) {
        const Row row(name);
        const auto a = generate_points(name, 5), b = generate_points(name, 5), c = generate_points(name, 6);
        CHECK(same_bits(a->x, b->x) && same_bits(a->y, b->y) && same_bits(a->test_x, b->test_x));
        CHECK_EQUAL(a->hash, b->hash);
        CHECK(!same_bits(a->x, c->x) && a->hash != c->hash);
        CHECK(!same_bits(a->x, a->test_x)); // the test set is another draw
    }
    CHECK_EQUAL(generate_points("xor", 1)->hash, generate_points("xor", 99)->hash);
}

TEST(points_are_balanced_and_in_reach) {
    for (const std::string& name : dataset_names()) {
        if (name == "fashion-mnist") continue;
        const Row row(name);
        const auto set = generate_points(name, 3);
        const Dim count = name == "xor" ? 4 : 400;
        CHECK_EQUAL(set->name, name);
        CHECK_EQUAL(set->classes, name == "blobs" ? 3 : 2);
        CHECK_EQUAL(set->class_names.size(), static_cast<std::size_t>(set->classes));
        CHECK(!set->images);
        for (const auto& [x, y] : {std::pair{set->x, set->y}, std::pair{set->test_x, set->test_y}}) {
            REQUIRE(x.shape().same_sizes(shape_of({count, 2})) && y.shape().same_sizes(shape_of({count})));
            CHECK(x.dtype() == DType::f64 && y.dtype() == DType::i32);
            std::map<double, Dim> members;
            double farthest = 0;
            for (Dim i = 0; i < count; ++i) {
                ++members[y.at(i)];
                farthest = std::max({farthest, std::abs(x.at(i, 0)), std::abs(x.at(i, 1))});
                if (!std::isfinite(x.at(i, 0) + x.at(i, 1))) CHECK(false, "a point is not finite");
            }
            CHECK_EQUAL(members.size(), static_cast<std::size_t>(set->classes));
            for (const auto& [label, size] : members)
                CHECK(label >= 0 && label < set->classes && size >= count / set->classes && size <= count / set->classes + 1);
            CHECK(farthest < 2, shown(farthest));
        }
    }
}

TEST(points_of_xor_are_the_corners) {
    const auto set = generate_points("xor", 1);
    CHECK_EQUAL(values_of(set->x), (std::vector<double>{0, 0, 0, 1, 1, 0, 1, 1}));
    CHECK_EQUAL(values_of(set->y), (std::vector<double>{0, 1, 1, 0}));
    CHECK(same_bits(set->x, set->test_x));
}

TEST(store_loads_once_and_refuses_unknown_names) {
    DataStore store;
    CHECK(store.get("moons", 1) == store.get("moons", 1));
    CHECK(store.get("moons", 1) != store.get("moons", 2));
    CHECK_THROWS(store.get("sun", 1), ArgumentError, "sun");
    std::vector<std::thread> readers;
    std::vector<std::shared_ptr<const Dataset>> seen(4);
    for (std::size_t i = 0; i < seen.size(); ++i) readers.emplace_back([&, i] { seen[i] = store.get("rings", 7); });
    for (std::thread& reader : readers) reader.join();
    for (const auto& set : seen) CHECK(set && set == seen[0]);
}
