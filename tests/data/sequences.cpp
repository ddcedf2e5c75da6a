// Exercises for a language model: the answers are right, and the same on every machine.
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/data/sequences.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <set>
#include <vector>

using namespace gradus;
using namespace gradus::test;

namespace {

using Kind = SequenceTask::Kind;

struct Exercise {
    std::vector<std::int32_t> tokens, answers;
};
Exercise exercise(const SequenceTask& task, std::uint64_t seed, std::uint64_t number) {
    Exercise out{std::vector<std::int32_t>(static_cast<std::size_t>(task.read())),
                 std::vector<std::int32_t>(static_cast<std::size_t>(task.answer()))};
    task.write(seed, number, out.tokens, out.answers);
    return out;
}

/// The number whose digits these are, the first one the largest, or with `backwards` the last.
std::int64_t number_of(std::vector<std::int32_t> digits, bool backwards = false) {
    if (backwards) std::reverse(digits.begin(), digits.end());
    std::int64_t number = 0;
    for (const std::int32_t digit : digits) number = 10 * number + digit;
    return number;
}

} // namespace

TEST(exercises_have_right_answers) {
    for (const Dim length : {1, 2, 5, 16})
        for (std::uint64_t number = 0; number < 200; ++number) {
            for (const Kind kind : {Kind::sort, Kind::reverse}) {
                const SequenceTask task(kind, length, 7);
                const Exercise e = exercise(task, 3, number);
                CHECK_EQUAL(task.vocabulary(), Dim{7});
                std::vector<std::int32_t> question(e.tokens.begin(), e.tokens.begin() + length);
                CHECK(std::all_of(question.begin(), question.end(), [](std::int32_t digit) { return digit >= 0 && digit < 7; }));
                if (kind == Kind::sort) std::sort(question.begin(), question.end());
                else std::reverse(question.begin(), question.end());
                CHECK(question == e.answers);
                // what is read behind the question is the answer but for its last token
                CHECK(std::equal(e.tokens.begin() + length, e.tokens.end(), e.answers.begin(), e.answers.end() - 1));
            }
            const SequenceTask task(Kind::add, length, 2);
            const Exercise e = exercise(task, 3, number);
            REQUIRE(e.tokens[static_cast<std::size_t>(length)] == 10 && e.tokens[static_cast<std::size_t>(2 * length + 1)] == 11);
            const auto first = e.tokens.begin();
            CHECK_EQUAL(number_of({first, first + length}) + number_of({first + length + 1, first + 2 * length + 1}),
                        number_of(e.answers, true));
        }
}

TEST(exercises_come_from_seed_and_number) {
    const SequenceTask task(Kind::sort, 8, 10);
    CHECK(exercise(task, 1, 5).tokens == exercise(task, 1, 5).tokens);
    CHECK(exercise(task, 1, 5).tokens != exercise(task, 2, 5).tokens);
    std::set<std::vector<std::int32_t>> different;
    for (std::uint64_t number = 0; number < 1000; ++number) different.insert(exercise(task, 1, number).tokens);
    CHECK(different.size() >= 995, std::to_string(different.size())); // of 10^8
    // the same on every machine
    CHECK_EQUAL(SequenceTask(Kind::add, 2, 10).text(1, 0), "0 9 + 8 6 = 5 9 0");
    CHECK_EQUAL(SequenceTask(Kind::sort, 4, 10).text(1, 0), "0 9 8 6 -> 0 6 8 9");
}

TEST(exercises_refuse_what_cannot_be) {
    CHECK_THROWS(SequenceTask(Kind::sort, 0, 10), ArgumentError, "1 to 512", "0");
    CHECK_THROWS(SequenceTask(Kind::add, 17, 10), ArgumentError, "1 to 16");
    CHECK_THROWS(SequenceTask(Kind::reverse, 4, 1), ArgumentError, "2 to 1000");
}
