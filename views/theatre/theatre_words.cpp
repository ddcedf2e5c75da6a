#include "views/theatre/theatre_words.hpp"

#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

QString dims(int x, int y, int z, const Dim3& of) {
    if (of.z > 1) return QStringLiteral("(%1, %2, %3)").arg(x).arg(y).arg(z);
    if (of.y > 1) return QStringLiteral("(%1, %2)").arg(x).arg(y);
    return QString::number(x);
}

QString at_of(std::int64_t number, const Dim3& of) {
    return dims(static_cast<int>(number % of.x), static_cast<int>(number / of.x % of.y), static_cast<int>(number / of.x / of.y), of);
}

} // namespace

QString finding_word(const std::string& kind) {
    if (kind == "race") return tr("race");
    if (kind == "out-of-bounds") return tr("out of bounds");
    if (kind == "misaligned") return tr("misaligned");
    if (kind == "uninitialised") return tr("not initialised");
    if (kind == "mismatched-barrier") return tr("mismatched barrier");
    if (kind == "never-meets") return tr("never meets");
    if (kind == "endless") return tr("endless");
    if (kind == "trap") return tr("trap");
    return QString::fromStdString(kind);
}

QString word_words(const Selection& selection) {
    QStringList parts;
    for (const Dim at : selection.element) parts << QString::number(at);
    return QStringLiteral("%1[%2]").arg(QString::fromStdString(selection.tensor), parts.join(QStringLiteral(", ")));
}

QString touch_words(const KernelTrace& trace, std::size_t step, const WordAt& word) {
    const KernelTrace::Accesses touched = trace.accesses(step);
    std::uint32_t lanes = 0;
    QString values;
    for (const KernelTrace::Access& access : touched.all()) {
        if (access.range != word.range || access.offset >= word.offset + word.bytes || word.offset >= access.offset + access.before.size()) continue;
        lanes |= 1u << access.lane;
        if (access.offset > word.offset || access.offset + access.before.size() < word.offset + word.bytes) continue;
        const auto part = [&](std::span<const std::byte> bytes) {
            const QString all = QString::fromStdString(value_text(kind_of(trace.ranges[word.range].type), bytes.subspan(word.offset - access.offset, word.bytes)));
            bool number = false;
            const double value = all.toDouble(&number); // what fp32 tells apart is eight digits, and a reader wants fewer
            if (number && std::isnan(value)) return QStringLiteral("NaN");
            return with_minus(number && all.contains('.') ? QString::number(value, 'g', 6) : all);
        };
        if (values.isEmpty()) values = access.after.empty() ? part(access.before) : part(access.before) + QStringLiteral(" → ") + part(access.after);
    }
    const KernelLog::Block& block = trace.log.blocks[trace.block_of(step)];
    const Dim3& grid = trace.launches[block.launch].grid;
    const QString who = std::popcount(lanes) == 1 ? tr("lane %1").arg(std::countr_zero(lanes)) : tr("%1 lanes").arg(std::popcount(lanes));
    return tr("line %1, block %2, warp %3, %4: %5")
        .arg(QString::number(trace.sites[trace.log.site[step]].place.line), at_of(block.number, grid), QString::number(trace.log.warp[step]), who, values);
}

QString op_word(simt::Op op) {
    switch (op) {
    case simt::Op::read: return tr("load");
    case simt::Op::write: return tr("store");
    case simt::Op::atomic: return tr("atomic");
    case simt::Op::copy_async: return tr("asynchronous copy");
    case simt::Op::barrier: return tr("barrier");
    case simt::Op::meet: return tr("collective");
    case simt::Op::active: return tr("active mask");
    case simt::Op::branch: return tr("branch");
    case simt::Op::fault: return tr("fault");
    case simt::Op::none: break;
    }
    return tr("step");
}

QString state_word(LaneState state) {
    switch (state) {
    case LaneState::active: return tr("active");
    case LaneState::elsewhere: return tr("masked off: at another instruction");
    case LaneState::waiting: return tr("waiting");
    case LaneState::done: return tr("done");
    case LaneState::absent: return tr("no such thread");
    }
    return {};
}

