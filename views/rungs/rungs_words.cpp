#include "views/rungs/rungs_words.hpp"

#include "views/theme/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using rungs_words::tr;

QString access_word(simt::Op op) {
    switch (op) {
    case simt::Op::read: return tr("load");
    case simt::Op::write: return tr("store");
    case simt::Op::copy_async: return tr("asynchronous copy");
    default: return tr("atomic");
    }
}

QString per_cent(double share) { return QString::number(share > 1 - 1e-9 ? 100 : std::min(99L, std::lround(100 * share))); } // 100 only at the end

} // namespace

QString letter_of(std::size_t side) { return side == 0 ? QStringLiteral("A") : QStringLiteral("B"); }

QString way_word(RungsWay way) {
    switch (way) {
    case RungsWay::line: return tr("line");
    case RungsWay::warp_step: return tr("warp step");
    case RungsWay::barrier: return tr("barrier");
    }
    return {};
}

QString short_progress_words(const RungsModel& model) {
    const std::size_t drives = model.sides[1].drives ? 1 : 0;
    const QString done = per_cent(model.share(drives));
    switch (model.work) {
    case Work::multiply_adds: return tr("%1 % of a warp's multiply-adds are done").arg(done);
    case Work::bytes: return tr("%1 % of a warp's bytes of global memory are moved").arg(done);
    case Work::steps: return tr("%1 % of a warp's steps are done").arg(done);
    }
    return {};
}

QString class_progress_words(const RungsModel& model) {
    const auto cost = [&](std::size_t side) {
        const RungSide& shown = model.sides[side];
        return letter_of(side) + ' ' + (model.at_step ? grouped(shown.work->sectors[shown.number]) : QStringLiteral("0"));
    };
    const QString done = per_cent(model.share(model.sides[1].drives ? 1 : 0));
    const QString form = model.work == Work::multiply_adds ? tr("%1 % of the multiply-adds done. Sectors so far: %2, %3") : tr("%1 % of the work done. Sectors so far: %2, %3");
    return form.arg(done, cost(0), cost(1));
}

QString progress_words(const RungsModel& model) {
    const auto part = [&](std::size_t side) { return QStringLiteral("%1 %2 / %3").arg(letter_of(side), grouped(model.done(side)), grouped(model.sides[side].work->total(model.work))); };
    return QStringLiteral("%1: %2, %3").arg(short_progress_words(model), part(0), part(1));
}

QString so_far_words(const RungsModel& model, std::size_t side, bool brief) {
    const RungSide& shown = model.sides[side];
    if (brief && model.at_step) return tr("%1 sectors, %2 wavefronts so far").arg(grouped(shown.work->sectors[shown.number]), grouped(shown.work->wavefronts[shown.number]));
    const QString steps = grouped(static_cast<qint64>(shown.work->steps.size()));
    if (!model.at_step) return tr("warp %1 has %2 steps; none is done").arg(QString::number(shown.warp), steps);
    return tr("warp %1, step %2 of %3: %4 sectors, %5 wavefronts so far")
        .arg(QString::number(shown.warp), grouped(static_cast<qint64>(shown.number) + 1), steps, grouped(shown.work->sectors[shown.number]), grouped(shown.work->wavefronts[shown.number]));
}

QString cost_words(const LineAccess& access) {
    const QString form = access.space == simt::Space::shared ? tr("%1 of %2: %3 wavefronts per request, ideal %4; %5 requests") : tr("%1 of %2: %3 sectors per request, ideal %4; %5 requests");
    return form.arg(access_word(access.op), QString::fromStdString(access.buffer), count_text(access.each()), count_text(access.ideal_each()), grouped(access.steps));
}

QString kind_words(SourceRow::Kind kind) {
    switch (kind) {
    case SourceRow::Kind::same: return tr("in both");
    case SourceRow::Kind::changed: return tr("changed");
    case SourceRow::Kind::removed: return tr("only in A");
    case SourceRow::Kind::added: return tr("only in B");
    }
    return {};
}

QString left_out_words(std::size_t lines) { return tr("%1 more lines").arg(lines); }

} // namespace gradus
