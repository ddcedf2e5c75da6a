// The loader: batches are the same for any number of workers, errors come out in one sentence, it ends and goes on anywhere.
#include "engine/data/loader.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/philox.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

using namespace std::chrono_literals;

/// Rows that take differently long to load, so that workers overtake each other; one of them may be broken.
class SlowExamples : public Examples {
public:
    explicit SlowExamples(Dim count, std::chrono::microseconds longest = 0us) : count_(count), longest_(longest) {}
    Dim size() const override { return count_; }
    const std::vector<Field>& fields() const override { return fields_; }
    void load(Dim index, Sample& sample) const override {
        loads.fetch_add(1);
        if (index == broken.load()) throw FileError("shard7.bin: cut off after 12 bytes");
        const auto number = static_cast<std::uint64_t>(index);
        if (longest_ > 0us) std::this_thread::sleep_for(longest_ * Philox(1, 2).below(number, 1000) / 1000);
        sample.resize(2);
        sample[0].resize(24);
        for (std::size_t i = 0; i < 6; ++i) {
            const float value = static_cast<float>(Philox(5, number).uniform(i));
            std::memcpy(sample[0].data() + 4 * i, &value, 4);
        }
        const auto length = 1 + static_cast<std::size_t>(index % 3); // of the second field, whose rows are two numbers each
        sample[1].resize(length * 8);
        for (std::size_t i = 0; i < 2 * length; ++i) {
            const auto word = static_cast<std::int32_t>(index * 10) + static_cast<std::int32_t>(i);
            std::memcpy(sample[1].data() + 4 * i, &word, 4);
        }
    }
    mutable std::atomic<int> loads{0};
    std::atomic<Dim> broken{-1};

private:
    Dim count_;
    std::chrono::microseconds longest_;
    std::vector<Field> fields_{{"x", shape_of({2, 3}), DType::f32}, {"words", shape_of({3, 2}), DType::i32, true, -1}};
};

std::uint64_t hash_of(const Batch& batch) {
    std::uint64_t hash = static_cast<std::uint64_t>(batch.rows) * 31 + static_cast<std::uint64_t>(batch.iteration);
    for (const auto& field : batch.fields) hash = hash_bytes(field.data(), field.size(), hash);
    return hash;
}

std::vector<std::uint64_t> hashes(Loader& loader, int count) {
    std::vector<std::uint64_t> out;
    for (int i = 0; i < count; ++i) out.push_back(hash_of(*loader.next()));
    return out;
}

constexpr int worker_counts[] = {0, 1, 2, 5};
const SamplerSettings order{.examples = 50, .batch = 8, .seed = 4, .drop_last = false};

std::unique_ptr<Loader> loader_of(std::shared_ptr<Examples> examples, int workers, int prefetch = 4) {
    return std::make_unique<Loader>(examples, order, Loader::Settings{.workers = workers, .prefetch = prefetch});
}

} // namespace

TEST(batches_are_the_same_for_any_number_of_workers) {
    const auto wanted = hashes(*loader_of(std::make_shared<SlowExamples>(50), 0), 40);
    CHECK(std::set<std::uint64_t>(wanted.begin(), wanted.end()).size() == 40);
    for (const int workers : worker_counts)
        for (const int prefetch : {1, 2, 7}) {
            const Row named(fmt::format("{} workers, {} ahead", workers, prefetch));
            const auto loader = loader_of(std::make_shared<SlowExamples>(50, 300us), workers, prefetch);
            CHECK(hashes(*loader, 40) == wanted);
        }
}

TEST(batches_hold_what_was_loaded) {
    for (const int workers : worker_counts) {
        const Row named(fmt::format("{} workers", workers));
        const auto examples = std::make_shared<SlowExamples>(5);
        Loader loader(examples, {.examples = 5, .batch = 4, .order = SamplerSettings::Order::sequential, .drop_last = false},
                      {.workers = workers});
        for (int epoch = 0; epoch < 3; ++epoch)
            for (const Dim rows : {4, 1}) {
                const Batch& batch = *loader.next();
                CHECK_EQUAL(batch.rows, rows);
                const auto* words = reinterpret_cast<const std::int32_t*>(batch.fields[1].data());
                const auto* numbers = reinterpret_cast<const float*>(batch.fields[0].data());
                CHECK_EQUAL(batch.fields[1].size(), std::size_t{4 * 6 * 4});
                for (Dim row = 0; row < 4; ++row) {
                    const Dim example = rows == 4 ? row : row == 0 ? 4 : -1;
                    for (Dim i = 0; i < 6; ++i) {
                        const bool real = example >= 0 && i < 2 * (1 + example % 3);
                        CHECK_EQUAL(words[row * 6 + i], real ? static_cast<std::int32_t>(example * 10 + i) : -1);
                        const auto drawn =
                            example < 0
                                ? 0.f
                                : static_cast<float>(
                                      Philox(5, static_cast<std::uint64_t>(example)).uniform(static_cast<std::uint64_t>(i)));
                        CHECK_EQUAL(numbers[row * 6 + i], drawn);
                    }
                }
            }
    }
}

