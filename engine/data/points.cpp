#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/philox.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/data/dataset.hpp"

#include <array>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace gradus {

namespace {

constexpr int points_per_set = 400;

struct Points {
    std::vector<double> x; // (N, 2)
    std::vector<std::int32_t> y;
    void add(double first, double second, std::int32_t label) {
        x.push_back(first);
        x.push_back(second);
        y.push_back(label);
    }
};

struct Angle {
    double sine, cosine;
    explicit Angle(double radians) { portable::sin_cos(radians, sine, cosine); }
};

Points draw(std::string_view name, const Philox& random) {
    Points points;
    if (name == "xor") {
        for (const int corner : {0, 1, 2, 3}) points.add(corner / 2, corner % 2, corner / 2 != corner % 2);
        return points;
    }
    for (int i = 0; i < points_per_set; ++i) {
        const auto at = static_cast<std::uint64_t>(i);
        const double noise_x = random.normal(4 * at), noise_y = random.normal(4 * at + 1);
        const double u = random.uniform(4 * at + 2 + (std::uint64_t{1} << 32));
        if (name == "spirals") {
            const double turn = 0.25 + 2.75 * std::numbers::pi * u, radius = turn / (3 * std::numbers::pi);
            const Angle angle(turn + (i % 2) * std::numbers::pi);
            points.add(radius * angle.cosine + 0.02 * noise_x, radius * angle.sine + 0.02 * noise_y, i % 2);
        } else if (name == "blobs") {
            const Angle angle(2.0 * std::numbers::pi * (i % 3) / 3.0 + 0.5);
            points.add(0.7 * angle.cosine + 0.2 * noise_x, 0.7 * angle.sine + 0.2 * noise_y, i % 3);
        } else if (name == "moons") {
            const Angle angle(std::numbers::pi * u);
            const double side = i % 2 == 0 ? 1.0 : -1.0;
            points.add(side * angle.cosine * 0.7 + (i % 2 == 0 ? -0.35 : 0.35) + 0.07 * noise_x,
                       side * angle.sine * 0.7 + (i % 2 == 0 ? -0.2 : 0.2) + 0.07 * noise_y, i % 2);
        } else { // rings
            const Angle angle(2.0 * std::numbers::pi * u);
            const double radius = i % 2 == 0 ? 0.35 : 0.85;
            points.add(radius * angle.cosine + 0.06 * noise_x, radius * angle.sine + 0.06 * noise_y, i % 2);
        }
    }
    return points;
}

} // namespace

std::uint64_t hash_of(const Dataset& set) {
    return joined_hash(std::array{hash_tensor(set.x), hash_tensor(set.y), hash_tensor(set.test_x), hash_tensor(set.test_y)});
}

std::uint64_t joined_hash(std::span<const std::uint64_t> tensors) {
    return std::accumulate(tensors.begin(), tensors.end(), std::uint64_t{0}, [](std::uint64_t sum, std::uint64_t hash) { return sum * 31 + hash; });
}

const std::vector<std::string>& dataset_names() {
    static const std::vector<std::string> names{"fashion-mnist", "xor", "spirals", "blobs", "moons", "rings"};
    return names;
}

std::shared_ptr<const Dataset> generate_points(std::string_view name, std::uint64_t seed) {
    const auto pool = std::make_shared<BufferPool>();
    auto out = std::make_shared<Dataset>();
    out->name = name;
    out->classes = name == "blobs" ? 3 : 2;
    for (int i = 0; i < out->classes; ++i) out->class_names.push_back(std::to_string(i));
    const auto tensors = [&](std::uint64_t stream, Tensor& x, Tensor& y) {
        const Points points = draw(name, Philox(seed, stream));
        const Axis examples{static_cast<Dim>(points.y.size()), "N"};
        x = Tensor::from<double>(*pool, {examples, {2, "in"}}, points.x);
        y = Tensor::from<std::int32_t>(*pool, {examples}, points.y);
    };
    constexpr std::uint64_t train_stream = 1, test_stream = 2;
    tensors(train_stream, out->x, out->y);
    tensors(test_stream, out->test_x, out->test_y);
    out->hash = hash_of(*out);
    return out;
}

std::shared_ptr<DataStore> shared_data() {
    static const auto store = std::make_shared<DataStore>();
    return store;
}

std::shared_ptr<const Dataset> DataStore::get(const std::string& name, std::uint64_t seed) {
    bool known = false;
    for (const std::string& candidate : dataset_names()) known |= candidate == name;
    if (!known) throw ArgumentError(fmt::format("there is no data set '{}'", name));
    const std::lock_guard lock(mutex_);
    auto& slot = loaded_[key_of(name, seed)];
    if (!slot) slot = test_images_of(name) == 0 ? generate_points(name, seed) : open_fashion_mnist(keeping_);
    return slot;
}

std::shared_ptr<const Dataset> DataStore::loaded(const std::string& name, std::uint64_t seed) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return nullptr;
    const auto found = loaded_.find(key_of(name, seed));
    return found == loaded_.end() ? nullptr : found->second;
}

/// Images are the same whatever the seed; points are drawn from it.
std::pair<std::string, std::uint64_t> DataStore::key_of(const std::string& name, std::uint64_t seed) {
    return {name, test_images_of(name) == 0 ? seed : 0};
}

Dim test_images_of(std::string_view name) { return name == "fashion-mnist" ? 10'000 : 0; }

} // namespace gradus
