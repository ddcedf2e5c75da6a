#include "views/tensor/tensor_card.hpp"

#include "engine/trace/derive/element_origin.hpp"
#include "engine/trace/tape_trace.hpp"
#include "views/tensor/element_formula.hpp"
#include "views/tensor/kernel_card.hpp"
#include "views/tensor/tensor_grid.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <cmath>

namespace gradus {

namespace {

using tensor_words::tr;

constexpr double line_height = 18, tight_height = 16, padding = 10;

/// Whether somebody changed the tensor from outside at that step: this element, or with an empty index any.
bool was_set(const TensorModel& model, const std::vector<Dim>& index) {
    const StepIndex iteration = model.recorded.id.event.iteration;
    for (const Run* run = model.run.get(); run; run = run->parent().get())
        for (std::size_t i = 0; i < run->edits().size(); ++i) {
            const LoggedEdit& logged = run->edits()[i];
            if (logged.iteration == iteration && logged.edit.kind == Edit::Kind::element && logged.edit.target == model.recorded.name && (index.empty() || logged.edit.index == index)) return true;
        }
    return false;
}

QString maker_of(const TensorModel& model, const std::vector<Dim>& index) {
    const TensorId id = model.recorded.id;
    const QString dtype = QString::fromUtf8(name_of(model.tensor().dtype()).data());
    if (id.event.ordinal >= first_edit_ordinal && was_set(model, {}))
        return (was_set(model, index) ? tr("set from outside, step %1, %2") : tr("as it was before step %1, where another was set, %2")).arg(id.event.iteration).arg(dtype);
    if (!model.origin) return dtype;
    const QString op = QString::fromStdString(model.origin->name);
    if (id.event.iteration < 0) return tr("%1, before step 0, %2").arg(op, dtype);
    return tr("%1, step %2, %3").arg(op).arg(id.event.iteration).arg(dtype);
}

/// Lines from the top of a box, each cut with … where the box ends.
class Lines {
public:
    Lines(QPainter& painter, const QRectF& box, double apart = line_height) : painter_(painter), box_(box), base_(box.top() + 13), apart_(apart) {}
    bool room() const { return base_ <= box_.bottom(); }
    double width() const { return box_.width(); }
    /// The part of the line from the left; returns where it ends.
    double left(const QString& text, const QFont& font, const QColor& colour, double reserved = 0) {
        painter_.setFont(font);
        painter_.setPen(colour);
        const TextMetrics fm(font);
        const QString shown = fm.elidedText(text, Qt::ElideRight, std::max(0.0, box_.width() - reserved));
        draw_text(painter_, QPointF(box_.left(), base_), shown);
        return fm.horizontalAdvance(shown);
    }
    void right(const QString& text, const QFont& font, const QColor& colour, double inset = 0) {
        painter_.setFont(font);
        painter_.setPen(colour);
        draw_text(painter_, QPointF(box_.right() - inset - TextMetrics(font).horizontalAdvance(text), base_), text);
    }
    void next() { base_ += apart_; }

private:
    QPainter& painter_;
    QRectF box_;
    double base_, apart_;
};

void paint_value_line(Lines& lines, const TensorScene& scene, const ElementCard& card) {
    const QFont mono = mono_font(metrics::text - 1), bold = mono_font(metrics::text, QFont::Bold);
    const QString value = scene.candidate && scene.hovered == scene.pinned
                              ? three_digits(scene.pulled_from) + QString(" → ") + three_digits(*scene.candidate) : card.value;
    const double value_width = TextMetrics(bold).horizontalAdvance(value);
    const double used = lines.left(card.place, mono, scene.theme.ink2, value_width + 8);
    lines.right(value, bold, card.finite ? scene.theme.ink : scene.theme.fault);
    const double digits = TextMetrics(mono).horizontalAdvance(card.digits);
    if (!card.digits.isEmpty() && card.digits != card.value && used + digits + value_width + 36 <= lines.width())
        lines.right(card.digits, mono, scene.theme.ink2, value_width + 14);
}

bool digits_fit_beside(const TensorScene& scene, const ElementCard& card) {
    if (card.digits.isEmpty()) return true;
    const TextMetrics mono(mono_font(metrics::text - 1)), bold(mono_font(metrics::text, QFont::Bold));
    return mono.horizontalAdvance(card.place) + mono.horizontalAdvance(card.digits) + bold.horizontalAdvance(card.value) + 36 <=
           scene.geometry.card.width() - 2 * padding;
}

QString with_numbers(const ElementCard& card) { return card.formula + QStringLiteral(" = ") + card.numbers; }

bool numbers_fit_behind(const ElementCard& card, double width) {
    return !card.numbers.isEmpty() && TextMetrics(text_font(metrics::text)).horizontalAdvance(with_numbers(card)) <= width;
}

} // namespace

ElementCard card_of(const TensorModel& model, const std::vector<Dim>& index) {
    ElementCard card;
    const double value = model.value(index);
    card.finite = std::isfinite(value);
    card.place = index.empty() ? name_of_tensor(model.recorded.name) : model.is_grid() ? index_text(index) + "  " + grid_place(model, index) : index_text(index);
    card.value = (card.finite ? QString() : QString(QChar(0x2715)) + ' ') + three_digits(value);
    card.digits = all_digits(value, model.tensor().dtype());
    card.maker = maker_of(model, index);
    card.typed = model.recorded.id.event.ordinal >= first_edit_ordinal && was_set(model, index);
    if (!model.origin) {
        tell_writer(card, model, index);
        return card;
    }
    for (const TensorRef& input : model.origin->inputs) card.sources.push_back(input.name);
    card.formula = QString::fromStdString(model.origin->formula);
    const TensorId id = model.recorded.id;
    if (id.event.iteration < 0) return card;
    if (const ElementFormula made = formula_of(model, index); !made.letters.isEmpty()) {
        card.formula = made.letters;
        card.numbers = made.numbers;
        if (!made.local.isEmpty()) card.heading = tr("local derivative %1").arg(made.local);
        return card;
    }
    const auto sum = sum_behind(*model.run, *model.origin, id.event.iteration, index, 6);
    if (!sum) return card;
    card.formula = sum_text(*sum);
    if (sum->terms == 0) return card;
    for (const ElementTerm& term : sum->largest) {
        if (term.product() == 0) continue;
        card.terms.push_back(term_text(*sum, term));
        card.products.push_back(product_text(*sum, term));
    }
    card.remaining = QStringLiteral("… ") + tr("(%1 terms)").arg(grouped(sum->terms));
    card.all_terms = card.products.size() == static_cast<std::size_t>(sum->terms);
    card.heading = card.terms.empty() ? tr("all %1 terms are 0").arg(grouped(sum->terms))
                                      : tr("largest of %1 terms").arg(grouped(sum->terms));
    return card;
}

QString sum_line(const ElementCard& card, double width, const TextMetrics& fm) {
    const std::size_t most = card.all_terms && card.products.size() == 4 ? 4 : 3;
    for (std::size_t count = std::min(most, card.products.size()); count > 0; --count) {
        QString line;
        for (std::size_t i = 0; i < count; ++i) line += (i > 0 ? QStringLiteral(" + ") : QString()) + card.products[i];
        if (!card.all_terms || count < card.products.size()) line += QStringLiteral(" + ") + card.remaining;
        line += QStringLiteral(" = ") + (card.total.isEmpty() ? card.value : card.total);
        if (fm.horizontalAdvance(line) <= width) return line;
    }
    return {};
}

void paint_card(QPainter& painter, const TensorScene& scene, const ElementCard* card) {
    const QRectF& box = scene.geometry.card;
    if (box.isNull()) return;
    const Theme& theme = scene.theme;
    const QFont text = text_font(metrics::text - 1), small = text_font(metrics::small_text);
    if (box.height() < 40) { // one line, without a box
        Lines lines(painter, box);
        if (card) paint_value_line(lines, scene, *card);
        return;
    }
    const QRectF inside = box.adjusted(padding, padding - 2, -padding, -padding + 4);
    QString hint = tr("Point at a cell: its number, and what made it.");
    const auto height_of = [&](const QString& words) {
        return line_height * (1.0 + static_cast<double>(broken_at_spaces(words, TextMetrics(text), inside.width()).count('\n'))) + 2 * padding;
    };
    const QString more = hint + ' ' + tr("Pull it up or down, or double-click it, to change it.");
    if (scene.shown.model.recorded.role == Role::parameter && height_of(more) <= box.height()) hint = more;
    const bool behind = card && numbers_fit_behind(*card, inside.width()); // else on a line of their own
    const bool listed = card && !card->heading.isEmpty() && inside.height() >= 5 * line_height; // the terms, one below the other
    const QString sum = !card || listed ? QString() : sum_line(*card, inside.width() - TextMetrics(text).horizontalAdvance(QStringLiteral("= ")), TextMetrics(text));
    const bool own_line = card && ((!card->numbers.isEmpty() && !behind) || !sum.isEmpty());
    const QString word = provenance_word(Provenance::computed);
    const double word_width = TextMetrics(small).horizontalAdvance(word);
    const bool word_below = card && !card->typed && TextMetrics(text).horizontalAdvance(card->maker) + word_width + 12 > inside.width();
    const double lines_of_card = card ? 3.0 + own_line + word_below + !digits_fit_beside(scene, *card) + !card->heading.isEmpty() + static_cast<double>(card->terms.size())
                                      : 0.0;
    const QRectF filled(box.left(), box.top(), box.width(), std::min(box.height(), card ? lines_of_card * line_height + 2 * padding : height_of(hint)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.fill);
    painter.drawRoundedRect(filled, metrics::radius, metrics::radius);
    if (!card) {
        painter.setFont(text);
        painter.setPen(theme.ink2);
        draw_paragraph(painter, inside, Qt::AlignLeft | Qt::AlignTop, hint);
        return;
    }
    const bool tight = own_line && inside.height() < 4 * line_height - 4;
    Lines lines(painter, inside, tight ? tight_height : line_height);
    paint_value_line(lines, scene, *card);
    lines.next();
    // With little room the digits give way to the formula and to who made it.
    const bool digits = !digits_fit_beside(scene, *card) && inside.height() >= (own_line ? 5 : 4) * line_height - 4;
    if (digits) {
        lines.left(card->digits, mono_font(metrics::text - 1), theme.ink2);
        lines.next();
    }
    if (!card->formula.isEmpty() && lines.room()) {
        lines.left(behind ? with_numbers(*card) : card->formula, text_font(metrics::text), theme.ink);
        lines.next();
    }
    if (own_line && inside.height() >= 4 * tight_height - 4) {
        if (sum.isEmpty()) lines.left(QStringLiteral("= ") + card->numbers, text_font(metrics::text), theme.ink);
        else lines.left(QStringLiteral("= ") + sum, text, theme.ink);
        lines.next();
    }
    if (!lines.room()) return;
    if (word_below) { // rather than the maker: where a number comes from is never left out
        lines.left(word, small, theme.ink2);
        lines.next();
        if (!lines.room()) return;
    }
    lines.left(card->maker, text, theme.ink2);
    if (!card->typed && !word_below) lines.right(word, small, theme.ink2);
    lines.next();
    if (!listed) return;
    lines.left(card->heading, small, theme.ink2);
    lines.next();
    for (const QString& term : card->terms) {
        if (!lines.room()) break;
        lines.left(term, mono_font(metrics::text - 1), theme.ink);
        lines.next();
    }
}

} // namespace gradus