TEST(a_loader_goes_on_anywhere) {
    const auto wanted = hashes(*loader_of(std::make_shared<SlowExamples>(50), 0), 60);
    for (const int workers : worker_counts) {
        const Row named(fmt::format("{} workers", workers));
        const auto loader = loader_of(std::make_shared<SlowExamples>(50, 200us), workers);
        for (const StepIndex from : {0, 17, 17, 3, 50, 0, 1, 2}) {
            loader->seek(from);
            for (StepIndex i = from; i < from + 5; ++i) {
                loader->seek(i); // what a step does; nothing is made anew
                const Batch& batch = *loader->next();
                CHECK_EQUAL(batch.iteration, i);
                CHECK_EQUAL(hash_of(batch), wanted[static_cast<std::size_t>(i)]);
            }
        }
        CHECK_THROWS(loader->seek(-1), ArgumentError, "iteration -1");
    }
}

// Going on at iteration 900 000 000 loads that batch and those made ahead, no other.
TEST(going_far_costs_no_more) {
    for (const int workers : worker_counts) {
        const auto examples = std::make_shared<SlowExamples>(50);
        const auto loader = loader_of(examples, workers);
        loader->seek(900'000'000);
        CHECK_EQUAL(loader->next()->iteration, 900'000'000);
        CHECK(examples->loads.load() <= 8 * (4 + 4 + 2 + 5 + 2), std::to_string(examples->loads.load()));
    }
}

TEST(errors_come_out_where_the_batch_would) {
    for (const int workers : worker_counts) {
        const Row named(fmt::format("{} workers", workers));
        const auto examples = std::make_shared<SlowExamples>(50, 100us);
        Loader loader(examples, {.examples = 50, .batch = 5, .order = SamplerSettings::Order::sequential},
                      {.workers = workers});
        examples->broken = 12; // in the batch of iteration 2
        loader.seek(10);       // what was made ahead did not know of it
        loader.seek(0);
        CHECK_EQUAL(loader.next()->iteration, 0);
        CHECK_EQUAL(loader.next()->iteration, 1);
        for (int again = 0; again < 2; ++again)
            CHECK_THROWS(loader.next(), Error, "iteration 2", "example 12", "shard7.bin: cut off after 12 bytes");
        loader.seek(3); // beyond it
        CHECK_EQUAL(loader.next()->iteration, 3);
        loader.seek(2);
        CHECK_THROWS(loader.next(), Error, "iteration 2");
        examples->broken = -1;
        loader.seek(2); // tries anew
        CHECK_EQUAL(loader.next()->iteration, 2);
    }
}

TEST(errors_of_collation_come_out) {
    struct Strange {};
    const struct {
        const char* name;
        Collate collate;
        const char* part;
    } rows[] = {
        {"an error", [](auto, auto) { throw ArgumentError("words must be sorted"); }, "words must be sorted"},
        {"no error", [](auto, auto) { throw Strange(); }, "for a reason that is not an error"},
        {"another size", stacked({{"x", shape_of({7}), DType::f32}}), "has 24 bytes"},
    };
    for (const auto& row : rows)
        for (const int workers : worker_counts) {
            const Row named(fmt::format("{}, {} workers", row.name, workers));
            Loader loader(std::make_shared<SlowExamples>(50), order, row.collate, {{"x", shape_of({7}), DType::f32}},
                          {.workers = workers});
            CHECK_THROWS(loader.next(), Error, "iteration 0", row.part);
        }
}

TEST(a_loader_ends_in_the_middle) { // of an epoch, of a batch, before the first and while nobody takes what is made
    for (const int workers : worker_counts)
        for (const int taken : {0, 1, 3}) {
            const auto examples = std::make_shared<SlowExamples>(50, 2000us);
            const auto loader = loader_of(examples, workers);
            for (int i = 0; i < taken; ++i) loader->next();
        }
    CHECK(true);
}

TEST(waiting_is_given_up) {
    for (const int workers : {1, 2}) {
        Loader loader(std::make_shared<SlowExamples>(50, 50'000us), order, {.workers = workers});
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(5ms);
            stop.request_stop();
        });
        CHECK(loader.next(stop.get_token()) == nullptr);
        CHECK_EQUAL(loader.next()->iteration, 0); // the loader itself goes on
    }
    Loader alone(std::make_shared<SlowExamples>(50), order, {.workers = 0});
    std::stop_source stopped;
    stopped.request_stop();
    CHECK(alone.next(stopped.get_token()) == nullptr);
    CHECK_EQUAL(alone.next()->iteration, 0);
}

