#include "engine/trace/tape_trace.hpp"
#include "engine/io/export/npy.hpp"
#include "tests/export/hand_run.hpp"
#include "tests/support/check.hpp"

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <zip.h>

using namespace gradus;
using namespace gradus::test;
using nlohmann::json;

namespace {

using Members = std::map<std::string, std::string>;

Members members_of(const std::string& path) {
    Members out;
    zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
    if (!archive) throw std::runtime_error(path + " is no zip archive");
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        zip_stat_t stat;
        zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &stat);
        std::string data(stat.size, '\0');
        zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
        zip_fread(file, data.data(), data.size());
        CHECK_EQUAL(zip_fclose(file), 0); // the checksum fits
        CHECK(out.emplace(stat.name, data).second, stat.name);
    }
    zip_discard(archive);
    return out;
}

struct Array {
    std::string about; ///< the header's dictionary
    std::string data;
};

Array array_in(const Members& members, const std::string& name) {
    const auto found = members.find(name + ".npy");
    REQUIRE(found != members.end(), name);
    const std::string& bytes = found->second;
    REQUIRE(bytes.size() >= 10 && bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) == 0, name);
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[8])) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(bytes[9]));
    CHECK_EQUAL((10 + length) % 64, 0u);
    REQUIRE(bytes.size() >= 10 + length && bytes[10 + length - 1] == '\n', name);
    std::string about = bytes.substr(10, length - 1);
    about.erase(about.find_last_not_of(' ') + 1);
    return {about, bytes.substr(10 + length)};
}

template <class T> std::vector<T> numbers_in(const Members& members, const std::string& name) {
    const std::string data = array_in(members, name).data;
    std::vector<T> out(data.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), data.data(), data.size());
    return out;
}

json manifest_in(const Members& members) {
    const auto bytes = numbers_in<std::uint8_t>(members, "manifest");
    return json::parse(bytes.begin(), bytes.end());
}

} // namespace

TEST(npy_headers) {
    struct {
        DType dtype;
        Shape shape;
        const char* about;
    } const rows[] = {
        {DType::f32, shape_of({64, 784}), "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 784), }"},
        {DType::f64, shape_of({3}), "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"},
        {DType::i32, {}, "{'descr': '<i4', 'fortran_order': False, 'shape': (), }"},
        {DType::i64, shape_of({2, 3, 4}), "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3, 4), }"},
        {DType::u8, shape_of({0}), "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), }"},
        {DType::f16, shape_of({2}), "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }"},
        {DType::bf16, shape_of({2}), "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"}, // NumPy has no bf16
        {DType::boolean, shape_of({2}), "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }"},
    };
    for (const auto& row : rows) {
        const Row name(row.about);
        const Members members{{"a.npy", npy_header(row.dtype, row.shape)}};
        CHECK_EQUAL(array_in(members, "a").about, row.about);
    }
}

TEST(npz_of_types_that_are_no_floats_of_32_bits) {
    const TemporaryFolder folder;
    Manifest manifest;
    manifest.id = "types";
    manifest.planned_steps = 1;
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{}, nullptr);
    RunWriter writer(run);
    writer.begin_iteration(0, true);
    auto kept = std::make_shared<IterationTensors>();
    const std::vector<double> numbers{1, 0, 2.5, 0.1};
    const auto add = [&](const char* name, const Tensor& tensor) {
        kept->tensors.push_back({{{0, static_cast<std::int32_t>(kept->tensors.size())}, 0}, name, Role::activation, tensor, 0});
    };
    for (const DType dtype : {DType::f16, DType::bf16, DType::boolean})
        add(std::string(name_of(dtype)).c_str(), tensor_of(shape_of({2, 2}), numbers, dtype).transposed(0, 1));
    writer.keep(std::move(kept));
    writer.end_iteration();
    writer.finish(RunState::finished);
    const Members members = members_of(exported(folder, *run, "npz", "a.npz"));
    CHECK_EQUAL(array_in(members, "iter_000000/fp16").about, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2), }");
    CHECK_EQUAL(numbers_in<std::uint16_t>(members, "iter_000000/fp16"), (std::vector<std::uint16_t>{0x3c00, 0x4100, 0, 0x2e66}));
    CHECK_EQUAL(array_in(members, "iter_000000/bf16").about, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }");
    CHECK_EQUAL(numbers_in<float>(members, "iter_000000/bf16"), (std::vector<float>{1, 2.5f, 0, 0.10009765625f}));
    CHECK_EQUAL(array_in(members, "iter_000000/bool").about, "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }");
    CHECK_EQUAL(numbers_in<std::uint8_t>(members, "iter_000000/bool"), (std::vector<std::uint8_t>{1, 1, 0, 1}));
    CHECK_EQUAL(manifest_in(members)["arrays"]["iter_000000/bf16"]["dtype"].get<std::string>(), "bf16");
}

