#include "engine/core/element_index.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

using namespace gradus;

namespace {
std::optional<Dim> place(const Shape& shape, const std::vector<Dim>& index) { return place_of(shape, index); }
}

TEST(every_place_has_its_index_and_every_index_its_place) {
    const Shape shape{{2, {}}, {3, {}}, {5, {}}};
    std::vector<Dim> expected{0, 0, 0};
    for (Dim at = 0; at < shape.elements(); ++at) {
        CHECK(index_of(shape, at) == expected);
        CHECK(place(shape, expected) == at);
        for (int axis = 2; axis >= 0 && ++expected[static_cast<std::size_t>(axis)] == shape[axis]; --axis)
            expected[static_cast<std::size_t>(axis)] = 0;
    }
    CHECK(index_of({}, 0).empty());
    CHECK(place({}, {}) == 0);
}

TEST(what_is_no_element_has_no_place) {
    const Shape shape{{2, {}}, {3, {}}};
    for (const std::vector<Dim>& index : std::vector<std::vector<Dim>>{{}, {1}, {1, 2, 0}, {2, 0}, {0, 3}, {-1, 0}, {0, -1}})
        CHECK(!place(shape, index));
    CHECK(!place({}, {0}));
    CHECK(!place({{0, {}}}, {0}));
}

TEST(a_written_index_is_refused_with_the_place_and_the_reason) {
    const Shape shape{{2, {}}, {3, {}}};
    const auto refusal = [&](const std::vector<Dim>& index) {
        try {
            place_of(shape, index, "W1");
        } catch (const ArgumentError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK_EQUAL(refusal({0, 3}), "W1[0, 3] is outside its shape 2×3");
    CHECK_EQUAL(refusal({0}), "W1[0] does not fit its shape 2×3: one number per axis");
    CHECK_EQUAL(refusal({1, 2, 3}), "W1[1, 2, 3] does not fit its shape 2×3: one number per axis");
    CHECK_EQUAL(refusal({1, 2}), "");
}
