#include "views/graph/graph_widget.hpp"

#include "views/state/zoom.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"

#include <QDateTime>
#include <QMouseEvent>
#include <algorithm>

namespace gradus {

namespace {
constexpr qint64 patience_ms = 200; // shorter waits are not worth a word
constexpr double legend_height = 22, least_column = 72;

bool same_net(const Run& a, const Run& b) {
    const Manifest &x = a.manifest(), &y = b.manifest();
    return x.experiment == y.experiment && x.parameters == y.parameters && a.sites().size() > 0;
}
} // namespace

GraphWidget::GraphWidget(const Theme& theme, QWidget* parent) : View(theme, tr("Graph"), parent) {
    setMouseTracking(true);
    setMinimumHeight(150);
}

void GraphWidget::present(const Look& look) {
    if (!message_.isEmpty()) {
        message_.clear();
        update();
    }
    setTitle(tr("Graph"));
    // A branch of the same net has the same graph: what is on screen stays until its own numbers come.
    if (run_ && model_ && !model_->nodes.empty() && same_net(*look.run(), *run_)) run_ = look.run();
    if (look.run() != run_ || !model_ || look.state.open_modules != open_) {
        run_ = look.run();
        open_ = look.state.open_modules;
        rebuild();
    }
    const bool inside = look.state.cursor.level > Level::iteration;
    if (const std::int32_t cursor = inside ? look.state.cursor.ordinal : -1; cursor != cursor_) {
        cursor_ = cursor;
        backward_ = false;
        if (cursor >= 0)
            for (std::size_t i = 0; i < run_->sites().size(); ++i)
                if (run_->sites()[i].ordinal == cursor)
                    backward_ = run_->sites()[i].phase == Phase::backward || run_->sites()[i].phase == Phase::update;
        structure_ = QPixmap();
        if (rows() != std::pair(model_->first_row, model_->rows)) rebuild();
        else layOut();
    }
    if (look.state.ruler != ruler_) {
        ruler_ = look.state.ruler;
        layOut();
    }
    std::string selected;
    for (const GraphNode& node : model_->nodes)
        if (node.tensor.name == look.state.selection.tensor) selected = node.id;
    if (selected != selected_) {
        selected_ = selected;
        update();
    }
    const StepIndex iteration = look.state.cursor.iteration;
    const std::shared_ptr<const Run>& full = look.full;
    const double progress = look.progress;
    if (full && (full != wanted_run_ || iteration != wanted_)) {
        wanted_run_ = full;
        wanted_ = iteration;
        worker_.want(model_, full, iteration);
    }
    if (auto values = worker_.latest(model_.get()); values && values != values_) {
        values_ = std::move(values);
        layOut();
    }
    // Waiting: the old values stay, with their step named, until it takes too long.
    const bool there = values_ && values_->iteration == iteration;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (there) waiting_ = -1;
    else if (waiting_ != iteration) {
        waiting_ = iteration;
        waiting_since_ms_ = now;
    }
    const bool late = waiting_ >= 0 && now - waiting_since_ms_ > patience_ms;
    updateNote(late ? progress : -1);
}

void GraphWidget::updateNote(double progress) {
    if (progress >= 0) setNote(tr("step %1 is computed again, %2 %").arg(waiting_).arg(qRound(progress * 100)));
    else if (values_) setNote(tr("values of step %1").arg(values_->iteration));
    else setNote({});
}

void GraphWidget::showMessage(const QString& sentence, bool fault) {
    if (sentence == message_) return;
    message_ = sentence;
    fault_ = fault;
    update();
}

QRectF GraphWidget::graphArea() const { return contents().adjusted(4, 4, -4, sparse() ? 4 : -legend_height); }

Fold GraphWidget::fold() const { return sparse() ? Fold::modules : fold_for(*run_, graphArea().width()); }

std::pair<int, int> GraphWidget::rows() const {
    const bool few = sparse() && graphArea().width() < 5 * least_column; // room for shapes is worth more than rows
    const int rows = std::min(rows_for(graphArea().height()), few ? 2 : 4);
    return {backward_ ? 4 - rows : rows == 1 ? static_cast<int>(GraphNode::Row::forward) : 0, rows};
}

void GraphWidget::rebuild() {
    if (!run_) return;
    GraphModel model = make_graph(*run_, fold(), sparse() ? std::vector<std::string>() : open_);
    if (sparse() && graphArea().width() < model.columns * least_column) model = essentials(model);
    auto [first, count] = rows();
    if (sparse()) { // what stands in no row leaves its room to the others
        int last = 0;
        for (const GraphNode& node : model.nodes) last = std::max(last, static_cast<int>(node.row));
        if (last + 1 < first + count && last >= first) count = last + 1 - first;
    }
    model_ = std::make_shared<const GraphModel>(count == 4 ? std::move(model) : keep_rows(model, first, count));
    values_.reset();
    wanted_ = -1;
    structure_ = QPixmap();
    layOut();
}

void GraphWidget::layOut() {
    geometry_ = lay_out(*model_, values_.get(), graphArea(), cursor_, ruler_);
    update();
}

std::vector<ViewItem> GraphWidget::items() const {
    std::vector<ViewItem> out;
    for (const GraphItem& item : geometry_.items) {
        const GraphNode& node = model_->nodes[item.node];
        QStringList parts{QString::fromStdString(node.tensor.name)};
        if (node.is_op)
            for (const GraphOp& op : node.ops) parts << QString::fromStdString(node.module + "/" + op.name);
        out.push_back({item.rect, QString::fromStdString(item.id), item.name, item.value, item.provenance, item.role,
                       std::move(parts), value_line(item)});
    }
    return out;
}

void GraphWidget::setTheme(const Theme& theme) {
    structure_ = QPixmap();
    Panel::setTheme(theme);
}

void GraphWidget::resizeEvent(QResizeEvent*) {
    structure_ = QPixmap();
    if (!run_) return;
    if (!model_ || fold() != model_->fold || rows() != std::pair(model_->first_row, model_->rows)) rebuild();
    else if (sparse()) rebuild(); // what there is no room for may be others now
    else layOut();
}

void GraphWidget::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (!message_.isEmpty() || !model_) {
        painter.setFont(text_font(15));
        painter.setPen(fault_ ? theme().fault : theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, fault_ ? "✕ " + message_ : message_);
        return;
    }
    if (structure_.isNull()) {
        structure_ = QPixmap(size() * pixel_ratio(*this));
        structure_.setDevicePixelRatio(pixel_ratio(*this));
        structure_.fill(Qt::transparent);
        QPainter once(&structure_);
        paint_structure(once, geometry_, theme());
    }
    painter.drawPixmap(0, 0, structure_);
    paint_values(painter, geometry_, theme(), hovered_, selected_);
    if (!sparse()) paintLegend(painter);
    if (const GraphItem* item = geometry_.find(hovered_))
        paint_card(painter, card_lines(*model_, values_.get(), item->node), item->rect,
                   QRectF(rect()).adjusted(8, 8, -8, -8), theme());
}

