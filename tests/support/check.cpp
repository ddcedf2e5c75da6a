#include "tests/support/check.hpp"

#include "tests/support/counts.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <utility>

namespace gradus::test {

namespace {

std::mutex printing; // protects standard output and the failures' count per place
std::atomic<long> checks{0}, failures{0};

thread_local std::vector<std::string> rows;

/// Beyond this many failures one test says no more, so that a broken loop does not bury the rest.
constexpr long most_printed = 20;
std::atomic<long> printed{0};

} // namespace

std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

Row::Row(std::string name) { rows.push_back(std::move(name)); }
Row::~Row() { rows.pop_back(); }

void skip(const std::string& reason) { throw Skipped(reason); }

void count_check() { checks.fetch_add(1, std::memory_order_relaxed); }

bool report(bool passed, const std::string& what, const Where& where) {
    count_check();
    if (passed) return true;
    failures.fetch_add(1);
    const long number = printed.fetch_add(1);
    if (number > most_printed) return false;
    std::string row;
    for (const std::string& name : rows) row += (row.empty() ? " [" : ", ") + name;
    if (!row.empty()) row += "]";
    std::string_view file = where.file_name();
    if (const auto at = file.rfind("tests/"); at != std::string_view::npos) file.remove_prefix(at);
    const std::lock_guard lock(printing);
    if (number == most_printed) std::puts("  … and more");
    else fmt::print("{}:{}:{} {}\n", file, where.line(), row, what);
    std::fflush(stdout);
    return false;
}

Counts counts() { return {checks.load(), failures.load()}; }
void begin_test() { printed.store(0); }

} // namespace gradus::test
