// What lanes keep in their variables, beside what they do with it: what they store, hand to other lanes, and multiply and add.

#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/local_variables.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "engine/trace/kernel/locals_cursor.hpp"
#include "tests/simt/edited.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cstring>
#include <map>
#include <sstream>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

KernelRequest request_of(const char* name, const Problem& sizes) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung(name);
    request.sizes = sizes;
    return request;
}

KernelRun recorded(const char* name, const Problem& sizes, const Recording& recording = {.wanted = true}) {
    KernelRequest request = request_of(name, sizes);
    request.recording = recording;
    KernelRun run = run_kernel(request);
    REQUIRE(run.end.done && run.trace, run.end.why);
    CHECK(run.right());
    return run;
}

const LocalsCursor::Value* find(const LocalsCursor::Lane& lane, const std::string& name) {
    for (const LocalsCursor::Value& value : lane.values)
        if (value.variable->name == name) return &value;
    return nullptr;
}

std::uint64_t bits_of(std::span<const std::byte> bytes) {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
    return out;
}

std::string words_of(const KernelTrace& trace, const LocalsCursor::Lane& lane) {
    std::string out = lane.why;
    for (const LocalsCursor::Value& value : lane.values) {
        out += fmt::format("{} {} = {}{}", value.variable->type, value.variable->name,
                           value.why.empty() ? local_text(trace, *value.variable, value.bytes, 1000) : value.why,
                           value.changed ? "*" : "");
        out += fmt::format(" from {} to {};", value.from.line, value.to.line);
    }
    return out;
}

/// A kernel that writes what it keeps, line by line: `//= name` says what the line stores.
const char* const written = R"(
#include <cuda_fp16.h>
struct Pair { float a; int b; };
template <int factor> __device__ float scaled(float value) {
    const float product = value * factor;
    return product + 1;
}
__noinline__ __device__ float apart(float* y, int i, float value) {
    float own = value * 2;
    y[i] = own;              //= own
    y[i] = value;            //= value
    return own;
}
__device__ float two(float* y, int i, float first) {
    float second = first + 10;
    y[i] = first;            //= first
    y[i] = second;           //= second
    return scaled<3>(second);
}
__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float kept = x[i];
    y[i] = i;                //= i
    y[i] = kept;             //= kept
    y[i] = n;                //= n
    float acc[3][2] = {};
    bool odd = i & 1;
    y[i] = odd;              //= odd
    Pair pair{1.5f, i - 7};
    y[i] = pair.a;           //= pair.a
    y[i] = pair.b;           //= pair.b
    const __half narrow = __float2half(i * 0.5f);
    double wide = i / 3.0;
    unsigned char byte = i * 9;
    y[i] = byte;             //= byte
    for (int k = 0; k < 6; ++k) {
        float step = k * 0.25f + i;
        acc[k % 3][k & 1] += step;
        y[i] = step;         //= step
        y[i] = k;            //= k
        y[i] = acc[1][1];    //= acc[1][1]
        y[i] = acc[2][0];    //= acc[2][0]
        if (i % 3 == k) {
            int step = 100 + k;
            y[i] = step;     //= step
        }
    }
    const float got = two(y, i, kept) + apart(y, i, kept + 1);
    y[i] = got;              //= got
    auto [first_part, second_part] = pair;
    y[i] = second_part;      //= second_part
    auto lambda = [&](float given) {
        float inner = given + pair.b;
        y[i] = inner;        //= inner
        y[i] = given;        //= given
        return inner;
    };
    const float back = lambda(i * 3.0f) + first_part;
    y[i] = back;             //= back
    y[i] = __half2float(narrow); //= narrow
    y[i] = static_cast<float>(wide); //= wide
    y[i] = kept;
}
)";

/// An index that is looked at before it is used is read twice; the second is no step of its own, and what changed on the way to it has
/// changed by the next.
const char* const checked = R"(
__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ unsigned table[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(x);
    for (int j = threadIdx.x; j < 256; j += 32) table[j] = j * 3;
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        const float read = table[bytes[i + k]];
        y[i] = read;         //= read
        y[i] = k;            //= k
        float more = read + table[bytes[i]] * k;
        y[i] = more;         //= more
    }
}
)";

