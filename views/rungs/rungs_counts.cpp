#include "views/rungs/rungs_counts.hpp"

#include "engine/trace/derive/line_counters.hpp"
#include "views/rungs/rungs_words.hpp"
#include "views/theme/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using rungs_words::tr;

/// What the record of an iteration's kernels says beside its series.
struct Recorded {
    std::optional<double> launches, global_requests, shared_requests, barriers;
};

Recorded recorded(const KernelTrace* trace) {
    if (!trace) return {};
    std::int64_t global = 0, shared = 0, barriers = 0;
    for (std::size_t launch = 0; launch < trace->launches.size(); ++launch) {
        global += launch_total(*trace, launch, simt::Space::global).steps;
        shared += launch_total(*trace, launch, simt::Space::shared).steps;
    }
    for (const KernelTrace::Line& line : trace->lines)
        if (line.op == simt::Op::barrier) barriers += line.steps;
    return {static_cast<double>(trace->launches.size()), static_cast<double>(global), static_cast<double>(shared), static_cast<double>(barriers)};
}

} // namespace

std::optional<double> RungCount::factor() const {
    if (!of[0] || !of[1] || !(*of[0] > 0) || !(*of[1] > 0)) return std::nullopt;
    return std::max(*of[0], *of[1]) / std::min(*of[0], *of[1]);
}

std::vector<RungCount> compare_counts(const Run& run, const RungAt& left, const RungAt& right, const QString& chip) {
    using Unit = RungCount::Unit;
    using Bound = RungCount::Bound;
    const std::array<RungAt, 2> sides{left, right};
    const std::array<Recorded, 2> seen{recorded(left.trace), recorded(right.trace)};
    std::vector<RungCount> out;
    const auto series = [&](const char* name) {
        std::array<std::optional<double>, 2> values;
        if (!*name) return values;
        for (std::size_t i = 0; i < 2; ++i) {
            values[i] = run.value_at(name, sides[i].iteration);
            if (values[i] && !std::isfinite(*values[i])) values[i].reset(); // it was not timed
        }
        return values;
    };
    const auto put = [&](RungCount count) {
        if (count.of[0] || count.of[1]) out.push_back(std::move(count));
    };
    const auto add = [&](const char* id, const QString& name, const QString& meaning, const char* of, const char* ideal = "", Unit unit = Unit::count, Bound bound = Bound::exact,
                         Provenance provenance = Provenance::counted) { put({QString::fromLatin1(id), name, meaning, unit, provenance, bound, series(of), series(ideal)}); };
    const auto from_record = [&](const char* id, const QString& name, const QString& meaning, std::optional<double> Recorded::*of) {
        put({QString::fromLatin1(id), name, meaning, Unit::count, Provenance::counted, Bound::exact, {seen[0].*of, seen[1].*of}, {}});
    };
    from_record("launches", tr("launches"), tr("kernels launched one after the other"), &Recorded::launches);
    add("warp_instructions", tr("warp instructions"), tr("accesses, barriers, collectives and turns of loops, once for each warp"), "warp_instructions");
    from_record("barriers", tr("barriers"), tr("once for each warp that waits there"), &Recorded::barriers);
    from_record("global_requests", tr("requests, global"), tr("warp instructions that load from global memory or store there"), &Recorded::global_requests);
    add("sectors", tr("sectors"), tr("pieces of 32 bytes of global memory that requests fall into"), "sectors", "sectors_ideal");
    from_record("shared_requests", tr("requests, shared"), tr("warp instructions that load from shared memory or store there"), &Recorded::shared_requests);
    add("wavefronts", tr("wavefronts"), tr("turns of the banks of shared memory"), "wavefronts", "wavefronts_ideal");
    add("bytes_shared", tr("bytes, shared"), tr("wavefronts × 128 bytes"), "bytes_shared", "", Unit::bytes);
    add("bytes_l2", tr("bytes, L2"), tr("what is asked of L1, where L1 holds none of it"), "bytes_l1", "", Unit::bytes, Bound::at_most);
    add("bytes_memory", tr("bytes, memory"), tr("distinct sectors × 32 bytes: each once"), "bytes_memory", "", Unit::bytes, Bound::at_least);
    add("multiply_adds", tr("multiply-adds"), tr("of all lanes"), "multiply_adds");
    add("flops_per_byte", tr("FLOP per byte"), tr("two for each multiply-add, by the bytes asked of L1"), "flops_per_byte", "", Unit::flops_per_byte);
    add("modelled_seconds", tr("time, %1").arg(chip), tr("modelled, not measured: the roofline of the chip, from FLOPs and the bytes asked; no GPU is at work here"), "modelled_seconds", "", Unit::seconds, Bound::exact,
        Provenance::modelled);
    add("plain_seconds", tr("time, this CPU"), tr("measured: the same kernel on one core of this processor, without a GPU"), "plain_seconds", "", Unit::seconds, Bound::exact, Provenance::measured);
    return out;
}

int largest_change(const std::vector<RungCount>& counts, const std::vector<std::size_t>& shown) {
    int best = -1;
    double most = 1;
    for (const std::size_t i : shown) {
        const double factor = counts[i].provenance == Provenance::measured ? 1 : counts[i].factor().value_or(1);
        if (factor > most) best = static_cast<int>(i), most = factor;
    }
    return best;
}

QString value_text(const RungCount& count, std::size_t side, bool brief) {
    const std::optional<double>& value = count.of[side];
    if (!value) return QStringLiteral("–");
    QString out;
    switch (count.unit) {
    case RungCount::Unit::count: out = brief && *value >= 1e5 ? with_prefix(*value, {}).trimmed() : grouped(static_cast<qint64>(*value)); break;
    case RungCount::Unit::bytes: out = with_prefix(*value, "B"); break;
    case RungCount::Unit::seconds: out = with_prefix(*value, "s"); break;
    case RungCount::Unit::flops_per_byte: out = three_digits(*value); break;
    }
    if (count.bound == RungCount::Bound::at_most) return QStringLiteral("≤ ") + out;
    return count.bound == RungCount::Bound::at_least ? QStringLiteral("≥ ") + out : out;
}

QString change_text(const RungCount& count) {
    if (!count.of[0] || !count.of[1]) return {};
    if (*count.of[0] == *count.of[1]) return tr("the same");
    const std::optional<double> factor = count.factor();
    if (!factor) return count.grows() ? tr("none before") : tr("none any more");
    const auto form = [&](bool grows) {
        switch (count.unit) {
        case RungCount::Unit::count: return grows ? tr("%1× more") : tr("%1× fewer");
        case RungCount::Unit::bytes: return grows ? tr("%1× more") : tr("%1× less");
        case RungCount::Unit::seconds: return grows ? tr("%1× longer") : tr("%1× shorter");
        case RungCount::Unit::flops_per_byte: return grows ? tr("%1× higher") : tr("%1× lower");
        }
        return QString();
    };
    return form(count.grows()).arg(count_text(*factor));
}

} // namespace gradus
