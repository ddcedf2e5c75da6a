#include "views/folds/fold_painter.hpp"

#include "views/folds/fold_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>

namespace gradus {

namespace {

struct Fonts {
    /// `grow`: of what stands in and between the boxes.
    explicit Fonts(double grow = 1)
        : name(text_font(qRound(metrics::text * grow), QFont::DemiBold)), between(text_font(qRound((metrics::text - 1) * grow))),
          strong_between(text_font(qRound((metrics::text - 1) * grow), QFont::DemiBold)) {}

    QFont name, between, strong_between;
    QFont word = text_font(metrics::text - 1), strong = text_font(metrics::text - 1, QFont::DemiBold);
    QFont text = text_font(metrics::text), bold = text_font(metrics::text, QFont::Bold);
    /// Lines grow with the text: a class sees 2 px.
    double stroke = std::max(1.0, TextMetrics(text).height() / 17);
};

void paint_box(QPainter& painter, const FoldGeometry::Place& place, const FoldPicture& picture, const Fonts& fonts, const Theme& theme) {
    const ChainStep& step = (*picture.chain)[place.step];
    painter.fillRect(place.rect, theme.parameter_tint);
    painter.setPen(QPen(theme.parameter, fonts.stroke));
    painter.setBrush(Qt::NoBrush);
    const double half = fonts.stroke / 2;
    painter.drawRect(place.rect.adjusted(half, half, -half, -half));
    painter.setFont(fonts.name);
    painter.setPen(theme.ink);
    draw_text(painter, place.rect, Qt::AlignCenter, fold_words::step_word(step));
    const bool here = step.ordinal == picture.cursor, chosen = !picture.selected.empty() && picture.selected == step.operand;
    if (!here && !chosen) return;
    painter.setPen(QPen(theme.ink, 2 * fonts.stroke));
    painter.drawRoundedRect(place.rect.adjusted(-3, -3, 3, 3), 3, 3);
}

/// A step that parts the chain is bold; one that is not linear and changed nothing is struck through.
void paint_word(QPainter& painter, const FoldGeometry::Place& place, const FoldPicture& picture, const Fonts& fonts, const Theme& theme) {
    const ChainStep& step = (*picture.chain)[place.step];
    const FoldBarrier* barrier = picture.barrier(place.step);
    const bool idle = barrier && barrier->changed == 0;
    painter.setFont(barrier && !idle ? fonts.strong_between : fonts.between);
    painter.setPen(step.kind == ChainStep::Kind::bias ? theme.parameter : idle ? theme.ink2 : theme.ink);
    const QString word = fold_words::step_word(step);
    draw_text(painter, place.rect, Qt::AlignCenter | Qt::TextDontClip, word);
    if (idle) {
        const double half = TextMetrics(painter.font()).horizontalAdvance(word) / 2 + 2, y = std::round(place.rect.center().y()) + 0.5;
        painter.setPen(QPen(theme.ink2, fonts.stroke));
        painter.drawLine(QPointF(place.rect.center().x() - half, y), QPointF(place.rect.center().x() + half, y));
    }
    if (step.ordinal != picture.cursor && (picture.selected.empty() || picture.selected != step.output)) return;
    painter.setPen(QPen(theme.ink, 2 * fonts.stroke));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(place.rect.adjusted(1, -1, -1, 1), 3, 3);
}

void paint_bracket(QPainter& painter, const FoldGeometry::Bracket& part, const FoldPicture& picture, const FoldGeometry& geometry,
                   const Fonts& fonts, const Theme& theme) {
    const FoldGroup& group = picture.folds()->groups[part.group];
    painter.setPen(QPen(theme.ink, 1.5 * fonts.stroke, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawLine(QPointF(part.left, part.bottom), QPointF(part.right, part.bottom));
    if (part.opens) painter.drawLine(QPointF(part.left, part.top), QPointF(part.left, part.bottom));
    if (part.closes) painter.drawLine(QPointF(part.right, part.top), QPointF(part.right, part.bottom));
    if (part.label.isNull()) return;
    const auto fits = [&](const QString& text) { return TextMetrics(painter.font()).horizontalAdvance(text) <= part.label.width() - 2; };
    const double line = part.label.height() / geometry.label_lines;
    const QString name = fold_words::group_name(*picture.chain, group);
    painter.setFont(fonts.strong);
    painter.setPen(theme.ink);
    draw_text(painter, QRectF(part.label.left(), part.label.top(), part.label.width(), line), Qt::AlignCenter | Qt::TextDontClip, name);
    if (geometry.label_lines < 2) return;
    painter.setFont(fonts.word);
    painter.setPen(theme.ink2);
    QString result = QStringLiteral("→ ") + fold_words::group_result(group, true);
    if (!fits(result)) result = fold_words::group_result(group, false);
    if (fits(result)) draw_text(painter, QRectF(part.label.left(), part.label.top() + line, part.label.width(), line), Qt::AlignCenter, result);
}

void paint_head(QPainter& painter, const FoldPicture& picture, const FoldGeometry& geometry, const QString& button, const Fonts& fonts, const Theme& theme) {
    if (!geometry.button.isNull()) {
        painter.setBrush(picture.folded ? theme.fill : theme.surface);
        painter.setPen(QPen(picture.folded ? theme.ink : theme.ink3, fonts.stroke));
        painter.drawRoundedRect(geometry.button.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setFont(fonts.text);
        painter.setPen(theme.ink);
        draw_text(painter, geometry.button, Qt::AlignCenter, button);
    }
    const LegalFolds* folds = picture.folds();
    if (!folds || geometry.count.width() < 1) return;
    painter.setFont(fonts.bold);
    const TextMetrics fm(fonts.bold);
    const double capital = fm.capHeight(), base = geometry.count.center().y() + capital / 2, mark = provenance_width(Provenance::counted, capital);
    paint_provenance(painter, {geometry.count.left(), base}, Provenance::counted, capital, theme.ink2);
    painter.setPen(theme.ink);
    draw_text(painter, QPointF(geometry.count.left() + mark, base), fm.elidedText(fold_words::count(*folds), Qt::ElideRight, geometry.count.width() - mark));
}

} // namespace

FoldSizes fold_sizes(const std::vector<ChainStep>& chain, const QString& button) {
    const Fonts fonts;
    FoldSizes out;
    out.line = std::ceil(TextMetrics(fonts.text).height());
    out.tall = std::ceil(std::max(out.line, static_cast<double>(TextMetrics(fonts.text).lineHeight(button))));
    out.button = std::ceil(TextMetrics(fonts.text).horizontalAdvance(button)) + 2 * out.line;
    int words = 0;
    out.box = 2 * out.line;
    for (const ChainStep& step : chain) {
        const bool matrix = step.kind == ChainStep::Kind::matrix;
        const double width = TextMetrics(matrix ? fonts.name : fonts.strong).horizontalAdvance(fold_words::step_word(step));
        if (matrix) out.box = std::max(out.box, std::ceil(width) + 12);
        else out.between = std::max(out.between, std::ceil(width) + 10);
        words = matrix ? 0 : words + 1;
        out.words = std::max(out.words, words);
    }
    return out;
}

void paint_folds(QPainter& painter, const FoldPicture& picture, const FoldGeometry& geometry, const QString& button, const Theme& theme) {
    const Fonts fonts(geometry.grow);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!geometry.count.isNull()) paint_head(painter, picture, geometry, button, fonts, theme);
    for (std::size_t i = 0; i < geometry.boxes.size(); ++i) {
        const QRectF& box = geometry.boxes[i].rect; // the row's line, on which the numbers flow from left to right
        if (i + 1 < geometry.boxes.size() && geometry.boxes[i + 1].rect.top() == box.top()) {
            const bool words = std::any_of(geometry.words.begin(), geometry.words.end(), [&](const auto& word) { return word.rect.left() == box.right() && word.rect.top() < box.bottom() && word.rect.bottom() > box.top(); });
            painter.setPen(QPen(theme.ink3, fonts.stroke));
            if (!words) painter.drawLine(QPointF(box.right(), box.center().y()), QPointF(geometry.boxes[i + 1].rect.left(), box.center().y()));
        }
        paint_box(painter, geometry.boxes[i], picture, fonts, theme);
    }
    for (const FoldGeometry::Place& word : geometry.words) paint_word(painter, word, picture, fonts, theme);
    if (!picture.folds()) return;
    for (const FoldGeometry::Bracket& part : geometry.brackets) paint_bracket(painter, part, picture, geometry, fonts, theme);
    if (geometry.sentence.isNull()) return;
    painter.setFont(fonts.text);
    painter.setPen(theme.ink2);
    draw_paragraph(painter, geometry.sentence, Qt::AlignHCenter | Qt::AlignTop, fold_words::sentence(*picture.chain, *picture.folds()));
}

} // namespace gradus
