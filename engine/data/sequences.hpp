#pragma once

#include "engine/core/ids.hpp"
#include "engine/core/shape.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// Exercises for a language model whose right answers are known: a question of some tokens, then the answer that follows from it.
/// A model reads all tokens but the last and is to tell, from the question's last token on, each next one.
///
///     sort     3 1 2     -> 1 2 3
///     reverse  3 1 2     -> 2 1 3
///     add      4 7 + 1 9 = -> 6 6 0        the sum's digits from the last to the first, so that a carry is known when it is needed
///
/// Every exercise is a pure function of (seed, number), the same on every machine.
class SequenceTask {
public:
    enum class Kind : std::uint8_t { sort, reverse, add };
    /// `length`: digits of what is sorted or reversed, or of each number that is added; `symbols`: how many different ones there
    /// are (add: always 10). Throws ArgumentError unless 1 <= length <= 512 (add: 16) and 2 <= symbols <= 1000.
    SequenceTask(Kind kind, Dim length, Dim symbols);

    Dim vocabulary() const;                             ///< V: symbols, and for add '+' (10) and '=' (11)
    Dim question() const;                               ///< tokens of it
    Dim answer() const;                                 ///< tokens of it: A
    Dim read() const { return question() + answer() - 1; } ///< tokens that the model reads: T

    /// Writes one exercise: tokens (T), answers (A), each in [0, V).
    void write(std::uint64_t seed, std::uint64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> answers) const;
    /// Exercise `number` as a person would write it: "4 7 + 1 9 = 6 6 0".
    std::string text(std::uint64_t seed, std::uint64_t number) const;

private:
    std::vector<std::int32_t> whole(std::uint64_t seed, std::uint64_t number) const;

    Kind kind_;
    Dim length_, symbols_;
};

} // namespace gradus
