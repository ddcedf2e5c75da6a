#include "views/folds/fold_painter.hpp"

#include "views/folds/fold_step_painter.hpp"
#include "views/folds/fold_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

struct Scene {
    const FoldPicture& picture;
    const FoldGeometry& geometry;
    const FoldImages& images;
    const Theme& theme;
    FoldFonts fonts;
};

const QImage* image_at(const std::vector<QImage>& images, std::size_t at) { return at < images.size() ? &images[at] : nullptr; }

void paint_box(QPainter& painter, const FoldGeometry::Place& place, const Scene& scene) {
    const ChainStep& step = (*scene.picture.chain)[place.step];
    FoldMatrixLook look{fold_words::step_word(step), scene.fonts.name, image_at(scene.images.weights, place.step)};
    look.numbers = look.image && !look.image->isNull() ? &scene.picture.result->weights[place.step] : nullptr;
    look.strip = scene.geometry.name;
    look.stroke = scene.fonts.stroke;
    paint_fold_matrix(painter, place.rect, look, scene.theme);
    const bool here = step.ordinal == scene.picture.cursor, chosen = !scene.picture.selected.empty() && scene.picture.selected == step.operand;
    if (!here && !chosen) return;
    painter.setPen(QPen(scene.theme.ink, 2 * scene.fonts.stroke));
    const double away = 3 * scene.fonts.stroke;
    painter.drawRoundedRect(place.rect.adjusted(-away, -away, away, away), 3, 3);
}

/// The name of what flows on an arrow; empty where its box says it.
QString name_on(const FoldGeometry::Arrow& arrow, const std::vector<ChainStep>& chain) {
    if (arrow.step < 0 || arrow.step + 1 == static_cast<std::ptrdiff_t>(chain.size())) return {};
    const std::string& output = chain[static_cast<std::size_t>(arrow.step)].output;
    return output.find(' ') == std::string::npos ? written_name(output) : QString();
}

/// With the name of what flows, where all of them have room for theirs.
void paint_arrows(QPainter& painter, const std::vector<FoldGeometry::Arrow>& arrows, const Scene& scene) {
    const TextMetrics fm(scene.fonts.word);
    const bool named = std::all_of(arrows.begin(), arrows.end(), [&](const FoldGeometry::Arrow& arrow) {
        return fm.horizontalAdvance(name_on(arrow, *scene.picture.chain)) + 8 <= arrow.to.x() - arrow.from.x();
    });
    for (const FoldGeometry::Arrow& arrow : arrows) {
        paint_fold_arrow(painter, arrow.from, arrow.to - QPointF(scene.fonts.stroke, 0), scene.theme.data, 1.25 * scene.fonts.stroke);
        if (!named) continue;
        const QString name = name_on(arrow, *scene.picture.chain);
        painter.setFont(scene.fonts.word);
        painter.setPen(scene.theme.data);
        draw_text(painter, QPointF((arrow.from.x() + arrow.to.x() - fm.horizontalAdvance(name)) / 2 - 1, arrow.from.y() - 4 * scene.fonts.stroke - fm.descent()), name);
    }
}

