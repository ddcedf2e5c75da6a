#include "engine/trace/derive/gradient_flow.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/norm.hpp"
#include "engine/trace/derive/newest_wish.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <chrono>
#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor numbers(const std::vector<double>& values) {
    return Tensor::from<double>(*std::make_shared<BufferPool>(), {{static_cast<Dim>(values.size()), "n"}}, values);
}

} // namespace

TEST(layers_stand_from_the_output_back) {
    Recording r({{"data", "blobs"}, {"layers", "2,5,4,3"}, {"batch", "16"}});
    const auto layers = gradient_layers(*r.run);
    REQUIRE(layers.size() == 3);
    for (int i = 0; i < 3; ++i) {
        const int number = 3 - i;
        const GradientLayer& layer = layers[static_cast<std::size_t>(i)];
        CHECK_EQUAL(layer.module, fmt::format("layer{}", number));
        CHECK_EQUAL(layer.of(GradientKind::weight).name, fmt::format("dW{}", number));
        CHECK_EQUAL(layer.of(GradientKind::bias).name, fmt::format("db{}", number));
        CHECK_EQUAL(layer.of(GradientKind::preactivation).name, fmt::format("dz{}", number));
        CHECK_EQUAL(layer.of(GradientKind::activation).name, number == 3 ? "" : fmt::format("da{}", number)); // the last has none
        CHECK_EQUAL(layer.of(GradientKind::bias).value, fmt::format("b{}", number));
        CHECK(!layer.of(GradientKind::weight).formula.empty());
    }
    Recording without({{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "16"}, {"omit", "backward"}});
    CHECK(gradient_layers(*without.run).empty());
}

TEST(norms_and_updates_are_the_runs) {
    Recording r({{"data", "moons"}, {"layers", "2,6,2"}, {"batch", "16"}, {"lr", "0.25"}, {"dtype", "fp64"}});
    for (int i = 0; i < 3; ++i) r.iterate(true);
    const auto layers = gradient_layers(*r.run);
    const auto tensors = r.run->tensors_of(1);
    const auto flow = gradient_flow(layers, *tensors);
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (std::size_t kind = 0; kind < gradient_kinds; ++kind) {
            const GradientSite& site = layers[layer].gradients[kind];
            const Row named(site.name);
            CHECK_EQUAL(flow[layer].norms[kind].has_value(), !site.name.empty());
            if (site.name.empty()) continue;
            const Tensor& gradient = tensors->find(site.name)->tensor;
            CHECK_EQUAL(*flow[layer].norms[kind], l2_norm(gradient));
            Dim zeros = 0;
            for (Dim i = 0; i < gradient.elements(); ++i) zeros += gradient.at(i) == 0;
            CHECK_EQUAL(flow[layer].sizes[kind]->zeros, zeros);
            const bool parameter = kind >= static_cast<std::size_t>(GradientKind::weight);
            CHECK_EQUAL(flow[layer].updates[kind].has_value(), parameter);
            if (!parameter) continue;
            // plain descent: Δθ = -lr · ∂θ, up to the rounding of θ
            const UpdateRatio update = *flow[layer].updates[kind];
            CHECK_ERROR(std::abs(update.step / (0.25 * l2_norm(gradient)) - 1), 1e-9, "‖Δθ‖");
            CHECK_EQUAL(update.before, l2_norm(r.run->tensors_of(0)->find(site.value)->tensor)); // what iteration 0 left
        }
    Recording still({{"data", "moons"}, {"layers", "2,6,2"}, {"batch", "16"}, {"omit", "step"}});
    still.iterate(true);
    for (const LayerFlow& layer : gradient_flow(gradient_layers(*still.run), *still.run->tensors_of(0)))
        for (const auto& update : layer.updates) CHECK(!update.has_value());
}