QString block_words(const TheatreModel& model) {
    const KernelLog::Block& block = model.events->trace().log.blocks[model.block->number()];
    const Dim3& grid = model.block->launch().grid;
    return tr("block %1 of %2").arg(at_of(block.number, grid), dims(grid.x, grid.y, grid.z, grid));
}

QString where_words(const TheatreModel& model) { return tr("%1, warp %2").arg(block_words(model)).arg(model.warp); }

QString about_words(const KernelTrace::Finding& finding) {
    if (finding.threads.size() < 2) { // a name has no space: "shared memory" is what the interpreter calls what has none
        const bool named = finding.buffer.find(' ') == std::string::npos;
        return named ? QString::fromStdString(finding.buffer) : QString();
    }
    const KernelTrace::Thread &one = finding.threads[0], &other = finding.threads[1];
    const auto both = [](const QString& words, auto a, auto b) { return words.arg(std::min(a, b)).arg(std::max(a, b)); };
    if (one.block != other.block) return both(tr("blocks %1 and %2"), one.block, other.block);
    if (one.rank / 32 != other.rank / 32) return both(tr("warps %1 and %2"), one.rank / 32, other.rank / 32);
    return both(tr("lanes %1 and %2"), one.rank % 32, other.rank % 32);
}

QString class_words(const TheatreFinding& finding, const QFont& font, double width) {
    const QString kind = QStringLiteral("✕ ") + finding.kind, all = kind + QStringLiteral(": ") + finding.about;
    return finding.about.isEmpty() || TextMetrics(font).horizontalAdvance(all) > width ? kind : all;
}

QString block_at(const TheatreModel& model, std::int64_t number) { return at_of(number, model.block->launch().grid); }

QString grid_words(const TheatreModel& model) {
    const auto sides = [](const Dim3& of) {
        QStringList out{QString::number(of.x)};
        if (of.y > 1 || of.z > 1) out << QString::number(of.y);
        if (of.z > 1) out << QString::number(of.z);
        return out.join(QStringLiteral(" × "));
    };
    const Dim3 &grid = model.block->launch().grid, &block = model.block->launch().block;
    return tr("%1 blocks of %2 threads, %3 in all").arg(sides(grid), sides(block), grouped(grid.count() * block.count()));
}

QString lanes_words(const TheatreModel& model) {
    const std::uint32_t there = model.block->lanes_of(model.warp);
    return tr("%1 of %2 lanes active").arg(model.stand.count(LaneState::active)).arg(std::popcount(there));
}

QString others_words(const TheatreModel& model) {
    const KernelTrace& trace = model.events->trace();
    std::int32_t line = 0;
    int count = 0;
    for (const LaneStand& lane : model.stand.lanes) {
        if (lane.state != LaneState::elsewhere) continue;
        const KernelPlace& place = trace.sites[trace.log.site[lane.next]].place;
        if (line && line != place.line) return {};
        line = place.line, ++count;
    }
    return count == 0 || line == 0 ? QString() : QStringLiteral(", ") + tr("%1 at line %2").arg(count).arg(line);
}

QString step_words(const TheatreModel& model) {
    if (!model.collective.isEmpty()) return model.collective;
    if (!model.touches) return op_word(model.op);
    return tr("%1, %2").arg(op_word(model.op), model.buffer);
}

QString transfers_words(const TheatreModel& model, int count) {
    return (model.space == simt::Space::shared ? count == 1 ? tr("%1 wavefront") : tr("%1 wavefronts") : count == 1 ? tr("%1 sector") : tr("%1 sectors")).arg(count);
}