void paint_bracket(QPainter& painter, const FoldGeometry::Bracket& part, const Scene& scene) {
    const FoldGeometry& g = scene.geometry;
    const FoldGroup& group = scene.picture.folds()->groups[part.group];
    const double stroke = 1.5 * scene.fonts.stroke;
    painter.setPen(QPen(scene.theme.ink, stroke, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    const double half = stroke / 2, y = part.bottom - half; // inside, so that a cover hides all of it
    painter.drawLine(QPointF(part.left, y), QPointF(part.right, y));
    if (part.opens) painter.drawLine(QPointF(part.left + half, part.top), QPointF(part.left + half, y));
    if (part.closes) painter.drawLine(QPointF(part.right - half, part.top), QPointF(part.right - half, y));
    if (g.falls && part.group < g.folded.size()) { // the name stands beside the line that leads to what it becomes
        const QRectF& box = g.folded[part.group].rect;
        paint_fold_arrow(painter, {box.center().x(), part.bottom}, {box.center().x(), box.top() - 2}, scene.theme.ink, scene.fonts.stroke);
    }
    if (part.label.isNull() || g.falls) return;
    const auto fits = [&](const QString& text) { return TextMetrics(painter.font()).horizontalAdvance(text) <= part.label.width() - 2; };
    const double line = part.label.height() / g.label_lines;
    painter.setFont(scene.fonts.strong);
    painter.setPen(scene.theme.ink);
    draw_text(painter, QRectF(part.label.left(), part.label.top(), part.label.width(), line), Qt::AlignCenter | Qt::TextDontClip,
              fold_words::group_name(*scene.picture.chain, group));
    if (g.label_lines < 2) return;
    painter.setFont(scene.fonts.word);
    painter.setPen(scene.theme.ink2);
    QString result = QStringLiteral("→ ") + fold_words::group_result(group, true);
    if (!fits(result)) result = fold_words::group_result(group, false);
    if (fits(result)) draw_text(painter, QRectF(part.label.left(), part.label.top() + line, part.label.width(), line), Qt::AlignCenter, result);
}

void paint_folded(QPainter& painter, const FoldGeometry::Folded& one, const Scene& scene) {
    const FoldGroup& group = scene.picture.folds()->groups[one.group];
    const FoldedMatrix* matrix = scene.picture.matrix(one.group);
    FoldMatrixLook look{fold_words::group_name(*scene.picture.chain, group), scene.fonts.name, image_at(scene.images.folded, one.group)};
    look.numbers = matrix && look.image && !look.image->isNull() ? &matrix->matrix : nullptr;
    look.strip = scene.geometry.name;
    look.stroke = group.matrices > 1 ? 2 * scene.fonts.stroke : scene.fonts.stroke; // what is new
    paint_fold_matrix(painter, one.rect, look, scene.theme);
    const double line = one.words.height() / 2;
    QRectF where(one.words.left(), one.words.top(), one.words.width(), line);
    painter.setFont(scene.fonts.word);
    painter.setPen(scene.theme.ink2);
    const auto write = [&](const QStringList& choices) {
        for (const QString& text : choices) {
            if (text.isEmpty() || TextMetrics(painter.font()).horizontalAdvance(text) > where.width()) continue;
            draw_text(painter, where, (scene.geometry.beside ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter) | Qt::TextDontClip, text);
            where.translate(0, line);
            return;
        }
    };
    write({fold_words::group_result(group, true), fold_words::group_result(group, false)});
    if (matrix && group.matrices > 1) write({fold_words::difference(*matrix, true), fold_words::difference(*matrix, false)});
}

void paint_head(QPainter& painter, const QString& button, const Scene& scene) {
    const FoldGeometry& geometry = scene.geometry;
    const Theme& theme = scene.theme;
    if (!geometry.button.isNull()) {
        painter.setBrush(scene.picture.folded ? theme.fill : theme.surface);
        painter.setPen(QPen(scene.picture.folded ? theme.ink : theme.ink3, scene.fonts.stroke));
        painter.drawRoundedRect(geometry.button.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setFont(scene.fonts.text);
        painter.setPen(theme.ink);
        draw_text(painter, geometry.button, Qt::AlignCenter, button);
    }
    paint_fold_legend(painter, geometry.legend, scene.picture.end(), scene.picture.clips(), theme);
    const LegalFolds* folds = scene.picture.folds();
    if (!folds || geometry.count.width() < 1) return;
    painter.setFont(scene.fonts.bold);
    const TextMetrics fm(scene.fonts.bold);
    const double capital = fm.capHeight(), base = geometry.count.center().y() + capital / 2, mark = provenance_width(Provenance::counted, capital);
    paint_provenance(painter, {geometry.count.left(), base}, Provenance::counted, capital, theme.ink2);
    painter.setPen(theme.ink);
    draw_text(painter, QPointF(geometry.count.left() + mark, base), fm.elidedText(fold_words::count(*folds), Qt::ElideRight, geometry.count.width() - mark));
}

} // namespace

FoldSizes fold_sizes(const FoldPicture& picture, const QString& button, double width) {
    const std::vector<ChainStep>& chain = *picture.chain;
    const FoldFonts fonts;
    FoldSizes out;
    out.line = std::ceil(TextMetrics(fonts.text).height());
    out.tall = std::ceil(std::max(out.line, static_cast<double>(TextMetrics(fonts.text).lineHeight(button))));
    out.button = std::ceil(TextMetrics(fonts.text).horizontalAdvance(button)) + 2 * out.line;
    out.arrow = std::ceil(0.75 * out.line);
    out.legend = fold_legend_width(picture.end(), picture.clips());
    out.count = picture.folds() ? TextMetrics(fonts.bold).horizontalAdvance(fold_words::count(*picture.folds())) + 2 * out.line : 0;
    int words = 0;
    out.box = 2 * out.line;
    out.between = 2 * out.line;
    for (const ChainStep& step : chain) {
        out.steps.push_back(0);
        const bool matrix = step.kind == ChainStep::Kind::matrix;
        const double wide = TextMetrics(matrix ? fonts.name : fonts.strong).horizontalAdvance(fold_words::step_word(step));
        if (matrix) out.box = std::max(out.box, std::ceil(wide) + 12);
        else out.between = std::max(out.between, out.steps.back() = std::ceil(wide) + fold_step_margin(step, fonts));
        words = matrix ? 0 : words + 1;
        out.words = std::max(out.words, words);
    }
    out.sentence = 2 * out.tall;
    if (const LegalFolds* folds = picture.folds()) {
        out.sentence = paragraph_height(fold_words::sentence(chain, *folds), fonts.text, width);
        out.folded = out.said = 0;
        for (std::size_t g = 0; g < folds->groups.size(); ++g) {
            const FoldGroup& group = folds->groups[g];
            out.folded = std::max(out.folded, std::ceil(TextMetrics(fonts.name).horizontalAdvance(fold_words::group_name(chain, group))) + 14);
            out.said = std::max(out.said, TextMetrics(fonts.word).horizontalAdvance(fold_words::group_result(group, true)));
            if (picture.matrix(g)) out.said = std::max(out.said, TextMetrics(fonts.word).horizontalAdvance(fold_words::difference(*picture.matrix(g), true)));
        }
        out.said = std::ceil(out.said) + 2;
    }
    out.data = 2.5 * out.line;
    if (picture.result)
        for (const Shape* shape : {&picture.result->input, &picture.result->output})
            out.data = std::max(out.data, std::ceil(TextMetrics(fonts.number).horizontalAdvance(QString::fromStdString(shape->text()))) + 12);
    return out;
}

void paint_folds(QPainter& painter, const FoldPicture& picture, const FoldGeometry& geometry, const FoldImages& images, const QString& button, const Theme& theme) {
    const Scene scene{picture, geometry, images, theme, FoldFonts(geometry.grow)};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (!geometry.count.isNull()) paint_head(painter, button, scene);
    if (geometry.boxes.empty()) return;
    const QString in = written_name(picture.chain->front().input), out = written_name(picture.chain->back().output);
    const Shape unknown, &wide = picture.result ? picture.result->input : unknown, &made = picture.result ? picture.result->output : unknown;
    paint_arrows(painter, geometry.arrows, scene);
    paint_fold_data(painter, geometry.input, in, wide, scene.fonts, theme);
    paint_fold_data(painter, geometry.output, out, made, scene.fonts, theme);
    for (const FoldGeometry::Place& box : geometry.boxes) paint_box(painter, box, scene);
    for (const FoldGeometry::Place& word : geometry.words) paint_fold_step(painter, word.rect, picture, word.step, scene.fonts, theme);
    if (!picture.folds() || picture.secret) return;
    for (const FoldGeometry::Bracket& part : geometry.brackets) paint_bracket(painter, part, scene);
    paint_arrows(painter, geometry.folded_arrows, scene);
    if (!geometry.folded.empty()) {
        paint_fold_data(painter, geometry.folded_input, in, wide, scene.fonts, theme);
        paint_fold_data(painter, geometry.folded_output, out, made, scene.fonts, theme);
    }
    for (const FoldGeometry::Folded& one : geometry.folded) paint_folded(painter, one, scene);
    for (const FoldGeometry::Place& step : geometry.kept) paint_fold_step(painter, step.rect, picture, step.step, scene.fonts, theme);
    paint_fold_legend(painter, geometry.folded_legend, picture.folded_end(), picture.folded_clips(), theme);
    if (geometry.sentence.isNull()) return;
    painter.setFont(scene.fonts.text);
    painter.setPen(theme.ink2);
    draw_paragraph(painter, geometry.sentence, Qt::AlignHCenter | Qt::AlignTop, fold_words::sentence(*picture.chain, *picture.folds()));
}

} // namespace gradus
