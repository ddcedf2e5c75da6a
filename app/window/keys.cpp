#include "app/window/keys.hpp"

#include "views/theme/words.hpp"

#include <QEvent>
#include <QPainter>
#include <QShortcut>
#include <algorithm>

namespace gradus {

void add_shortcuts(QWidget* window, const std::vector<KeyAction>& actions) {
    for (const KeyAction& action : actions)
        for (const QKeySequence& keys : action.act ? action.keys : std::vector<QKeySequence>())
            QObject::connect(new QShortcut(keys, window), &QShortcut::activated, window, action.act);
}

QString key_text(const QKeySequence& keys) {
    if (keys == QKeySequence(Qt::Key_1)) return QStringLiteral("1 – 9"); // it stands for all digits
    QString text = keys.toString(QKeySequence::NativeText);
    text.replace("PgUp", KeysOverlay::tr("PageUp")).replace("PgDown", KeysOverlay::tr("PageDown"));
    text.replace("Left", "←").replace("Right", "→").replace("Up", "↑").replace("Down", "↓");
    text.replace("Page↑", "PageUp").replace("Page↓", "PageDown");
    return text;
}

KeysOverlay::KeysOverlay(const Theme& theme, std::vector<KeyAction> actions, QWidget* parent)
    : QWidget(parent), theme_(theme), actions_(std::move(actions)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Keys"));
    QStringList spoken;
    for (const KeyAction& action : actions_) spoken << key_text(action.keys.front()) + ": " + action.name;
    setAccessibleDescription(spoken.join("; "));
    setGeometry(parent->rect());
    before_ = parent->window()->focusWidget();
    show();
    setFocus();
}

/// The keyboard goes back to where it was, else Qt would give it to the first control there is.
void KeysOverlay::hideEvent(QHideEvent*) {
    if (!hasFocus()) return;
    clearFocus();
    if (before_) before_->setFocus();
}

bool KeysOverlay::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) event->accept();
    return QWidget::event(event);
}

void KeysOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = theme_.window;
    veil.setAlpha(215);
    painter.fillRect(rect(), veil);

    constexpr double row = 26, group_gap = 18, column = 330, inside = 28, title = 40;
    std::vector<QString> groups;
    for (const KeyAction& action : actions_)
        if (std::find(groups.begin(), groups.end(), action.group) == groups.end()) groups.push_back(action.group);
    const auto height_of = [&](const QString& group) {
        return group_gap + row * (1 + static_cast<double>(std::count_if(actions_.begin(), actions_.end(),
                                                                        [&](const KeyAction& a) { return a.group == group; })));
    };
    /// The column of each group, where none is taller than `tallest`.
    const auto columns_under = [&](double tallest) {
        std::vector<int> out;
        double filled = 0;
        for (const QString& group : groups) {
            const double height = height_of(group);
            const bool next = !out.empty() && filled + height > tallest;
            out.push_back((out.empty() ? 0 : out.back()) + next);
            filled = next ? height : filled + height;
        }
        return out;
    };
    // Two or three columns of groups, as even as they come: whichever is read larger.
    double scale = 0, tallest = 0;
    std::vector<int> column_of;
    for (const int columns : {2, 3}) {
        double needed = 0;
        for (const QString& group : groups) needed = std::max(needed, height_of(group));
        while (columns_under(needed).back() >= columns) needed += row;
        const double fits = std::min({1.0, (width() - 16) / (columns * (column + inside) + inside),
                                      (height() - 16) / (needed + title + 2 * inside - group_gap)});
        if (fits <= scale + 0.01) continue;
        scale = fits;
        tallest = needed;
        column_of = columns_under(needed);
    }
    QRectF card(0, 0, (column_of.back() + 1) * (column + inside) + inside, tallest + title + 2 * inside - group_gap);
    painter.translate(rect().center());
    painter.scale(scale, scale);
    card.moveCenter({});
    painter.setPen(QPen(theme_.ink3, 1));
    painter.setBrush(theme_.surface);
    painter.drawRoundedRect(card, metrics::radius, metrics::radius);
    painter.setPen(theme_.ink);
    painter.setFont(text_font(metrics::title, QFont::Bold));
    draw_text(painter, QRectF(card.left() + inside, card.top() + inside - 6, card.width(), 30), Qt::AlignVCenter, tr("Keys"));

    const QFont name = text_font(metrics::text), head = text_font(metrics::text, QFont::DemiBold), key = mono_font(metrics::text - 1);
    double y = card.top() + inside + title - group_gap, x = card.left() + inside;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (g > 0 && column_of[g] != column_of[g - 1]) {
            x += column + inside;
            y = card.top() + inside + title - group_gap;
        }
        y += group_gap;
        painter.setFont(head);
        painter.setPen(theme_.ink2);
        draw_text(painter, QRectF(x, y, column, row), Qt::AlignVCenter, groups[g]);
        y += row;
        for (const KeyAction& action : actions_) {
            if (action.group != groups[g]) continue;
            painter.setFont(name);
            painter.setPen(theme_.ink);
            draw_text(painter, QRectF(x, y, column, row), Qt::AlignVCenter, action.name);
            painter.setFont(key);
            QString keys = key_text(action.keys.front());
            const double wide = TextMetrics(painter.font()).horizontalAdvance(keys) + 12;
            const QRectF cap(x + column - wide, y + 3, wide, row - 6);
            painter.setPen(QPen(theme_.ink3, 1));
            painter.setBrush(theme_.window);
            painter.drawRoundedRect(cap, 4, 4);
            painter.setPen(theme_.ink);
            draw_text(painter, cap, Qt::AlignCenter, keys);
            y += row;
        }
    }
}

} // namespace gradus