/// What the comment names, as a float; nothing where it is not there.
std::optional<float> named(const LocalsCursor::Lane& lane, const std::string& expression) {
    const std::size_t end = expression.find_first_of(".[");
    const LocalsCursor::Value* value = find(lane, expression.substr(0, end));
    if (!value || !value->why.empty()) return std::nullopt;
    std::uint32_t at = 0;
    std::string member;
    if (end != std::string::npos && expression[end] == '.') member = expression.substr(end);
    if (end != std::string::npos && expression[end] == '[')
        at = static_cast<std::uint32_t>((expression[end + 1] - '0') * 2 + (expression[end + 4] - '0')) *
             value->variable->stride;
    for (const LocalVariable::Part& part : value->variable->parts) {
        if (part.name != member) continue;
        const std::string text = value_text(part.kind, std::span(value->bytes).subspan(at + part.offset, part.bytes));
        return text == "true" ? 1 : text == "false" ? 0 : std::strtof(text.c_str(), nullptr);
    }
    return std::nullopt;
}

void check_written(const char* source) {
    const Edited edited(source);
    std::map<int, std::string> lines;
    std::istringstream text(source);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (const std::size_t at = line.find("//= "); at != std::string::npos) lines[number] = line.substr(at + 4);
    }
    KernelRequest request = request_of("copy/1_naive", {{"n", 128}});
    request.block = {32, 1, 1};
    request.source = edited.path.string();
    request.recording.wanted = true;
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done && run.trace, run.end.why);
    const KernelTrace& trace = *run.trace;
    LocalsCursor cursor(run.trace);
    std::map<int, int> compared;
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        const KernelTrace::Site& site = trace.sites[trace.log.site[step]];
        const auto expected = lines.find(site.place.line);
        if (trace.log.sites[trace.log.site[step]].op != simt::Op::write || expected == lines.end()) continue;
        cursor.go_to(step);
        const KernelTrace::Accesses touched = trace.accesses(step);
        for (const KernelTrace::Access& access : touched.all()) {
            if (trace.ranges[access.range].name != "y") continue;
            const LocalsCursor::Lane lane = cursor.lane(trace.log.warp[step] * 32U + access.lane);
            const auto value = named(lane, expected->second);
            const float stored = std::bit_cast<float>(static_cast<std::uint32_t>(bits_of(access.after)));
            CHECK(value && *value == stored,
                  fmt::format("line {}: {} is {}, not {}; {}", site.place.line, expected->second, value ? *value : -1,
                              stored, words_of(trace, lane)));
            ++compared[site.place.line];
        }
    }
    CHECK(lines.size() >= 3);
    for (const auto& [line, expression] : lines)
        CHECK(compared[line] >= 64, fmt::format("line {}: {} was compared {} times", line, expression, compared[line]));
}

} // namespace

TEST(locals_are_what_a_kernel_writes_of_them) {
    check_written(written);
    check_written(checked);
}

/// matmul: what the last multiply-add gave, by the shim's own hook, is what `sum` holds; what is stored is `sum`.
TEST(a_products_sum_is_what_its_multiply_adds_gave) {
    const KernelRun run =
        recorded("matmul/3_shared", {{"M", 33}, {"N", 18}, {"K", 20}}, {.wanted = true, .launch = 0, .block = 0});
    const KernelTrace& trace = *run.trace;
    LocalsCursor cursor(run.trace);
    std::size_t sums = 0, stores = 0;
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        cursor.go_to(step);
        std::map<std::uint32_t, std::uint32_t> results;
        for (std::uint64_t fma = trace.first_fma[step]; fma < trace.first_fma[step + 1]; ++fma)
            results[trace.log.fma_lane[fma]] = trace.log.fmas[fma].result;
        for (const auto& [lane, result] : results) {
            const auto values = cursor.lane(trace.log.warp[step] * 32U + lane);
            const auto* sum = find(values, "sum");
            CHECK(sum && bits_of(sum->bytes) == result && sum->changed == (sum->bytes != sum->before));
            const auto* k = find(values, "k");
            CHECK(!k || (k->variable->type == "int" && bits_of(k->bytes) < 32));
            ++sums;
        }
        const KernelTrace::Accesses touched = trace.accesses(step);
        for (const KernelTrace::Access& access : touched.all()) {
            if (trace.ranges[access.range].name != "C") continue;
            const auto values = cursor.lane(trace.log.warp[step] * 32U + access.lane);
            const auto* sum = find(values, "sum");
            CHECK(sum && bits_of(sum->bytes) == bits_of(access.after));
            ++stores;
        }
    }
    CHECK(sums > 1000 && stores > 100, fmt::format("{} sums, {} stores", sums, stores));
}