QString memory_words(const TheatreModel& model) {
    if (!model.touches) return {};
    if (model.space == simt::Space::global)
        return (model.sectors.bytes_asked > model.sectors.bytes_moved ? tr("The lanes want %1 bytes, many of them the same: they fall into %2, and %3 bytes move.")
                                                                      : tr("The lanes want %1 bytes and fall into %2: %3 bytes move."))
            .arg(QString::number(model.sectors.bytes_asked), transfers_words(model, model.sectors.sectors), QString::number(model.sectors.bytes_moved));
    if (model.space == simt::Space::shared) {
        const auto turns = static_cast<int>(model.banks.turns.size());
        int words = 0;
        for (const BankPicture::Turn& turn : model.banks.turns)
            for (const BankPicture::Word& word : turn) words += word.lanes != 0;
        if (turns <= model.banks.ideal && words == 1) return tr("One word serves all lanes: no conflict.");
        if (turns <= model.banks.ideal && words < model.stand.count(LaneState::active)) return tr("%1 words serve all lanes at once: no conflict.").arg(words);
        if (turns <= model.banks.ideal) return tr("No bank is asked for two words at once: no conflict.");
        return tr("Bank %1 is asked for %2 different words: one in each turn.").arg(model.banks.busiest()).arg(turns);
    }
    return tr("A lane's own memory: registers on a GPU.");
}

QString thread_words(const TheatreModel& model, int lane) {
    const Dim3& block = model.block->launch().block;
    return tr("thread %1").arg(at_of(std::int64_t{model.warp} * 32 + lane, block));
}

QString counter_words(const LineAccess& access) {
    const QString form = access.space == simt::Space::shared ? tr("%1 of %2: %3 wavefronts per request, ideal %4; %5 requests, %6 lanes each")
                                                             : tr("%1 of %2: %3 sectors per request, ideal %4; %5 requests, %6 lanes each");
    return form.arg(op_word(access.op), QString::fromStdString(access.buffer), count_text(access.each()), count_text(access.ideal_each()), grouped(access.steps), count_text(access.active()));
}

QString barrier_words(const TheatreModel& model, bool brief) {
    if (!model.block || !model.block->has_barrier()) return {}; // nobody waits there
    return (brief ? tr("barrier: %1 of %2") : tr("%1 of %2 at the barrier")).arg(model.barrier.arrived).arg(model.barrier.live);
}

QString finding_words(const TheatreFinding& finding) { return tr("%1: %2").arg(finding.kind, finding.sentence); } // which names its line

QString more_findings_words(std::size_t count) { return tr("%1 more ›").arg(count); }

QString verdict_words(const TheatreModel& model) {
    if (!model.there()) return {};
    QString out;
    if (model.max_error) {
        const bool right = *model.max_error <= model.tolerance; // a NaN is not
        const QString error = three_digits(*model.max_error);
        if (std::isnan(*model.max_error)) out = tr("✕ Wrong: NaN where the reference has a number.");
        else if (model.tolerance == 0) out = right ? tr("Right: equal to the reference.") : tr("✕ Wrong: off by %1 of the reference; it must be equal.").arg(error);
        else out = (right ? tr("Right: off by %1 of the reference, %2 is allowed.") : tr("✕ Wrong: off by %1 of the reference, %2 is allowed.")).arg(error, three_digits(model.tolerance));
    }
    if (!model.findings.empty()) {
        const TheatreFinding& first = model.findings.front();
        out += (out.isEmpty() ? QString() : QStringLiteral(" ")) + QStringLiteral("✕ ") + finding_words(first);
        if (model.findings.size() > 1) out += QStringLiteral(" ") + tr("(and %1 more; F8 goes from one to the next)").arg(model.findings.size() - 1);
    }
    return out;
}

QString rounding_words(RoundingStep step) {
    switch (step) {
    case RoundingStep::exact: return tr("exact: nothing to round");
    case RoundingStep::down: return tr("rounded down: less than half of the last place");
    case RoundingStep::up: return tr("rounded up: more than half of the last place");
    case RoundingStep::tie_down: return tr("just half: the last place is even and stays");
    case RoundingStep::tie_up: return tr("just half: up to the even neighbour");
    case RoundingStep::overflow: return tr("overflow: infinite");
    case RoundingStep::special: return tr("an operand is not finite");
    }
    return {};
}

} // namespace gradus