TEST(npz_of_a_known_run) {
    const TemporaryFolder folder;
    const Members members = members_of(exported(folder, *hand_run(), "npz", "a.npz"));
    using F = std::vector<float>;
    CHECK_EQUAL(numbers_in<float>(members, "iter_000000/before/W1"), (F{1, 2, 3, 4, 5, 6}));
    CHECK_EQUAL(numbers_in<float>(members, "iter_000000/before/b1"), (F{0.5f})); // the edit's, not the iteration's
    CHECK_EQUAL(numbers_in<float>(members, "iter_000000/x·W1"), (F{1, 3, 5, 2, 4, 6})); // row-major now
    CHECK_EQUAL(array_in(members, "iter_000000/x·W1").about,
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
    CHECK_EQUAL(numbers_in<float>(members, "iter_000000/rows"), (F{3, 4, 5, 6}));
    CHECK_EQUAL(array_in(members, "iter_000000/loss").about, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }");
    CHECK_EQUAL(numbers_in<std::int32_t>(members, "iter_000000/labels"), (std::vector<std::int32_t>{3, 1, 2}));
    CHECK_EQUAL(numbers_in<double>(members, "iter_000000/twice"), (std::vector<double>{7, 8}));
    CHECK_EQUAL(numbers_in<double>(members, "iter_000000/twice@4.3"), (std::vector<double>{0.5}));
    CHECK_EQUAL(numbers_in<double>(members, "iter_000000/say \"hi\", _ _ x·W1"), (std::vector<double>{0.5}));
    CHECK_EQUAL(numbers_in<double>(members, "series/loss").size(), 4u);
    CHECK_EQUAL(numbers_in<double>(members, "series/odd, \"series\""), (std::vector<double>{2.5e-300, 2.5e-300}));
    CHECK_EQUAL(numbers_in<std::int64_t>(members, "series/odd, \"series\".iteration"),
                (std::vector<std::int64_t>{0, 2}));
    CHECK_EQUAL(numbers_in<std::int64_t>(members, "series/seed_loss.seed"), (std::vector<std::int64_t>{0, 1}));
    for (const auto& [name, data] : members) CHECK(name.ends_with(".npy"), name);

    const json about = manifest_in(members);
    CHECK_EQUAL(about["run"]["parameters"]["note"].get<std::string>(), odd_name);
    CHECK_EQUAL(about["edits"][1], json::parse(R"({"iteration": 2, "edit": "W1[1, 0] = 3"})"));
    CHECK_EQUAL(about["arrays"]["iter_000000/x·W1"]["provenance"].get<std::string>(), "computed");
    CHECK_EQUAL(about["arrays"]["iter_000000/x·W1"]["tensor_id"].get<std::string>(), "0:3.0");
    CHECK_EQUAL(about["arrays"]["series/step_seconds"]["provenance"].get<std::string>(), "measured");
    CHECK_EQUAL(about["arrays"]["series/step_seconds"]["unit"].get<std::string>(), "s");
    CHECK_EQUAL(about["arrays"]["series/step_seconds"]["axes"], json::parse(R"(["iteration"])"));
    const json& missing = about["missing"];
    REQUIRE(missing.size() == 4);
    CHECK_EQUAL(missing[0]["array"].get<std::string>(), "iter_000000/gone");
    CHECK_EQUAL(missing[0]["hash"].get<std::string>(), "000000000000abcd");
    CHECK_EQUAL(missing[1]["from"].get<int>(), 1);
    CHECK_EQUAL(missing[1]["until"].get<int>(), 2);
    CHECK(missing[1]["reason"].get<std::string>().starts_with("not observed"));
    CHECK(missing[2]["reason"].get<std::string>().starts_with("observed"));
}

TEST(npz_of_a_part_a_fork_and_of_nothing) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const Members part = members_of(exported(folder, *run, "npz", "a.npz", {1, 4}));
    CHECK(!part.contains("iter_000000/loss.npy"));
    CHECK_EQUAL(numbers_in<std::int64_t>(part, "series/loss.iteration"), (std::vector<std::int64_t>{1, 2, 3}));

    const Members fork = members_of(exported(folder, *hand_fork(run), "npz", "a.npz"));
    CHECK(fork.contains("iter_000000/loss.npy")); // its parent's
    CHECK_EQUAL(numbers_in<std::int64_t>(fork, "series/loss.iteration"), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    CHECK_EQUAL(numbers_in<double>(fork, "series/loss")[3], 3.0);

    const Members nothing = members_of(exported(folder, *empty_run(), "npz", "a.npz"));
    CHECK_EQUAL(nothing.size(), 1u);
    CHECK_EQUAL(manifest_in(nothing)["missing"].size(), 4u); // the series
}

TEST(npz_of_a_trained_run_holds_every_kept_tensor) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "spirals"}, {"layers", "2,8,2"}}, 30, 10);
    const Members members = members_of(exported(folder, *run, "npz", "a.npz"));
    std::size_t tensors = 0;
    for (StepIndex i = -1; i < run->head(); ++i) {
        const auto kept = run->tensors_of(i);
        if (!kept) continue;
        for (const RecordedTensor& recorded : kept->tensors) {
            // state from the iteration before, or what was fed or edited in from outside
            const bool before = recorded.id.event.iteration != i || recorded.id.event.ordinal >= first_edit_ordinal;
            const std::string name =
                (i < 0 ? "setup" : fmt::format("iter_{:06}", i)) + (before ? "/before/" : "/") + recorded.name;
            const Row row(name);
            const Array array = array_in(members, name);
            REQUIRE(array.data.size() == recorded.tensor.bytes());
            CHECK(std::memcmp(array.data.data(), recorded.tensor.raw(), array.data.size()) == 0);
            ++tensors;
        }
    }
    CHECK(tensors > 100);
    std::size_t others = 1; // the manifest
    for (const auto& series : run->series()) others += series->size() > 0 ? 2 : 0;
    CHECK_EQUAL(members.size(), tensors + others);
    CHECK_EQUAL(numbers_in<double>(members, "series/loss")[29], run->value_at("loss", 29).value());
}
