#include "app/window/transport_bar.hpp"

#include "views/derive/event_words.hpp"
#include "views/theme/words.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace gradus {

namespace {

constexpr std::array<double, 7> speeds{1, 3, 10, 30, 100, 300, 0}; // steps per second; 0: as fast as it goes

QPolygonF triangle(QPointF centre, double size, bool right) {
    const double d = right ? size : -size;
    return QPolygonF({{centre.x() - d * 0.55, centre.y() - size * 0.8}, {centre.x() + d * 0.75, centre.y()},
                      {centre.x() - d * 0.55, centre.y() + size * 0.8}});
}

} // namespace

TransportButton::TransportButton(Glyph glyph, QWidget* parent) : QAbstractButton(parent), glyph_(glyph) {
    const bool large = glyph == Glyph::play || glyph == Glyph::pause;
    const bool small = glyph >= Glyph::slower;
    setFixedSize(large ? QSize(46, 46) : small ? QSize(24, 24) : QSize(40, 40));
    setFocusPolicy(Qt::TabFocus); // a click must not take Space away from the lesson
}

void TransportButton::setGlyph(Glyph glyph) {
    if (glyph == glyph_) return;
    glyph_ = glyph;
    retranslate();
    update();
}

void TransportButton::retranslate() {
    const auto [name, keys] = [this]() -> std::pair<QString, QString> {
        switch (glyph_) {
        case Glyph::first: return {tr("First step"), tr("Ctrl+Home")};
        case Glyph::back: return {tr("Step back"), "←"};
        case Glyph::play: return {tr("Play"), tr("Space")};
        case Glyph::pause: return {tr("Pause"), tr("Space")};
        case Glyph::step: return {tr("Step"), "→"};
        case Glyph::last: return {tr("Last step"), "End"};
        case Glyph::slower: return {tr("Slower"), "-"};
        case Glyph::faster: return {tr("Faster"), "+"};
        case Glyph::out: return {tr("Level out"), "↑"};
        case Glyph::in: return {tr("Level in"), "↓"};
        }
        return {};
    }();
    setAccessibleName(name);
    setToolTip(name + "  (" + keys + ")");
}

void TransportButton::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void TransportButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    const QPointF c = box.center();
    const bool large = glyph_ == Glyph::play || glyph_ == Glyph::pause;
    painter.setPen(Qt::NoPen);
    painter.setBrush(large ? theme_.ink : isDown() || underMouse() ? theme_.fill : theme_.window);
    if (large) painter.drawEllipse(box);
    else painter.drawRoundedRect(box, 6, 6);
    painter.setBrush(large ? theme_.window : theme_.ink);
    switch (glyph_) {
    case Glyph::play: painter.drawPolygon(triangle(c + QPointF(1, 0), 11, true)); break;
    case Glyph::pause:
        painter.drawRect(QRectF(c.x() - 8, c.y() - 9, 5, 18));
        painter.drawRect(QRectF(c.x() + 3, c.y() - 9, 5, 18));
        break;
    case Glyph::back: painter.drawPolygon(triangle(c, 9, false)); break;
    case Glyph::step: painter.drawPolygon(triangle(c, 9, true)); break;
    case Glyph::first:
        painter.drawPolygon(triangle(c + QPointF(2, 0), 9, false));
        painter.drawRect(QRectF(c.x() - 9, c.y() - 8, 2.5, 16));
        break;
    case Glyph::last:
        painter.drawPolygon(triangle(c - QPointF(2, 0), 9, true));
        painter.drawRect(QRectF(c.x() + 6.5, c.y() - 8, 2.5, 16));
        break;
    case Glyph::slower:
    case Glyph::faster:
    case Glyph::out:
    case Glyph::in:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.line, 1));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        painter.setPen(QPen(theme_.ink, 1.5));
        painter.drawLine(c - QPointF(4, 0), c + QPointF(4, 0));
        if (glyph_ == Glyph::faster || glyph_ == Glyph::in) painter.drawLine(c - QPointF(0, 4), c + QPointF(0, 4));
        break;
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(theme_.ink, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, large ? 23 : 6, large ? 23 : 6);
}