TEST(every_batch_tells_what_was_done_for_it) {
    for (const int workers : worker_counts) {
        const Row named(fmt::format("{} workers", workers));
        const auto loader = loader_of(std::make_shared<SlowExamples>(50, 100us), workers);
        std::vector<std::byte> x(8 * 24), words(8 * 24);
        for (int i = 0; i < 12; ++i) {
            const Batch& batch = *loader->next();
            loader->copy(0, x.data());
            loader->copy(1, words.data());
            CHECK(std::memcmp(x.data(), batch.fields[0].data(), x.size()) == 0);
            const auto records = loader->records();
            REQUIRE(records.size() == 5);
            for (std::size_t work = 0; work < 5; ++work) {
                const BatchRecord& record = records[work];
                CHECK(record.work == static_cast<BatchWork>(work));
                CHECK(record.start <= record.end);
                const int first = work < 2 ? (workers ? 1 : 0) : work == 2 && workers ? workers + 1 : 0;
                const int last = work < 2 ? workers : first;
                CHECK(record.lane >= first && record.lane <= last, std::to_string(record.lane));
                CHECK(record.lane < loader->lanes());
            }
            CHECK(records[0].end <= records[1].start && records[1].end <= records[2].start &&
                  records[3].end <= records[4].start);
        }
    }
}

TEST(a_queue_is_bounded) { // nobody takes anything: the queue fills up and no more is loaded
    for (const int workers : {1, 3}) {
        const auto examples = std::make_shared<SlowExamples>(50);
        const auto loader = loader_of(examples, workers, 3);
        std::this_thread::sleep_for(60ms);
        const int loads = examples->loads.load();
        std::this_thread::sleep_for(30ms);
        CHECK_EQUAL(examples->loads.load(), loads);
        CHECK(loads <= 8 * (3 + 2), std::to_string(loads)); // the queue and two staging buffers
        CHECK(loads > 8, std::to_string(loads));
    }
}

TEST(bytes_become_numbers) {
    const auto pool = std::make_shared<BufferPool>();
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 12; ++i) pixels.push_back(static_cast<std::uint8_t>(i * 23));
    const std::vector<std::int32_t> labels{5, 6, 7};
    const auto examples = std::make_shared<TensorExamples>(
        std::vector<std::string>{"x", "y"}, std::vector<Tensor>{Tensor::from<std::uint8_t>(*pool, shape_of({3, 4}), pixels),
                                                                Tensor::from<std::int32_t>(*pool, shape_of({3}), labels)});
    for (const DType dtype : {DType::f32, DType::f64}) {
        Loader loader(examples, {.examples = 3, .batch = 3, .order = SamplerSettings::Order::sequential},
                      stack_scaled(examples->fields(), 0, 1.0 / 255, dtype), with_type(examples->fields(), 0, dtype),
                      {.workers = 2});
        const Batch& batch = *loader.next();
        for (std::size_t i = 0; i < 12; ++i) {
            if (dtype == DType::f32)
                CHECK_EQUAL(reinterpret_cast<const float*>(batch.fields[0].data())[i],
                            static_cast<float>(pixels[i]) * static_cast<float>(1.0 / 255));
            else CHECK_EQUAL(reinterpret_cast<const double*>(batch.fields[0].data())[i], pixels[i] * (1.0 / 255));
        }
        for (std::size_t i = 0; i < 3; ++i)
            CHECK_EQUAL(reinterpret_cast<const std::int32_t*>(batch.fields[1].data())[i], labels[i]);
    }
}

TEST(staging_says_what_it_is) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, std::size_t{1} << 20}) {
        const auto buffer = page_locked_buffer(bytes);
        CHECK(buffer->bytes() >= bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer->data()) % 4096 == 0);
        CHECK(buffer->locked() ? buffer->text() == "page-locked" : buffer->text().starts_with("not page-locked: "),
              buffer->text());
        std::memset(buffer->data(), 1, bytes);
    }
    const auto loader = loader_of(std::make_shared<SlowExamples>(50), 2);
    CHECK(!loader->staging_text().empty());
}

TEST(loaders_refuse) {
    const auto examples = std::make_shared<SlowExamples>(50);
    CHECK_THROWS(Loader(examples, order, {.workers = -1}), ArgumentError, "0 to 64", "-1");
    CHECK_THROWS(Loader(examples, order, {.workers = 65}), ArgumentError, "0 to 64");
    CHECK_THROWS(Loader(examples, order, {.workers = 1, .prefetch = 0}), ArgumentError, "prefetch", "0");
    CHECK_THROWS(Loader(examples, {.examples = 49, .batch = 1}, {}), ArgumentError, "49 examples", "50");
    const auto pool = std::make_shared<BufferPool>();
    const Tensor three = random_tensor(shape_of({3, 2}), DType::f32, 1), four = random_tensor(shape_of({4, 2}), DType::f32, 1);
    CHECK_THROWS(TensorExamples({"x", "y"}, {three, four}), ShapeError, "one length", "y");
    CHECK_THROWS(TensorExamples({"x"}, {}), ShapeError, "name for each");
    Sample sample;
    CHECK_THROWS(TensorExamples({"x"}, {three}).load(3, sample), ArgumentError, "no example 3", "3");
    CHECK_THROWS(stack_scaled({{"x", shape_of({2}), DType::f32}}, 0, 1, DType::f32), ArgumentError, "bytes");
}
