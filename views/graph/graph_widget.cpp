#include "views/graph/graph_widget.hpp"

#include "views/theme/paragraph.hpp"

#include <QDateTime>
#include <QMouseEvent>

namespace gradus {

namespace {
constexpr qint64 patience_ms = 200; // shorter waits are not worth a word
constexpr double legend_height = 22;
} // namespace

GraphWidget::GraphWidget(const Theme& theme, QWidget* parent) : View(theme, tr("Graph"), parent) {
    setMouseTracking(true);
    setMinimumHeight(300);
}

void GraphWidget::present(const Look& look) {
    if (!message_.isEmpty()) {
        message_.clear();
        update();
    }
    setTitle(tr("Graph"));
    if (look.run() != run_ || !model_ || look.state.open_modules != open_) {
        run_ = look.run();
        open_ = look.state.open_modules;
        rebuild();
    }
    const bool inside = look.state.cursor.level > Level::iteration;
    if (const std::int32_t cursor = inside ? look.state.cursor.ordinal : -1; cursor != cursor_) {
        cursor_ = cursor;
        structure_ = QPixmap();
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

QRectF GraphWidget::graphArea() const { return contents().adjusted(4, 4, -4, -legend_height); }

void GraphWidget::rebuild() {
    if (!run_) return;
    model_ = std::make_shared<const GraphModel>(make_graph(*run_, fold_for(*run_, graphArea().width()), open_));
    values_.reset();
    wanted_ = -1;
    structure_ = QPixmap();
    layOut();
}

void GraphWidget::layOut() {
    geometry_ = lay_out(*model_, values_.get(), graphArea(), cursor_);
    update();
}

std::vector<ViewItem> GraphWidget::items() const {
    std::vector<ViewItem> out;
    for (const GraphItem& item : geometry_.items)
        out.push_back({item.rect, QString::fromStdString(item.id), item.name, item.value, item.provenance, item.role});
    return out;
}

void GraphWidget::setTheme(const Theme& theme) {
    structure_ = QPixmap();
    Panel::setTheme(theme);
}

void GraphWidget::resizeEvent(QResizeEvent*) {
    structure_ = QPixmap();
    if (!run_) return;
    if (!model_ || fold_for(*run_, graphArea().width()) != model_->fold) rebuild();
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
        structure_ = QPixmap(size() * devicePixelRatioF());
        structure_.setDevicePixelRatio(devicePixelRatioF());
        structure_.fill(Qt::transparent);
        QPainter once(&structure_);
        paint_structure(once, geometry_, theme());
    }
    painter.drawPixmap(0, 0, structure_);
    paint_values(painter, geometry_, theme(), hovered_, selected_);
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme().ink2);
    QString legend = tr("In a box: its shape and the norm of all its numbers; in the loss, its value.");
    if (painter.fontMetrics().horizontalAdvance(legend) > contents().width()) legend = tr("In a box: the norm of its numbers.");
    if (painter.fontMetrics().horizontalAdvance(legend) <= contents().width())
        painter.drawText(contents().adjusted(0, contents().height() - legend_height + 8, 0, 8),
                         Qt::AlignLeft | Qt::AlignBottom, legend);
    if (const GraphItem* item = geometry_.find(hovered_))
        paint_card(painter, card_lines(*model_, values_.get(), item->node), item->rect,
                   QRectF(rect()).adjusted(8, 8, -8, -8), theme());
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