TEST(sizes_are_sorted_by_half_decades) {
    const double inf = std::numeric_limits<double>::infinity();
    const LogHistogram h = log_histogram(numbers({0, -0.0, 1, -2, 4, 1e-3, std::nan(""), inf, -5}));
    CHECK_EQUAL(h.elements, Dim{9});
    CHECK_EQUAL(h.zeros, Dim{2});
    CHECK_EQUAL(h.not_finite, Dim{2});
    CHECK_EQUAL(h.largest, Dim{8});
    CHECK_EQUAL(h.first, -6);
    CHECK_EQUAL(h.counts, (std::vector<Dim>{1, 0, 0, 0, 0, 0, 2, 2})); // 1e-3 … then 1, 2 | 4, 5, parted at √10
    CHECK_EQUAL(h.example[6], Dim{2});
    CHECK_EQUAL(h.example[7], Dim{4});
    CHECK_EQUAL(h.example[1], Dim{-1});
    const LogHistogram none = log_histogram(numbers({0, std::nan("")}));
    CHECK(none.counts.empty() && none.largest == -1);
    CHECK_EQUAL(none.zero_share(), 0.5);
    const LogHistogram extremes = log_histogram(numbers({std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()}));
    CHECK_EQUAL(extremes.counts.front() + extremes.counts.back(), Dim{2});
    CHECK_THROWS(log_histogram(Tensor()), ShapeError, "log_histogram");
}

TEST(the_newest_wish_is_granted) {
    NewestWish<int, int> worker([](const int& wish, const std::atomic<bool>&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return wish < 0 ? nullptr : std::make_shared<const int>(2 * wish);
    });
    CHECK(worker.latest() == nullptr);
    for (int i = 0; i <= 20; ++i) worker.want(i);
    for (int tries = 0; tries < 2000 && !(worker.latest() && *worker.latest() == 40); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(worker.latest() != nullptr);
    CHECK_EQUAL(*worker.latest(), 40);
    worker.want(-1); // gives up: what was there stays
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK_EQUAL(*worker.latest(), 40);
}

TEST(what_is_forgotten_is_let_go_of) {
    using Shared = std::shared_ptr<const int>;
    std::atomic<bool> go{true}, at_it{false};
    NewestWish<Shared, Shared> worker([&](const Shared& wish, const std::atomic<bool>&) {
        at_it = true;
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return std::make_shared<const Shared>(wish);
    });
    const auto wait_for = [](const auto& done) {
        for (int tries = 0; tries < 2000 && !done(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return done();
    };
    const auto first = std::make_shared<const int>(1), second = std::make_shared<const int>(2), third = std::make_shared<const int>(3);
    worker.want(first);
    CHECK(wait_for([&] { return worker.latest() && first.use_count() == 2; })); // the result alone
    worker.forget();
    CHECK(worker.latest() == nullptr);
    CHECK_EQUAL(first.use_count(), 1L);
    go = at_it = false;
    worker.want(second);
    REQUIRE(wait_for([&] { return at_it.load(); }));
    worker.want(third); // waits
    worker.forget();
    CHECK_EQUAL(third.use_count(), 1L);
    go = true;
    CHECK(wait_for([&] { return second.use_count() == 1 && open_wishes == 0; })); // what comes of it is nobody's
    CHECK(worker.latest() == nullptr);
    worker.want(third);
    CHECK(wait_for([&] { return worker.latest() && *worker.latest() == third; }));
}

TEST(wishes_count_until_they_are_granted) {
    std::atomic<bool> go{false};
    NewestWish<int, int> worker([&go](const int& wish, const std::atomic<bool>&) {
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return std::make_shared<const int>(wish);
    });
    CHECK_EQUAL(open_wishes.load(), 0);
    worker.want(1);
    worker.want(2);
    CHECK(open_wishes > 0);
    go = true;
    for (int tries = 0; tries < 2000 && !(worker.latest() && *worker.latest() == 2); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(worker.latest() && *worker.latest() == 2); // the count is taken back with the result
    CHECK_EQUAL(open_wishes.load(), 0);
}
