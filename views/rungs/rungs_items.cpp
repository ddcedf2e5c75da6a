// What the comparison can name: for hovering, the keyboard, screen readers and tests.
#include "views/rungs/rungs_view.hpp"
#include "views/rungs/rungs_words.hpp"
#include "views/theme/numbers.hpp"

namespace gradus {

void RungsView::codeItems(std::vector<ViewItem>& out) const {
    const RungsModel& model = picture_.model;
    for (std::size_t side = 0; side < 2; ++side) {
        const RungsGeometry& g = picture_.geometry;
        if (model.walks() && g.so_far[side].width() > 0)
            out.push_back({g.so_far[side], QStringLiteral("so_far.%1").arg(letter_of(side)), tr("%1 %2").arg(letter_of(side), model.sides[side].name), so_far_words(model, side), Provenance::counted, Role::metric,
                           {QStringLiteral("counts")}});
    }
    for (const RungsGeometry::Cell& cell : picture_.geometry.cells) {
        const RungSide& side = model.sides[static_cast<std::size_t>(cell.side)];
        const SourceRow& row = (*model.rows)[cell.row];
        const RungLine& line = (*side.code)[static_cast<std::size_t>(cell.line)];
        if (line.text.trimmed().isEmpty()) continue;
        const QString letter = letter_of(static_cast<std::size_t>(cell.side)), number = QString::number(line.number);
        const QString form = model.at_step && side.line == cell.line ? tr("%1, line %2, %3, where it is: %4") : tr("%1, line %2, %3: %4");
        const QRectF text(cell.rect.topLeft(), QPointF(cell.text.right(), cell.rect.bottom()));
        out.push_back({text, QStringLiteral("line.%1%2").arg(letter, number), form.arg(letter, number, kind_words(row.kind), line.text.trimmed()), {}, Provenance::counted, Role::metric});
        QStringList costs;
        for (const auto* accesses : {&line.sectors, &line.wavefronts})
            for (const LineAccess& access : *accesses) costs << cost_words(access);
        if (!costs.isEmpty() && cell.counts.width() > 0)
            out.push_back({cell.counts, QStringLiteral("costs.%1%2").arg(letter, number), tr("what line %1 of %2 costs").arg(number, letter), costs.join('\n'), Provenance::counted, Role::metric, {QStringLiteral("counts")}});
    }
}

void RungsView::tableItems(std::vector<ViewItem>& out) const {
    for (const RungsGeometry::TableRow& row : picture_.geometry.table) {
        if (row.ideal) continue;
        const RungCount& count = picture_.model.counts[row.count];
        QString value = QStringLiteral("A %1, B %2").arg(value_text(count, 0), value_text(count, 1));
        if (const QString change = change_text(count); !change.isEmpty()) value += QStringLiteral(": ") + change;
        for (std::size_t side = 0; side < 2; ++side)
            if (count.ideal[side]) value += '\n' + tr("ideal for %1: %2").arg(letter_of(side), grouped(static_cast<qint64>(*count.ideal[side])));
        const QRectF told(row.values[0].topLeft(), row.rect.bottomRight());
        out.push_back({row.rect, count.id, count.name + '\n' + count.meaning, value, count.provenance, Role::metric, {QStringLiteral("counts")}, told});
    }
}

std::vector<ViewItem> RungsView::items() const {
    std::vector<ViewItem> out;
    const RungsModel& model = picture_.model;
    if (!model.there()) return out;
    for (std::size_t i = 0; i < picture_.geometry.chips.size(); ++i) {
        const RungChoice& rung = model.rungs[i];
        QString name = tr("compare with %1").arg(rung.name);
        if (rung.side >= 0)
            name = (model.sides[static_cast<std::size_t>(rung.side)].drives ? tr("%1 is %2, where you stand") : tr("%1 is %2")).arg(letter_of(static_cast<std::size_t>(rung.side)), rung.name);
        out.push_back({picture_.geometry.chips[i], QStringLiteral("rung.") + rung.name, name, {}, Provenance::computed, Role::metric});
    }
    for (const RungsGeometry::Button& button : picture_.geometry.buttons) {
        const QString name = button.by > 0 ? tr("forwards by one: %1") : tr("back by one: %1");
        out.push_back({button.rect, QStringLiteral("way.%1.%2").arg(static_cast<int>(button.way)).arg(button.by > 0 ? "on" : "back"), name.arg(way_word(button.way)),
                       target(button.way, button.by) < 0 ? tr("the end") : QString(), Provenance::computed, Role::metric});
    }
    if (!picture_.geometry.track.isNull())
        out.push_back({picture_.geometry.track.adjusted(0, -3, 0, 3), QStringLiteral("progress"), tr("how far both are"), progress_words(model), Provenance::counted, Role::metric});
    codeItems(out);
    tableItems(out);
    return out;
}

} // namespace gradus
