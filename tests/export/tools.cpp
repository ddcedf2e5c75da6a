// The tools that the files are for read them, where those are installed. GRADUS_PYTHON names the interpreter.
#include "lessons/runtime/card.hpp"
#include "tests/export/hand_run.hpp"
#include "tests/support/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>

using namespace gradus;
using namespace gradus::test;

namespace {

/// Runs Python with these words; skips the test where what it needs is not installed.
void check_with_python(const std::string& words) {
    const char* named = std::getenv("GRADUS_PYTHON");
    const std::string python = named && *named ? named : "python3";
    const std::string command = fmt::format("'{}' {} 2>/dev/null", python, words);
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    std::string last, line;
    for (int c; (c = std::fgetc(pipe)) != EOF;) {
        if (c != '\n') line += static_cast<char>(c);
        else last = std::exchange(line, {});
    }
    const int status = pclose(pipe), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 77) skip(last);
    if (code == 127) skip(python + " is not installed");
    CHECK(code == 0 && last.starts_with("PASS"), fmt::format("{}: exit {}, {}", words, code, last));
}

void check_with(const std::string& script, const std::string& arguments) {
    check_with_python(fmt::format("'{}/tests/export/{}' {}", GRADUS_SOURCE_FOLDER, script, arguments));
}

std::shared_ptr<const Run> spirals(StepIndex steps, StepIndex observe) {
    return trained_run({{"data", "spirals"}, {"layers", "2,32,32,2"}}, steps, observe);
}

} // namespace

TEST(hta_reads_kineto) {
    const TemporaryFolder folder;
    check_with("check_hta.py", exported(folder, *spirals(40, 4), "kineto", "a.json.gz") + " 40");
    check_with("check_hta.py", exported(folder, *spirals(40, 1), "kineto", "b.json", {10, 20}) + " 10");
    const auto run = trained_run({{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "0"}}, 30, 3);
    check_with("check_hta.py", exported(folder, *run, "kineto", "c.json.gz") + " 30");
}

TEST(numpy_reads_npz) {
    const TemporaryFolder folder;
    check_with("check_npz.py", exported(folder, *spirals(40, 4), "npz", "a.npz"));
    check_with("check_npz.py", "--allow-nonfinite " + exported(folder, *hand_run(), "npz", "b.npz"));
}

/// The program that a lesson shows beside the engine's run does what the run did.
TEST(pytorch_runs_the_listing) {
    const std::string card = "training-step-anatomy";
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) skip("Fashion-MNIST is not installed");
    const TemporaryFolder folder;
    const auto run = trained_run(load_library(GRADUS_SOURCE_FOLDER "/lessons").at(card).parameters, 12, 1);
    check_with("check_listing.py", fmt::format("{} '{}/lessons/cards/{}/listing.py'", exported(folder, *run, "npz", "a.npz"), GRADUS_SOURCE_FOLDER, card));
}

/// Beyond 65535 members the archive is of the zip64 kind; NumPy itself takes minutes for so many.
SLOW_TEST(python_reads_an_archive_of_many_arrays) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "0"}}, 4000, 1);
    check_with_python(
        "-c 'import sys, zipfile; archive = zipfile.ZipFile(sys.argv[1]); assert archive.testzip() is None; "
        "assert len(archive.namelist()) > 65535; print(\"PASS\")' " +
        exported(folder, *run, "npz", "a.npz"));
}
