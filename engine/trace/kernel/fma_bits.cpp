#include "engine/trace/kernel/fma_bits.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gradus {

namespace {

constexpr int lowest_power = -298;       // 2^-149 · 2^-149, of which every product and sum is a multiple
constexpr int subnormal_place = -149;    // no bit of fp32 weighs less
constexpr std::uint32_t not_a_number = 0x7fc00000, infinite = 0x7f800000, sign_bit = 0x80000000;

/// A whole number of 576 bits: a product of two fp32 ends below 2^256, which is bit 554.
struct Wide {
    static constexpr std::size_t words = 9;
    std::array<std::uint64_t, words> of{};

    static Wide shifted(std::uint64_t value, int by) {
        Wide out;
        const auto word = static_cast<std::size_t>(by / 64);
        const int bit = by % 64;
        out.of[word] = value << bit;
        if (bit && word + 1 < words) out.of[word + 1] = value >> (64 - bit);
        return out;
    }
    bool operator<(const Wide& other) const {
        for (std::size_t i = words; i-- > 0;)
            if (of[i] != other.of[i]) return of[i] < other.of[i];
        return false;
    }
    void add(const Wide& other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint64_t sum = of[i] + other.of[i], with = sum + carry;
            carry = (sum < of[i]) | (with < sum);
            of[i] = with;
        }
    }
    void subtract(const Wide& smaller) {
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint64_t rest = of[i] - smaller.of[i], with = rest - borrow;
            borrow = (rest > of[i]) | (with > rest);
            of[i] = with;
        }
    }
    bool bit(int i) const { return i >= 0 && (of[static_cast<std::size_t>(i / 64)] >> (i % 64) & 1); }
    int highest() const { ///< -1 for zero
        for (std::size_t i = words; i-- > 0;)
            if (of[i]) return static_cast<int>(i) * 64 + 63 - std::countl_zero(of[i]);
        return -1;
    }
    bool any_below(int i) const {
        for (int at = 0; at < i; ++at)
            if (bit(at)) return true;
        return false;
    }
};

ExactNumber exact(const Wide& value, bool negative) {
    ExactNumber out{negative, 0, {}};
    const int highest = value.highest();
    if (highest < 0) return out;
    out.highest = highest + lowest_power;
    for (int i = highest; i >= 0; --i) out.digits += value.bit(i) ? '1' : '0';
    out.digits.erase(out.digits.find_last_of('1') + 1);
    return out;
}

bool is_nan(const FloatBits& x) { return x.kind == FloatBits::Kind::nan; }
bool is_infinite(const FloatBits& x) { return x.kind == FloatBits::Kind::infinite; }
bool is_zero(const FloatBits& x) { return x.kind == FloatBits::Kind::zero; }

std::uint32_t special_result(const FmaBits& of, bool product_negative) {
    const bool product_infinite = is_infinite(of.a) || is_infinite(of.b);
    if (is_nan(of.a) || is_nan(of.b) || is_nan(of.c)) return not_a_number;
    if (product_infinite && (is_zero(of.a) || is_zero(of.b))) return not_a_number;
    if (product_infinite && is_infinite(of.c) && of.c.negative != product_negative) return not_a_number;
    return infinite | ((product_infinite ? product_negative : of.c.negative) ? sign_bit : 0);
}

/// To 24 bits, or fewer where the last place would weigh less than fp32 has.
void round(FmaBits& out, const Wide& sum, bool negative) {
    const int highest = sum.highest();
    const int last = std::max(highest + lowest_power - 23, subnormal_place);
    out.last_place = last;
    for (int i = highest; i >= last - lowest_power; --i) out.kept = out.kept << 1 | sum.bit(i);
    out.round_bit = sum.bit(last - lowest_power - 1);
    out.sticky_bit = sum.any_below(last - lowest_power - 1);
    const bool odd = out.kept & 1, up = out.round_bit && (out.sticky_bit || odd);
    if (!out.round_bit) out.step = out.sticky_bit ? RoundingStep::down : RoundingStep::exact;
    else if (out.sticky_bit) out.step = RoundingStep::up;
    else out.step = odd ? RoundingStep::tie_up : RoundingStep::tie_down;
    // The exponent is one less than it says, for the hidden bit adds one; a carry out of the significand adds one, too.
    const std::uint64_t bits = (static_cast<std::uint64_t>(last - subnormal_place) << 23) + out.kept + up;
    if (bits >= infinite) out.step = RoundingStep::overflow;
    out.result = (bits >= infinite ? infinite : static_cast<std::uint32_t>(bits)) | (negative ? sign_bit : 0);
}

} // namespace

std::string_view name_of(RoundingStep step) {
    switch (step) {
    case RoundingStep::exact: return "exact";
    case RoundingStep::down: return "down";
    case RoundingStep::up: return "up";
    case RoundingStep::tie_down: return "tie to even, down";
    case RoundingStep::tie_up: return "tie to even, up";
    case RoundingStep::overflow: return "overflow";
    case RoundingStep::special: return "special";
    }
    return "?";
}

FloatBits float_bits(std::uint32_t bits) {
    FloatBits out;
    out.bits = bits;
    out.negative = bits >> 31;
    out.exponent = static_cast<int>(bits >> 23 & 0xff);
    out.fraction = bits & 0x7fffff;
    if (out.exponent == 0xff) out.kind = out.fraction ? FloatBits::Kind::nan : FloatBits::Kind::infinite;
    else if (out.exponent == 0) out.kind = out.fraction ? FloatBits::Kind::subnormal : FloatBits::Kind::zero;
    else out.kind = FloatBits::Kind::normal;
    out.significand = out.fraction | (out.kind == FloatBits::Kind::normal ? 1u << 23 : 0);
    out.scale = (out.exponent ? out.exponent : 1) - 150;
    return out;
}

FmaBits fma_bits(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    FmaBits out;
    out.a = float_bits(a), out.b = float_bits(b), out.c = float_bits(c);
    const bool product_negative = out.a.negative != out.b.negative;
    for (const FloatBits* each : {&out.a, &out.b, &out.c})
        if (is_nan(*each) || is_infinite(*each)) out.step = RoundingStep::special;
    if (out.step == RoundingStep::special) {
        out.result = special_result(out, product_negative);
        return out;
    }
    const Wide product = Wide::shifted(std::uint64_t{out.a.significand} * out.b.significand, out.a.scale + out.b.scale - lowest_power);
    const Wide addend = Wide::shifted(out.c.significand, out.c.scale - lowest_power);
    Wide sum = product;
    bool negative = product_negative;
    if (out.c.negative == product_negative) sum.add(addend);
    else if (sum < addend) sum = addend, sum.subtract(product), negative = out.c.negative;
    else sum.subtract(addend);
    if (sum.highest() < 0) negative = product_negative && out.c.negative; // the sum of numbers that cancel is +0
    out.product = exact(product, product_negative);
    out.sum = exact(sum, negative);
    if (sum.highest() < 0) out.result = negative ? sign_bit : 0;
    else round(out, sum, negative);
    return out;
}

} // namespace gradus