/// What lanes hand in is the variable that the source names there: the kernel's `sum`, and the parameter `value` of a function that is inlined.
TEST(what_lanes_hand_in_is_their_variable) {
    const struct {
        const char *rung, *variable;
        Problem sizes;
    } rows[] = {{"reduction/7_shuffle", "sum", {{"n", 1000}}}, {"attention/4_flash", "value", {{"T", 40}, {"D", 32}}}};
    for (const auto& row : rows) {
        const Row named(row.rung);
        const KernelRun run = recorded(row.rung, row.sizes, {.wanted = true, .launch = 0, .block = 0, .warps = 1});
        const KernelTrace& trace = *run.trace;
        LocalsCursor cursor(run.trace);
        std::size_t compared = 0;
        for (std::size_t step = 0; step < trace.steps(); ++step) {
            const KernelTrace::Collective met = trace.collective(step);
            if (!trace.is_shown(step)) continue;
            cursor.go_to(step);
            for (const KernelTrace::Handed& handed : met.all()) {
                const auto values = cursor.lane(trace.log.warp[step] * 32U + handed.lane);
                const auto *value = find(values, row.variable), *distance = find(values, "distance");
                REQUIRE(value && distance);
                CHECK_EQUAL(bits_of(value->bytes), handed.given);
                const auto apart = static_cast<int>(bits_of(distance->bytes));
                const int below = handed.lane + apart < 32 ? handed.lane + apart : handed.lane;
                CHECK_EQUAL(handed.asks, met.name == "__shfl_xor_sync" ? handed.lane ^ apart : below);
                ++compared;
            }
        }
        CHECK(compared >= 32 * 5, std::to_string(compared));
        CHECK(!cursor.lane(40).why.empty()); // another warp's lane
    }
}

/// All positions forwards, then back, then in leaps: the same words at each.
TEST(locals_are_the_same_forwards_and_back) {
    for (const auto& [rung, sizes] : {std::pair<const char*, Problem>{"reduction/7_shuffle", {{"n", 300}}},
                                      {"matmul/5_tile_2d", {{"M", 20}, {"N", 20}, {"K", 5}}}}) {
        const Row named(rung);
        const KernelRun run = recorded(rung, sizes, {.wanted = true, .launch = 0, .block = 0});
        const std::size_t steps = run.trace->steps();
        LocalsCursor cursor(run.trace);
        const std::uint32_t lanes[] = {0, 5, 31, 33};
        std::vector<std::string> there;
        const auto look = [&](std::size_t at) {
            cursor.go_to(at);
            std::string out;
            for (const std::uint32_t lane : lanes) out += words_of(*run.trace, cursor.lane(lane)) + "\n";
            return out;
        };
        const std::size_t stride = 1 + steps / 700;
        for (std::size_t at = 0; at <= steps; at += stride) there.push_back(look(at));
        for (std::size_t i = there.size(); i-- > 0;)
            CHECK(look(i * stride) == there[i], fmt::format("back at {}", i * stride));
        for (std::size_t i = 0; i < 100; ++i)
            CHECK(look(i * 7919 % there.size() * stride) == there[i * 7919 % there.size()]);
        std::size_t different = 0;
        for (std::size_t i = 1; i < there.size(); ++i) different += there[i] != there[i - 1];
        CHECK(different > there.size() / 8);
        LocalsCursor end(run.trace);
        end.go_to(steps);
        CHECK(end.lane(0).why.find("returned") != std::string::npos, end.lane(0).why);
    }
}

