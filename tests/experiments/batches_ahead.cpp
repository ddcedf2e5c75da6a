// train_mlp with batches that threads make ahead: the same bits for any number of them, and lanes in the Run.
#include "engine/core/philox.hpp"
#include "engine/trace/derive/diff.hpp"
#include "lessons/experiments/train_mlp/process.hpp"
#include "lessons/experiments/train_mlp/train_mlp.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <filesystem>
#include <map>

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int worker_counts[] = {0, 1, 2, 5};

/// Pictures of 4 × 4 bytes in three classes.
std::shared_ptr<const Dataset> pictures() {
    const auto pool = std::make_shared<BufferPool>();
    const auto drawn = [&](Dim count, std::uint64_t stream) {
        std::vector<std::uint8_t> bytes;
        for (Dim i = 0; i < count * 16; ++i)
            bytes.push_back(static_cast<std::uint8_t>(Philox(1, stream).below(static_cast<std::uint64_t>(i), 256)));
        return Tensor::from<std::uint8_t>(*pool, {{count, "N"}, {16, "pixel"}}, bytes);
    };
    auto set = std::make_shared<Dataset>();
    set->name = "pictures";
    set->x = drawn(90, 1), set->test_x = drawn(30, 2);
    set->y = random_labels(90, 3, 3), set->test_y = random_labels(30, 3, 4);
    set->classes = 3;
    set->images = true, set->image_rows = set->image_columns = 4;
    return set;
}

} // namespace

TEST(training_has_the_same_bits_for_any_number_of_workers) {
    for (const DType dtype : {DType::f32, DType::f64}) {
        std::vector<std::vector<double>> losses;
        std::vector<Tensor> weights;
        for (const int workers : worker_counts) {
            mlp::Settings settings;
            settings.layers = {16, 8, 3};
            settings.activation = "tanh";
            settings.batch = 12;
            settings.dtype = dtype;
            settings.omit = "none";
            settings.optimizer.lr = 0.1;
            settings.workers = workers;
            mlp::Network network(cpu(), std::make_shared<BufferPool>(), settings, pictures(), 7);
            CHECK_EQUAL(network.loader() != nullptr, workers > 0);
            losses.emplace_back();
            for (const StepIndex iteration :
                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3, 4, 40, 41}) { // over epochs, back and on
                network.load_batch(iteration);
                network.step();
                losses.back().push_back(network.loss());
            }
            weights.push_back(network.tape().tensor(network.parameters()[0]));
            CHECK(losses.back() == losses[0], fmt::format("{} workers", workers));
            CHECK(same_bits(weights.back(), weights[0]), fmt::format("{} workers", workers));
            CHECK_EQUAL(mlp::Network::test_accuracy(network, cpu()) >= 0, true);
        }
    }
}

TEST(a_run_has_the_lanes_of_its_loader) {
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) skip("dataset-fashion-mnist is not installed");
    const auto data = std::make_shared<DataStore>();
    std::shared_ptr<Run> runs[2];
    for (const int workers : {0, 2}) {
        Setup setup;
        setup.parameters = train_mlp().complete({{"layers", "784,16,10"}, {"batch", "32"}, {"workers", std::to_string(workers)}});
        setup.steps = 1000;
        setup.device.threads = 1;
        setup.data = data;
        mlp::TrainProcess process(setup);
        Manifest manifest;
        process.describe(manifest);
        const auto run = runs[workers / 2] = std::make_shared<Run>(manifest, process.series(), nullptr);
        RunWriter writer(run);
        process.begin(writer, true);
        for (StepIndex i = 0; i < 6; ++i) process.iterate(writer, i, i % 2 == 0);
        for (StepIndex i = 0; i < 6; ++i) {
            std::map<std::string, std::int32_t> lane_of;
            for (const EventRecord& record : run->events_of(i)) {
                const EventSite& site = run->sites()[static_cast<std::size_t>(record.site)];
                CHECK(record.start <= record.end);
                if (site.module == "loader") lane_of[site.name] = site.lane;
            }
            if (workers == 0 || i % 2 == 1) {
                CHECK(lane_of.empty());
                continue;
            }
            CHECK_EQUAL(lane_of.size(), std::size_t{5});
            CHECK(lane_of["load"] >= 1 && lane_of["load"] <= 2 && lane_of["collate"] == lane_of["load"]);
            CHECK(lane_of["stage"] == 3 && lane_of["wait"] == 0 && lane_of["copy"] == 0);
        }
    }
    // Every computed series is the same, to the bit; the batch itself comes from elsewhere.
    for (const char* series : {"loss", "accuracy"})
        for (StepIndex i = 0; i < 6; ++i) CHECK(runs[0]->value_at(series, i) == runs[1]->value_at(series, i), series);
    const auto x = [&](int at) { return runs[at]->tensors_of(4)->find("x"); };
    REQUIRE(x(0) && x(1));
    CHECK(same_bits(x(0)->tensor, x(1)->tensor));
}