TransportBar::TransportBar(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), position_(new QLabel(this)), strip_(new RunStrips(theme, this)) {
    setFixedHeight(92);
    using Glyph = TransportButton::Glyph;
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24, 0, 24, 0);
    row->setSpacing(4);
    const auto add = [&](Glyph glyph, auto target) {
        auto* button = new TransportButton(glyph, this);
        connect(button, &QAbstractButton::clicked, this, target);
        row->addWidget(button);
        return button;
    };
    // A word with its value below it, and beside them the two buttons that change it.
    const auto group = [&](QLabel*& word, QLabel*& value, Glyph less, auto do_less, Glyph more, auto do_more) {
        auto* column = new QVBoxLayout;
        column->setSpacing(2);
        word = new QLabel(this);
        word->setProperty("role", "quiet");
        value = new QLabel(this);
        column->addStretch();
        column->addWidget(word);
        column->addWidget(value);
        column->addStretch();
        row->addLayout(column);
        add(less, do_less);
        add(more, do_more);
        row->addSpacing(16);
    };
    group(level_word_, level_, Glyph::out, &TransportBar::levelOut, Glyph::in, &TransportBar::levelIn);
    group(speed_word_, speed_, Glyph::slower, &TransportBar::slower, Glyph::faster, &TransportBar::faster);
    add(Glyph::first, &TransportBar::first);
    add(Glyph::back, &TransportBar::back);
    play_ = add(Glyph::play, &TransportBar::playOrPause);
    play_->setObjectName("play");
    add(Glyph::step, &TransportBar::step);
    add(Glyph::last, &TransportBar::last);
    row->addSpacing(20);
    position_->setObjectName("position");
    row->addWidget(position_);
    row->addSpacing(8);
    strip_->setFixedHeight(72);
    row->addWidget(strip_, 1);
    QSizePolicy kept = strip_->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    strip_->setSizePolicy(kept);
    retranslate();
    setTheme(theme);
}

void TransportBar::retranslate() {
    level_word_->setText(tr("level"));
    speed_word_->setText(tr("speed"));
    position_->setToolTip(tr("Steps are counted from 0."));
    for (TransportButton* button : findChildren<TransportButton*>()) button->retranslate();
}

void TransportBar::setTheme(const Theme& theme) {
    theme_ = theme;
    const QString mono = mono_sheet(metrics::text, QFont::Bold);
    set_style(*level_, mono);
    set_style(*speed_, mono);
    set_style(*position_, mono);
    for (TransportButton* button : findChildren<TransportButton*>()) button->setTheme(theme);
    strip_->setTheme(theme);
    update();
}

void TransportBar::present(bool playing, double speed, const Cursor& cursor, StepIndex planned) {
    current_speed_ = speed;
    const QString level = level_words(cursor.level);
    if (level != level_->text()) level_->setText(level);
    const QString rate = speed > 0 ? tr("%1/s").arg(speed) : tr("max");
    if (rate != speed_->text()) speed_->setText(rate);
    // Steps count from 0, so the last of 300 is step 299: without a word it looks as if one were missing.
    const QString position = planned == 1                        ? tr("one step")
                             : cursor.iteration + 1 == planned ? tr("step %1, the last").arg(cursor.iteration)
                                                               : tr("step %1 of %2").arg(cursor.iteration).arg(planned);
    if (position != position_->text()) position_->setText(position);
    fit(planned);
    play_->setGlyph(playing ? TransportButton::Glyph::pause : TransportButton::Glyph::play);
    strip_->show();
}

void TransportBar::presentNothing() {
    position_->clear();
    play_->setGlyph(TransportButton::Glyph::play);
    strip_->hide();
}

/// Every number has room for its widest value, so that nothing beside it moves.
void TransportBar::fit(StepIndex planned) {
    const auto width = [](const QLabel* label, const QString& words) { // asked for at every frame
        return qCeil(TextMetrics(label->font()).horizontalAdvance(words));
    };
    int level = level_word_->sizeHint().width();
    for (int i = static_cast<int>(Level::run); i <= static_cast<int>(Level::bits); ++i)
        level = std::max(level, width(level_, level_words(static_cast<Level>(i))));
    level_->setFixedWidth(level + 6);
    speed_->setFixedWidth(std::max(speed_word_->sizeHint().width(), width(speed_, tr("%1/s").arg(300))) + 6);
    position_->setFixedWidth(std::max(width(position_, tr("step %1 of %2").arg(planned).arg(planned)),
                                      width(position_, tr("step %1, the last").arg(planned))) + 4);
}

void TransportBar::changeSpeed(int by) {
    const auto at = std::find(speeds.begin(), speeds.end(), current_speed_);
    const auto place = at == speeds.end() ? 3 : static_cast<int>(at - speeds.begin());
    emit speedChanged(speeds[static_cast<std::size_t>(std::clamp(place + by, 0, static_cast<int>(speeds.size()) - 1))]);
}

void TransportBar::resizeEvent(QResizeEvent*) {
    position_->setVisible(width() >= 900); // the strips say it, too
}

void TransportBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(QPen(theme_.line, 1));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace gradus
