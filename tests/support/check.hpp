#pragma once

#include <fmt/format.h>
#include <exception>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A small runner of tests that needs no Qt, so that the same rows run everywhere. A test is a function registered
/// under a name; a table is a loop in it, each row under a Row that names it. A failing check prints one line with
/// file, line, row and values, and the test goes on.
namespace gradus::test {

struct Test {
    const char* name;
    void (*run)();
    bool slow; ///< only with --slow
};
std::vector<Test>& all_tests();
struct Registered {
    Registered(const char* name, void (*run)(), bool slow) { all_tests().push_back({name, run, slow}); }
};

/// Names the row that checks belong to, as long as it lives; rows nest. Each thread has its own.
class Row {
public:
    explicit Row(std::string name);
    ~Row();
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;
};

/// Ends the test that finds something missing on this machine: counted and printed, not failed.
struct Skipped : std::runtime_error {
    using std::runtime_error::runtime_error;
};
[[noreturn]] void skip(const std::string& reason);

/// Ends a test after a failed REQUIRE, already reported.
struct Ended {};

using Where = std::source_location;
/// Counts a check and prints it if it failed. Safe to call from any thread.
bool report(bool passed, const std::string& what, const Where& where);
/// Counts a check that cannot fail any more, without a message.
void count_check();

template <class T> std::string shown(const T& value) {
    if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
    else if constexpr (std::is_floating_point_v<T>) return fmt::format("{}", value);
    else if constexpr (std::is_enum_v<T>) return std::to_string(static_cast<long long>(value));
    else if constexpr (std::is_arithmetic_v<T>) return std::to_string(value);
    else if constexpr (std::is_convertible_v<T, std::string_view>) return fmt::format("'{}'", std::string_view(value));
    else if constexpr (requires { value.begin(); value.end(); }) {
        std::string out = "[";
        for (const auto& item : value) out += (out.size() > 1 ? ", " : "") + shown(item);
        return out + "]";
    } else return "(a value)";
}

inline bool check(bool condition, const char* text, const std::string& more = {}, const Where& where = Where::current()) {
    if (condition) {
        count_check();
        return true;
    }
    return report(false, more.empty() ? text : fmt::format("{}: {}", text, more), where);
}

template <class A, class B>
bool check_equal(const A& got, const B& wanted, const char* text, const Where& where = Where::current()) {
    if (got == wanted) {
        count_check();
        return true;
    }
    return report(false, fmt::format("{} is {}, not {}", text, shown(got), shown(wanted)), where);
}

/// Accepts error <= tolerance, so that a NaN fails.
inline bool check_error(double error, double tolerance, const std::string& text, const Where& where = Where::current()) {
    if (error <= tolerance) {
        count_check();
        return true;
    }
    return report(false, fmt::format("{}: error {:.3g}, allowed {:.3g}", text, error, tolerance), where);
}

/// Checks that `run` throws an E whose sentence holds every one of `parts` and is one line.
template <class E>
bool check_throws(const std::function<void()>& run, const char* text, const std::vector<std::string>& parts,
                  const Where& where = Where::current()) {
    try {
        run();
    } catch (const E& error) {
        const std::string sentence = error.what();
        for (const std::string& part : parts)
            if (sentence.find(part) == std::string::npos)
                return report(false, fmt::format("{} says '{}', without '{}'", text, sentence, part), where);
        if (sentence.empty() || sentence.find('\n') != std::string::npos)
            return report(false, fmt::format("{} does not say one sentence: '{}'", text, sentence), where);
        count_check();
        return true;
    } catch (const std::exception& error) {
        return report(false, fmt::format("{} threw something else: '{}'", text, error.what()), where);
    }
    return report(false, fmt::format("{} threw nothing", text), where);
}

} // namespace gradus::test

#define GRADUS_TEST_NAMED(name, slow)                                                                                  \
    static void name();                                                                                                \
    static const ::gradus::test::Registered registered_##name{#name, name, slow};                                      \
    static void name()
#define TEST(name) GRADUS_TEST_NAMED(name, false)
#define SLOW_TEST(name) GRADUS_TEST_NAMED(name, true)

#define CHECK(condition, ...) ::gradus::test::check((condition), #condition __VA_OPT__(, ) __VA_ARGS__)
#define CHECK_EQUAL(got, wanted) ::gradus::test::check_equal((got), (wanted), #got)
#define CHECK_ERROR(error, tolerance, what) ::gradus::test::check_error((error), (tolerance), (what))
/// CHECK_THROWS(expression, Type, "part of the sentence", …)
#define CHECK_THROWS(expression, type, ...)                                                                            \
    ::gradus::test::check_throws<type>([&] { static_cast<void>(expression); }, #expression, {__VA_ARGS__})
/// As CHECK, but what follows makes no sense without it.
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!CHECK(condition __VA_OPT__(, ) __VA_ARGS__)) throw ::gradus::test::Ended{};                               \
    } while (false)
