#include "engine/data/sequences.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {
constexpr std::uint64_t stream = 0x5E9; // of the random numbers, apart from those of weights and orders
constexpr std::int32_t plus = 10, equals = 11;
} // namespace

SequenceTask::SequenceTask(Kind kind, Dim length, Dim symbols)
    : kind_(kind), length_(length), symbols_(kind == Kind::add ? 10 : symbols) {
    const Dim most = kind == Kind::add ? 16 : 512;
    if (length < 1 || length > most) throw ArgumentError(fmt::format("a sequence has 1 to {} digits, not {}", most, length));
    if (symbols < 2 || symbols > 1000) throw ArgumentError(fmt::format("there are 2 to 1000 symbols, not {}", symbols));
}

Dim SequenceTask::vocabulary() const { return kind_ == Kind::add ? 12 : symbols_; }
Dim SequenceTask::question() const { return kind_ == Kind::add ? 2 * length_ + 2 : length_; }
Dim SequenceTask::answer() const { return kind_ == Kind::add ? length_ + 1 : length_; }

std::vector<std::int32_t> SequenceTask::whole(std::uint64_t seed, std::uint64_t number) const {
    const Philox random(seed, stream);
    const Dim drawn = kind_ == Kind::add ? 2 * length_ : length_;
    std::vector<std::int32_t> digits;
    for (Dim i = 0; i < drawn; ++i)
        digits.push_back(static_cast<std::int32_t>(
            random.below(number * static_cast<std::uint64_t>(drawn) + static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(symbols_))));
    const auto half = digits.begin() + static_cast<std::ptrdiff_t>(kind_ == Kind::add ? length_ : 0);
    std::vector<std::int32_t> all(digits.begin(), kind_ == Kind::add ? half : digits.end());
    if (kind_ == Kind::add) {
        all.push_back(plus);
        all.insert(all.end(), half, digits.end());
        all.push_back(equals);
        std::int32_t carry = 0;
        for (Dim i = length_ - 1; i >= 0; --i) {
            const std::int32_t sum = digits[static_cast<std::size_t>(i)] + digits[static_cast<std::size_t>(length_ + i)] + carry;
            all.push_back(sum % 10);
            carry = sum / 10;
        }
        all.push_back(carry);
        return all;
    }
    std::vector<std::int32_t> answer = digits;
    if (kind_ == Kind::sort) std::sort(answer.begin(), answer.end());
    else std::reverse(answer.begin(), answer.end());
    all.insert(all.end(), answer.begin(), answer.end());
    return all;
}

void SequenceTask::write(std::uint64_t seed, std::uint64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> answers) const {
    const std::vector<std::int32_t> all = whole(seed, number);
    std::copy_n(all.begin(), tokens.size(), tokens.begin());
    std::copy(all.end() - static_cast<std::ptrdiff_t>(answers.size()), all.end(), answers.begin());
}

std::string SequenceTask::text(std::uint64_t seed, std::uint64_t number) const {
    const std::vector<std::int32_t> all = whole(seed, number);
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out += ' ';
        if (kind_ != Kind::add && static_cast<Dim>(i) == question()) out += "-> ";
        out += kind_ == Kind::add && all[i] == plus ? "+" : kind_ == Kind::add && all[i] == equals ? "=" : std::to_string(all[i]);
    }
    return out;
}

} // namespace gradus
