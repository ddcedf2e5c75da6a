// What run_kernel is asked about attention itself: its scores, its mask, and what three launches move.
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/derive/attention_shape.hpp"
#include "lessons/experiments/run_kernel/process.hpp"
#include "lessons/experiments/run_kernel/topic_answers.hpp"
#include "lessons/experiments/run_kernel/traces.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gradus::kernels {

namespace {

/// Q and K of all heads, in fp64, and how they meet.
struct Inputs {
    Settings settings;
    simt::PreparedRun prepared;
    KernelValues values;
    std::int64_t heads, length, head_size;
    bool causal;

    explicit Inputs(const Asked& asked)
        : settings(read_settings(asked.setup)), prepared(*settings.request.ladder, *settings.request.rung, settings.request.sizes, settings.request.block, asked.setup.seed),
          values(prepared.initial_numbers()) {
        if (prepared.ladder->id != "attention") throw ArgumentError(fmt::format("{}: needs the ladder attention, not {}", asked.question, prepared.ladder->id));
        heads = prepared.problem.at("BH"), length = prepared.problem.at("T"), head_size = prepared.problem.at("D"), causal = prepared.problem.at("causal") != 0;
    }
    /// Of a query with the keys that it sees.
    std::vector<double> scores(std::int64_t head, std::int64_t query, bool scaled) const {
        const auto row = [&](const char* name, std::int64_t token) { return values.at(name).data() + (head * length + token) * head_size; };
        std::vector<double> out;
        for (std::int64_t key = 0; key < (causal ? query + 1 : length); ++key) {
            double sum = 0;
            for (std::int64_t d = 0; d < head_size; ++d) sum += row("Q", query)[d] * row("K", key)[d];
            out.push_back(scaled ? sum / std::sqrt(static_cast<double>(head_size)) : sum);
        }
        return out;
    }
};

bool scaled_of(const Asked& asked) {
    const std::string scaled = asked.argument("scaled", "1");
    if (scaled != "0" && scaled != "1") throw ArgumentError(fmt::format("{}: scaled must be 0 or 1, not '{}'", asked.question, shortened(scaled)));
    return scaled == "1";
}

Answer largest_weight(const Asked& asked) {
    const Inputs inputs(asked);
    const bool scaled = scaled_of(asked);
    double sum = 0;
    for (std::int64_t head = 0; head < inputs.heads; ++head)
        for (std::int64_t query = 0; query < inputs.length; ++query) {
            const std::vector<double> scores = inputs.scores(head, query, scaled);
            const double largest = *std::max_element(scores.begin(), scores.end());
            double all = 0;
            for (const double score : scores) all += std::exp(score - largest);
            sum += 1 / all;
        }
    return computed(sum / static_cast<double>(inputs.heads * inputs.length));
}

Answer score_deviation(const Asked& asked) {
    const Inputs inputs(asked);
    const bool scaled = scaled_of(asked);
    double sum = 0, squares = 0, count = 0;
    for (std::int64_t head = 0; head < inputs.heads; ++head)
        for (std::int64_t query = 0; query < inputs.length; ++query)
            for (const double score : inputs.scores(head, query, scaled)) sum += score, squares += score * score, ++count;
    const double mean = sum / count;
    return computed(std::sqrt(squares / count - mean * mean));
}

/// The kernel is run on two inputs that differ in one token.
Answer changed_rows(const Asked& asked) {
    const Inputs inputs(asked);
    const std::int64_t token = asked.integer("token", "0");
    if (token < 0 || token >= inputs.length) throw ArgumentError(fmt::format("{}: token must be 0 to {}, not {}", asked.question, inputs.length - 1, token));
    KernelValues other = inputs.values;
    for (const char* name : {"Q", "K", "V"})
        for (std::int64_t d = 0; d < inputs.head_size; ++d) other.at(name)[static_cast<std::size_t>(token * inputs.head_size + d)] *= -1;
    simt::KernelRequest request = inputs.settings.request;
    request.recording = {};
    const auto outputs = [&](const KernelValues& given) {
        const simt::KernelRun run = simt::run_kernel(request, inputs.prepared.with(given), asked.setup.stop);
        if (!run.end.done && asked.setup.stop.stop_requested()) throw Interrupted();
        if (!run.end.done || !run.answer.whole) throw UnavailableError(fmt::format("{}: the kernel {}", inputs.settings.id(), run.end.done ? "gave up" : run.end.why));
        return run.outputs().at("O");
    };
    const std::vector<double> before = outputs(inputs.values), after = outputs(other);
    std::vector<std::string> rows;
    for (std::int64_t row = 0; row < inputs.length; ++row) {
        const auto at = row * inputs.head_size;
        if (!std::equal(before.begin() + at, before.begin() + at + inputs.head_size, after.begin() + at)) rows.push_back(fmt::format("row{}", row));
    }
    return {std::move(rows), "", Provenance::computed};
}

/// Every sector of 32 bytes that a launch reads or writes crosses the bus for it once, at least; the logarithms of the sums, L, are left aside.
Answer bus_bytes(const Asked& asked) {
    const Inputs inputs(asked);
    KernelProcess process(asked.setup);
    std::int64_t sectors = 0;
    for (const simt::StepReport& launch : process.run(0).steps) sectors += launch.sectors_read + launch.sectors_written;
    return counted(static_cast<double>(32 * sectors - 4 * inputs.heads * inputs.length), "bytes");
}

Answer shared_by_launches(const Asked& asked) {
    const auto trace = counted_trace(asked);
    std::map<std::string, std::set<std::uint32_t>> launches;
    for (const KernelTrace::Line& line : trace->lines)
        if (line.space == simt::Space::global && simt::touches_memory(line.op)) launches[line.buffer].insert(line.launch);
    std::vector<std::string> names;
    for (const auto& [name, of] : launches)
        if (of.size() > 1) names.push_back(name);
    return {std::move(names), "", Provenance::counted};
}

Answer half_from(const Asked& asked) {
    const std::int64_t head_size = asked.integer("head_size", "64");
    if (head_size < 1 || head_size > 65536) throw ArgumentError(fmt::format("{}: head_size must be 1 to 65536, not {}", asked.question, head_size));
    for (std::int64_t length = 1;; ++length) {
        const AttentionTraffic bytes = three_launch_traffic({.heads = 1, .length = length, .head_size = head_size});
        if (2 * (bytes.s + bytes.p) > bytes.total()) return {static_cast<double>(length) / static_cast<double>(head_size), "", Provenance::modelled};
    }
}

} // namespace

const std::vector<AnswerEntry>& attention_basics() {
    static const std::vector<AnswerEntry> list{
        {{"largest_weight", "of attention's random Q and K: the largest weight of a query, on average, `scaled` by 1/√d (1) or not (0)", false, true}, largest_weight},
        {{"score_deviation", "the standard deviation of their scores, `scaled` or not", false, true}, score_deviation},
        {{"changed_rows", "the rows of O in head 0 that are others when its `token` is another", false, true}, changed_rows},
        {{"bus_bytes", "bytes of all launches, each sector once for each launch that touches it; without L", false, true}, bus_bytes},
        {{"shared_by_launches", "the buffers that more than one launch touches", false, true}, shared_by_launches},
        {{"half_from", "keys, in multiples of `head_size`, from which on S and P are more than half of the bytes of three launches", false, true}, half_from},
    };
    return list;
}

} // namespace gradus::kernels
