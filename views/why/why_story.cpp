#include "views/why/why_story.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Why", text); }

QString number(double value) {
    const QString text = three_digits(value);
    return std::isfinite(value) ? text : QStringLiteral("✕ ") + text;
}

QString plain(double value) { return number(value).remove(QStringLiteral("✕ ")); }

QString place(const std::string& tensor, Role role, const std::vector<Dim>& element) {
    QStringList index;
    for (const Dim i : element) index << QString::number(i);
    return written_name(tensor, role == Role::gradient) + (index.isEmpty() ? QString() : '[' + index.join(", ") + ']');
}

QString partner_place(const WhyLink& link) {
    const bool gradient = link.partner.size() > 1 && link.partner[0] == 'd' && link.partner != "data";
    return place(link.partner, gradient ? Role::gradient : Role::activation, link.partner_element);
}

/// What a link gave to the one before it.
QString contribution(const WhyLink& link, const QString& op) {
    const QString share = QString::number(link.share * 100, 'f', link.share < 0.0995 ? 1 : 0);
    if (!link.partner.empty()) {
        if (op == QLatin1String("quadratic")) { // ½ · a · w²
            const QString half = QStringLiteral("½ · %1 · %2²").arg(plain(link.partner_value), link.value < 0 ? '(' + plain(link.value) + ')' : plain(link.value));
            if (!std::isfinite(link.part) || link.of == 1) return tr("%1: ½ times %2 times its square, %3").arg(op, partner_place(link), half);
            return tr("%1: ½ times %2 times its square, %3, %4 % of the magnitudes of all %5 terms").arg(op, partner_place(link), half, share).arg(link.of);
        }
        const QString product = plain(link.value) + " · " + plain(link.partner_value);
        if (!std::isfinite(link.part) || link.of == 1) return tr("%1: times %2, %3").arg(op, partner_place(link), product);
        return tr("%1: times %2, %3, %4 % of the magnitudes of all %5 terms").arg(op, partner_place(link), product, share).arg(link.of);
    }
    if (link.of == 1) return tr("%1: made from it").arg(op);
    if (!std::isfinite(link.part)) return tr("%1: one of %2 parts").arg(op).arg(link.of);
    if (link.of == 2) return tr("%1: gave %2, %3 % of the magnitudes of both parts").arg(op, number(link.part), share);
    return tr("%1: gave %2, %3 % of the magnitudes of all %4 parts").arg(op, number(link.part), share).arg(link.of);
}

} // namespace

std::vector<WhyLine> why_lines(const WhyStory& story) {
    std::vector<WhyLine> lines;
    for (std::size_t i = 0; i < story.chain.size(); ++i) {
        const WhyLink& link = story.chain[i];
        WhyLine line;
        line.name = place(link.tensor, link.role, link.element);
        line.value = number(link.value);
        line.role = link.role;
        const bool moved = i > 0 && story.chain[i - 1].iteration != link.iteration;
        if (i == 0 || moved) line.step = tr("step %1").arg(link.iteration);
        if (i > 0 && !moved) line.how = contribution(link, QString::fromStdString(story.chain[i - 1].op));
        else if (moved) line.how = story.chain[i - 1].tensor == link.tensor ? tr("the same number, as the step before left it")
                                                                          : tr("the first loss that was not finite");
        else if (!link.op.empty()) line.how = tr("made by %1").arg(QString::fromStdString(link.op));
        if (i == 0 && story.picked_of > 1) {
            const QString picked = std::isfinite(link.value) ? tr("the largest of its %1 numbers").arg(story.picked_of) : tr("the first of its %1 numbers that is not finite").arg(story.picked_of);
            line.how = line.how.isEmpty() ? picked : picked + QStringLiteral("; ") + line.how;
        }
        if (story.origin == i) {
            line.fault = true;
            line.how = tr("%1 made it of finite numbers").arg(QString::fromStdString(link.op));
        }
        line.how.replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")); // stays with its number
        lines.push_back(std::move(line));
    }
    return lines;
}

QString why_title(const WhyStory& story) {
    if (story.chain.empty()) return tr("Why?");
    const WhyLink& first = story.chain.front();
    return tr("Why is %1 %2?").arg(place(first.tensor, first.role, first.element), plain(first.value));
}

QString why_end(const WhyStory& story) {
    if (!story.refusal.isEmpty()) return story.refusal;
    if (story.computing >= 0) return tr("step %1 is computed again …").arg(story.computing);
    if (story.chain.empty()) return {};
    if (story.origin) {
        const WhyLink& broke = story.chain[*story.origin];
        return tr("It broke in step %1: %2 made %3 of finite numbers.").arg(broke.iteration)
            .arg(QString::fromStdString(broke.op), place(broke.tensor, broke.role, broke.element));
    }
    const WhyLink& last = story.chain.back();
    const QString name = place(last.tensor, last.role, last.element);
    if (last.role == Role::data && story.end != Why::End::edited) return tr("%1 is data: it was read, not computed.").arg(name);
    switch (story.end) {
    case Why::End::edited: return tr("%1 was set by hand before step %2.").arg(name).arg(last.iteration);
    case Why::End::began:
        return tr("Step %1 began with %2.").arg(last.iteration).arg(name);
    case Why::End::not_kept: return tr("What %1 was made from is not kept.").arg(name);
    case Why::End::unknown: return tr("%1 has no rule to be walked back by.").arg(QString::fromStdString(last.op));
    }
    return {};
}

} // namespace gradus
