// Runs the tests of one binary:  test_core [--slow | --all] [--list] [WORD ...]
// --slow runs the slow tests instead of the quick ones, --all both; WORDs keep the tests whose name holds one of them.
// Exit 0 if all passed, 1 if one failed or none ran, 77 if every one was skipped.
#include "tests/support/check.hpp"
#include "tests/support/counts.hpp"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>

using namespace gradus::test;

int main(int argc, char** argv) {
    bool slow = false, quick = true, list = false;
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--slow") slow = true, quick = false;
        else if (word == "--all") slow = quick = true;
        else if (word == "--list") list = true;
        else words.push_back(word);
    }
    const char* slash = std::strrchr(argv[0], '/');
    const std::string binary = slash ? slash + 1 : argv[0];
    const auto seconds_since = [](std::chrono::steady_clock::time_point start) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto begun = std::chrono::steady_clock::now();
    int ran = 0, skipped = 0, failed = 0;
    for (const Test& test : all_tests()) {
        bool wanted = test.slow ? slow : quick;
        bool named = words.empty();
        for (const std::string& word : words) named |= std::string_view(test.name).find(word) != std::string_view::npos;
        if (!words.empty() && named) wanted = true; // who names a test means it
        if (!wanted || !named) continue;
        if (list) {
            std::puts(test.name);
            ++ran;
            continue;
        }
        begin_test();
        const long failures_before = counts().failures, checks_before = counts().checks;
        const auto start = std::chrono::steady_clock::now();
        bool left_out = false;
        try {
            test.run();
        } catch (const Skipped& reason) {
            fmt::print("{}: skipped: {}\n", test.name, reason.what());
            left_out = true;
        } catch (const Ended&) {
        } catch (const std::exception& error) {
            report(false, fmt::format("{} threw: {}", test.name, error.what()), Where::current());
        }
        const bool passed = counts().failures == failures_before;
        if (!left_out && passed && counts().checks == checks_before)
            report(false, fmt::format("{} checked nothing", test.name), Where::current());
        ++ran;
        skipped += left_out;
        failed += counts().failures != failures_before;
        if (const double seconds = seconds_since(start); seconds > 1 || !passed)
            fmt::print("{}{}: {:.1f} s\n", passed ? "" : "FAILED ", test.name, seconds);
        std::fflush(stdout);
    }
    if (list) return ran > 0 ? 0 : 1;
    if (ran == 0) {
        fmt::print("{}: no test ran\n", binary);
        return 1;
    }
    fmt::print("{}: {} tests, {} checks, {} failed, {} skipped, {:.1f} s\n", binary, ran, counts().checks, failed,
               skipped, seconds_since(begun));
    if (failed > 0 || counts().failures > 0) return 1;
    return skipped == ran ? 77 : 0;
}
