// What the theatre can name: for hovering, the keyboard, screen readers and tests.
#include "views/theatre/theatre_view.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"

#include <bit>

namespace gradus {

void TheatreView::codeItems(std::vector<ViewItem>& out) const {
    const TheatreGeometry& g = picture_.geometry;
    for (const TheatreGeometry::CodeRow& row : g.rows) {
        const TheatreLine& line = picture_.model.code[static_cast<std::size_t>(row.line) - 1];
        if (row.goes_on || line.text.trimmed().isEmpty()) continue;
        QString name = row.line == picture_.model.line && picture_.model.at_step ? tr("line %1, where you stand: %2") : tr("line %1: %2");
        const QRectF text(row.rect.topLeft(), QPointF(row.text.right(), row.rect.bottom()));
        out.push_back({text, QStringLiteral("line%1").arg(row.line), name.arg(QString::number(row.line), line.text.trimmed()), {}, Provenance::counted, Role::metric});
        const auto column = [&](const std::vector<LineAccess>& accesses, const QRectF& rect, const char* id) {
            if (accesses.empty() || rect.isNull()) return;
            QStringList words;
            for (const LineAccess& access : accesses) words << counter_words(access);
            out.push_back({rect, QStringLiteral("counters%1.%2").arg(row.line).arg(QLatin1String(id)), tr("what line %1 costs").arg(row.line), words.join('\n'), Provenance::counted, Role::metric,
                           {QStringLiteral("counters")}});
        };
        column(line.sectors, row.sectors, "sectors");
        column(line.wavefronts, row.wavefronts, "wavefronts");
    }
    for (std::size_t i = 0; i < g.finding_rows.size(); ++i) {
        const std::size_t number = g.first_finding + i;
        const TheatreFinding finding = picture_.secret ? TheatreFinding{} : picture_.model.findings[number];
        out.push_back({g.finding_rows[i], QStringLiteral("finding%1").arg(number), finding.kind, finding.sentence, Provenance::counted, Role::metric, {QStringLiteral("findings")}});
    }
    if (!g.more_findings.isNull() && !picture_.secret)
        out.push_back({g.more_findings, QStringLiteral("more-findings"), tr("what else was found"), tr("F8 goes from one to the next"), Provenance::computed, Role::metric, {QStringLiteral("findings")}});
    if (!g.touch_rows.empty())
        out.push_back({g.touch_rows.front(), QStringLiteral("touches"), tr("%1 is singled out").arg(picture_.model.word), tr("lets go of it"), Provenance::computed, Role::metric});
    for (std::size_t i = 1; i < g.touch_rows.size() && g.first_touch + i - 1 < picture_.model.touching.size(); ++i)
        out.push_back({g.touch_rows[i], QStringLiteral("touch%1").arg(i), tr("%1 is touched here").arg(picture_.model.word), picture_.model.touching[g.first_touch + i - 1].words, Provenance::computed,
                       Role::metric, {QStringLiteral("touches")}});
}

void TheatreView::laneItems(std::vector<ViewItem>& out) const {
    const TheatreGeometry& g = picture_.geometry;
    const TheatreModel& model = picture_.model;
    if (!g.lanes_head.isNull()) {
        const QRectF count(g.lanes_head.right() - 220, g.lanes_head.top(), 220, g.lanes_head.height());
        out.push_back({count, QStringLiteral("active"), tr("lanes"), lanes_words(model), Provenance::counted, Role::metric});
    }
    const KernelTrace& trace = model.events->trace();
    const KernelTrace::Accesses touched = trace.accesses(model.step);
    for (int lane = 0; lane < static_cast<int>(g.lanes.size()); ++lane) {
        const LaneStand& stand = model.stand.lanes[static_cast<std::size_t>(lane)];
        if (stand.state == LaneState::absent) continue;
        QString value = stand.state == LaneState::active ? model.values[static_cast<std::size_t>(lane)] : state_word(stand.state);
        if (const QString& before = model.before[static_cast<std::size_t>(lane)]; !before.isEmpty()) value = before + QStringLiteral(" → ") + value;
        for (const KernelTrace::Access& access : touched.all()) {
            if (access.lane != lane) continue;
            const Selection word = selection_of(trace, access.range, access.offset);
            value += '\n' + (word.tensor.empty() ? tr("%1 + %2 bytes").arg(model.buffer).arg(access.offset) : word_words(word));
        }
        if (stand.state == LaneState::active && value.isEmpty()) value = state_word(stand.state);
        out.push_back({g.lanes[static_cast<std::size_t>(lane)], QStringLiteral("lane%1").arg(lane), tr("lane %1, %2").arg(QString::number(lane), thread_words(model, lane)), value, Provenance::computed,
                       Role::metric, {QStringLiteral("lanes")}});
    }
    if (!g.locals.isNull() && !model.locals.empty()) {
        QStringList words;
        for (const TheatreLocal& local : model.locals) words << QStringLiteral("%1 = %2").arg(local.name, local.value);
        out.push_back({g.locals, QStringLiteral("locals"), tr("variables of lane %1, as it comes to this step").arg(model.shown_lane), words.join('\n'), Provenance::computed, Role::metric});
    }
}

void TheatreView::memoryItems(std::vector<ViewItem>& out) const {
    const TheatreGeometry& g = picture_.geometry;
    const TheatreModel& model = picture_.model;
    if (model.touches && model.space <= simt::Space::shared && (!g.memory.isNull() || !g.memory_head.isNull()) && !model.bits) {
        const QString id = model.space == simt::Space::shared ? QStringLiteral("wavefronts") : QStringLiteral("sectors");
        const QRectF cost = g.memory_head.isNull() ? g.memory_foot : QRectF(g.memory_head.right() - 220, g.memory_head.top(), 220, g.memory_head.height());
        out.push_back({cost, id, tr("what this step moves"), tr("%1, ideal %2").arg(transfers_words(model, model.transfers())).arg(model.ideal()), Provenance::counted, Role::metric});
        if (!g.more.isNull()) out.push_back({g.more, id + ".more", tr("what has no room"), memory_words(model), Provenance::counted, Role::metric, {id}});
        if (!g.memory.isNull()) out.push_back({g.memory.adjusted(-2, -2, 2, 2), id + ".picture", model.space == simt::Space::shared ? tr("banks of shared memory") : tr("sectors of global memory"), memory_words(model), Provenance::counted, Role::metric, {id}});
        if (!g.memory_head.isNull() && g.memory_foot.height() >= 1) out.push_back({g.memory_foot, id + ".words", tr("in words"), memory_words(model), Provenance::counted, Role::metric, {id}});
    }
    for (const TheatreGeometry::Sector& sector : g.sectors) {
        const SectorPicture::Line& line = model.sectors.lines[sector.line];
        const std::uint32_t lanes = line.lanes_of(sector.sector);
        if (!lanes) continue;
        const Selection first = selection_of(model.events->trace(), line.range, line.first + static_cast<std::uint64_t>(sector.sector) * 32);
        out.push_back({sector.rect, QStringLiteral("sector%1.%2").arg(sector.line).arg(sector.sector), tr("sector from %1 on").arg(word_words(first)), tr("lanes: %1").arg(lanes_text(lanes)), Provenance::counted,
                       Role::data, {QStringLiteral("sectors")}});
    }
    if (const TheatreFinding* found = model.found_here(); sparse() && (found || picture_.secret) && !g.memory_foot.isNull()) { // what a class is told of it, and what a cover lies over
        const QRectF words(g.memory_foot.topLeft(), QSizeF(g.memory_foot.width() * 0.55, g.memory_foot.height()));
        const TheatreFinding told = picture_.secret ? TheatreFinding{} : *found;
        out.push_back({words, QStringLiteral("found"), told.kind, told.sentence, Provenance::counted, Role::metric, {QStringLiteral("findings")}});
    }
    if (!g.grid.isNull()) out.push_back({g.grid, QStringLiteral("grid"), tr("the launch's blocks"), grid_words(model), Provenance::counted, Role::metric});
    for (const KernelLog::Block& block : model.events->trace().log.blocks) // those that can be walked into
        if (block.launch == model.launch && block.number < g.blocks.size() && !g.blocks[block.number].isNull())
            out.push_back({g.blocks[block.number], QStringLiteral("block%1").arg(block.number), tr("block %1").arg(block_at(model, static_cast<std::int64_t>(block.number))), {}, Provenance::counted, Role::metric,
                           {QStringLiteral("grid")}});
    if (model.bits && !g.bits.isNull()) {
        out.push_back({g.bits, QStringLiteral("bits"), tr("one multiply-add, bit by bit"),
                       tr("%1 × %2 + %3 = %4: %5")
                           .arg(three_digits(static_cast<double>(std::bit_cast<float>(model.bits->a.bits))), three_digits(static_cast<double>(std::bit_cast<float>(model.bits->b.bits))),
                                three_digits(static_cast<double>(std::bit_cast<float>(model.bits->c.bits))), three_digits(static_cast<double>(std::bit_cast<float>(model.bits->result))),
                                rounding_words(model.bits->step)),
                       Provenance::computed, Role::metric});
    }
    for (std::size_t warp = 0; warp < g.warp_cells.size(); ++warp) {
        const int live = model.barrier.live_of[warp], all = std::popcount(model.block->lanes_of(static_cast<int>(warp)));
        const QString stand = model.block->has_barrier() ? tr("%1 of %2 threads at the barrier").arg(model.barrier.arrived_of[warp]).arg(live) : tr("%1 of %2 threads done").arg(all - live).arg(all);
        out.push_back({g.warp_cells[warp], QStringLiteral("warp%1").arg(warp), tr("warp %1").arg(warp), stand, Provenance::counted, Role::metric, {QStringLiteral("warps")}});
    }
    if (!g.whole.isNull() && model.turns) {
        const std::size_t at = model.turns->find(model.step);
        out.push_back({g.whole, QStringLiteral("whole"), tr("the warp's way through its block"), tr("step %1 of %2").arg(grouped(static_cast<qint64>(at) + 1), grouped(static_cast<qint64>(model.turns->steps.size()))),
                       Provenance::counted, Role::metric});
        out.push_back({g.detail, QStringLiteral("detail"), tr("the steps round this one"), step_words(model), Provenance::counted, Role::metric});
    }
}

std::vector<ViewItem> TheatreView::items() const {
    std::vector<ViewItem> out = itemsDrawn();
    for (ViewItem& item : out) item.rect = QRectF(item.rect.topLeft() * zoom_, item.rect.size() * zoom_);
    return out;
}

/// As the picture has them.
std::vector<ViewItem> TheatreView::itemsDrawn() const {
    std::vector<ViewItem> out;
    if (!picture_.model.there()) return out;
    for (const TheatreGeometry::Button& button : picture_.geometry.buttons) {
        const QString name = button.by > 0 ? tr("forwards by one: %1") : tr("back by one: %1");
        out.push_back({button.rect, QStringLiteral("way.%1.%2").arg(static_cast<int>(button.way)).arg(button.by > 0 ? "on" : "back"), name.arg(way_word(button.way)),
                       target(button.way, button.by) < 0 ? tr("the end") : QString(), Provenance::computed, Role::metric});
    }
    if (!picture_.geometry.edit.isNull())
        out.push_back({picture_.geometry.edit, QStringLiteral("edit"), tr("write in the kernel"), picture_.model.edited ? tr("what runs now was written here") : QString(), Provenance::computed, Role::metric});
    if (!editing()) codeItems(out);
    if (!picture_.model.block) return out;
    laneItems(out);
    memoryItems(out);
    return out;
}

} // namespace gradus
