#include "tests/file/support.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"
#include "tests/support/check.hpp"

#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace gradus::test {

Folder::Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gradus-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
}

Folder::~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

std::vector<std::shared_ptr<const Run>> record_example(const std::filesystem::path& file, int forks, StepIndex steps) {
    Recorder recorder(file);
    RunRequest request;
    request.parameters = {{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "4"}, {"lr", "0.1"}};
    request.steps = steps;
    request.observe_every = 7;
    request.device.threads = 1;
    Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.submit(Edit::parse("lr = 0.2"), 0, 5);
    session.submit(Edit::parse("W1[0, 1] = 0.5"), 0, 11);
    session.submit(Edit::parse("point 2 = 0.9, 0.1"), 0, 20);
    session.play();
    session.wait();
    for (int i = 0; i < forks; ++i) {
        session.submit_fork(Edit::parse(i % 2 == 0 ? "lr = 0.05" : "b1[1] = -1"), 0, 15 + 10 * i);
        session.play();
        session.wait();
    }
    auto runs = session.runs();
    session.stop();
    recorder.close();
    return runs;
}

std::shared_ptr<const Run> record_kernel(const std::filesystem::path& path, const std::string& rung) {
    Recorder recorder(path);
    RunRequest request;
    request.experiment = "run_kernel";
    request.parameters = {{"ladder", "transpose"}, {"rung", rung}, {"sizes", "rows=32,columns=33"}, {"record", "all"}};
    Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.play();
    session.wait();
    REQUIRE(session.status().failure.empty(), session.status().failure);
    const auto run = session.run(0);
    session.stop();
    recorder.close();
    return run;
}

bool refused(const std::filesystem::path& file, const RunFile* good) {
    try {
        const RunFile read = read_run_file(file);
        if (!good) return false;
        REQUIRE(read.runs.size() == good->runs.size());
        for (std::size_t i = 0; i < read.runs.size(); ++i) {
            const Run &a = *read.runs[i], &b = *good->runs[i];
            CHECK_EQUAL(a.manifest().to_json(), b.manifest().to_json());
            CHECK(!diff_runs(a, b).first, "the damage was believed");
            CHECK_EQUAL(a.event_count(), b.event_count());
            CHECK(a.state() == b.state());
        }
        return false;
    } catch (const FileError& error) {
        const std::string sentence = error.what();
        CHECK(sentence.find(file.filename().string()) != std::string::npos, sentence);
        CHECK(sentence.find('\n') == std::string::npos, sentence);
        CHECK(sentence.size() < 600, sentence);
        return true;
    } catch (const std::exception& error) {
        report(false, fmt::format("threw something else: {}", error.what()), Where::current());
        return true;
    }
}

} // namespace gradus::test