/// How far lanes run ahead of their warp changes nothing of what is in their variables at each of their steps.
TEST(locals_do_not_depend_on_the_logs_length) {
    const std::pair<const char*, Problem> rows[] = {{"matmul/3_shared", {{"M", 33}, {"N", 18}, {"K", 20}}},
                                                    {"reduction/7_shuffle", {{"n", 1000}}},
                                                    {"attention/4_flash", {{"T", 40}, {"D", 32}}},
                                                    {"matmul/5_tile_2d", {{"M", 33}, {"N", 18}, {"K", 20}}}};
    for (const auto& [rung, sizes] : rows) {
        const Row named(rung);
        std::optional<LocalsRecord> first;
        for (const int length : {1, 7, 1024}) {
            KernelRequest request = request_of(rung, sizes);
            request.options.log_length = length;
            request.watched = {.step = 0, .block = 0};
            const KernelRun run = run_kernel(request);
            REQUIRE(run.end.done && run.answer.locals && !run.answer.lockstep, run.end.why);
            const KernelLog::Locals& log = run.answer.locals->log;
            CHECK(log.changes.size() > 1000 && log.missed == 0);
            if (!first) first = run.answer.locals;
            CHECK(log.changes == first->log.changes, fmt::format("with logs of {}", length));
            REQUIRE(log.threads.size() == first->log.threads.size());
            for (std::size_t i = 0; i < log.threads.size(); ++i)
                CHECK(log.threads[i].events == first->log.threads[i].events &&
                      log.threads[i].first == first->log.threads[i].first);
        }
    }
}

TEST(a_variable_without_a_value_says_why) {
    const Edited edited(R"(__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float never;
    y[i] = x[i];
    float later = i;
    y[i] = x[i] + 0 * later;
    if (n < 0) never = 1, y[i] = never;
    y[i] = x[i];
}
)");
    KernelRequest request = request_of("copy/1_naive", {{"n", 64}});
    request.block = {32, 1, 1};
    request.source = edited.path.string();
    request.recording.wanted = true;
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done && run.trace, run.end.why);
    LocalsCursor cursor(run.trace);
    cursor.go_to(0);
    const auto start = cursor.lane(3);
    REQUIRE(find(start, "never") && find(start, "later") && find(start, "x") && find(start, "i"));
    CHECK_EQUAL(find(start, "never")->why, std::string("not yet set"));
    CHECK_EQUAL(find(start, "later")->why, std::string("not yet alive: it is declared further on, in line 5"));
    CHECK_EQUAL(local_text(*run.trace, *find(start, "x")->variable, find(start, "x")->bytes), std::string("&x[0]"));
    CHECK_EQUAL(find(start, "x")->variable->type, std::string("const float*"));
    CHECK_EQUAL(local_text(*run.trace, *find(start, "i")->variable, find(start, "i")->bytes), std::string("3"));
    std::size_t last = 0;
    for (std::size_t step = 0; step < run.trace->steps(); ++step)
        if (run.trace->sites[run.trace->log.site[step]].place.line == 8) last = step;
    cursor.go_to(last);
    const auto end = cursor.lane(20);
    REQUIRE(find(end, "later") && find(end, "never"));
    CHECK(find(end, "later")->why.empty() && find(end, "later")->to.line == 6 && find(end, "later")->from.line == 4,
          fmt::format("{}", find(end, "later")->to.line));
    CHECK_EQUAL(find(end, "never")->why, std::string("not yet set"));
}

TEST(there_is_only_so_much_room_for_locals) {
    const KernelRun whole = recorded("matmul/3_shared", {{"M", 16}, {"N", 16}, {"K", 20}});
    const KernelRun cut =
        recorded("matmul/3_shared", {{"M", 16}, {"N", 16}, {"K", 20}}, {.wanted = true, .most_locals = 20'000});
    const KernelRun none =
        recorded("matmul/3_shared", {{"M", 16}, {"N", 16}, {"K", 20}}, {.wanted = true, .most_locals = 0});
    CHECK(whole.trace->log.locals.missed == 0 && cut.trace->log.locals.missed > 0);
    CHECK(cut.trace->log.locals.changes.size() <= 20'200);
    CHECK(none.trace->log.locals.changes.empty() && none.trace->locals.empty());
    CHECK_EQUAL(cut.trace->steps(), whole.trace->steps());
    LocalsCursor a(whole.trace), b(cut.trace), c(none.trace);
    b.go_to(cut.trace->steps() * 3 / 4);
    CHECK(b.lane(0).why.find("no more room") != std::string::npos, b.lane(0).why);
    a.go_to(20), b.go_to(20);
    CHECK(a.lane(0).why.empty() && words_of(*whole.trace, a.lane(0)) == words_of(*cut.trace, b.lane(0)));
    CHECK_EQUAL(c.lane(0).why, std::string("no variables of this lane are recorded"));
}