void GraphWidget::paintLegend(QPainter& painter) const {
    const QRectF line = contents().adjusted(0, contents().height() - legend_height + 8, 0, 8);
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme().ink2);
    const QFontMetrics fm = painter.fontMetrics();
    if (ruler_ == Ruler::none || geometry_.longest.isEmpty()) {
        QString legend = ruler_ != Ruler::none ? tr("This step's times have not been measured.")
                                               : tr("In a box: its shape and the norm of all its numbers; in the loss, its value.");
        if (ruler_ == Ruler::none && fm.horizontalAdvance(legend) > line.width()) legend = tr("In a box: the norm of its numbers.");
        if (fm.horizontalAdvance(legend) <= line.width()) painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom, legend);
        return;
    }
    const QString what = ruler_ == Ruler::flops   ? tr("Bars: floating-point operations, counted; the longest is %1.")
                         : ruler_ == Ruler::bytes ? tr("Bars: bytes read and written, counted; the longest is %1.")
                                                  : tr("Bars: time in this step, measured; the longest is %1.");
    const Provenance provenance = provenance_of(ruler_);
    paint_provenance(painter, {line.left(), line.bottom() - 3}, provenance, 8, theme().ink2);
    const QRectF words = line.adjusted(provenance_width(provenance, 8), 0, 0, 0);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignBottom,
                     fm.elidedText(what.arg(geometry_.longest), Qt::ElideRight, static_cast<int>(words.width())));
}

void GraphWidget::setHovered(const std::string& id) {
    if (id == hovered_) return;
    hovered_ = id;
    update();
}

void GraphWidget::mouseMoveEvent(QMouseEvent* event) {
    const GraphItem* item = geometry_.at(event->position());
    setHovered(item ? item->id : "");
}

void GraphWidget::mousePressEvent(QMouseEvent* event) {
    const GraphItem* item = geometry_.at(event->position());
    if (!item) {
        emit selected({});
        return;
    }
    const GraphNode& node = model_->nodes[item->node];
    emit selected({node.tensor.name, {}});
    if (cursor_ >= 0 && node.last_ordinal() >= 0) emit eventChosen(node.last_ordinal());
}

void GraphWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const GraphItem* item = geometry_.at(event->position());
    if (item && !model_->nodes[item->node].module.empty())
        emit moduleToggled(QString::fromStdString(model_->nodes[item->node].module));
}

void GraphWidget::leaveEvent(QEvent*) { setHovered(""); }

} // namespace gradus
