#include "views/story/check_panel.hpp"

#include "views/story/check_verdict.hpp"
#include "views/story/scroll_fade.hpp"
#include "views/theme/words.hpp"

#include <QEvent>
#include <QPainter>

namespace gradus {

namespace {
constexpr double head_height = 40, panel_gap = 12; // pixels
/// What was chosen instead of what is right, in words; empty where it was right, or where numbers and places say it.
QString missed(const StoryCheck& check) {
    const bool chosen = check.kind == StoryCheck::Kind::choice || check.kind == StoryCheck::Kind::point;
    if (!chosen || check.is_right || check.undecided || check.answer.isEmpty()) return {};
    const auto words = [&](const QStringList& ids) {
        QStringList out;
        for (const StoryOption& option : check.options)
            if (ids.contains(option.id)) out << option.words;
        return out.join(QStringLiteral("; "));
    };
    const QString mine = words(split_answer(check.answer)), right = words(check.right);
    if (mine.isEmpty() || right.isEmpty()) return {};
    return (check.set ? CheckPanel::tr("Not all of it is right. You chose: **%1**. Right: **%2**.") : CheckPanel::tr("You chose: **%1**. Right: **%2**.")).arg(mine, right) + "\n\n";
}
} // namespace

CheckPanel::CheckPanel(const StoryLook& look, QWidget* parent)
    : QWidget(parent), look_(look), ask_(new RichLabel(look.theme, look.rich(15, 24), this)),
      why_(new RichLabel(look.theme, look.rich(14, 22, QFont::Medium), this)),
      said_(new RichLabel(look.theme, look.rich(13, 18), this)), answer_(new StoryButton(look, tr("Answer"), this)),
      previous_(new StoryButton(look, {}, this)), again_(new StoryButton(look, tr("Again"), this)),
      stage_(new StoryButton(look, tr("See it on stage"), this)),
      next_(new StoryButton(look, {}, this)) {
    said_->setQuiet(true);
    ask_->setObjectName("ask");
    why_->setObjectName("why");
    said_->setObjectName("said");
    answer_->setObjectName("answer");
    previous_->setObjectName("previous");
    again_->setObjectName("again");
    stage_->setObjectName("stage");
    next_->setObjectName("next");
    connect(answer_, &QAbstractButton::clicked, this, &CheckPanel::submit);
    connect(previous_, &QAbstractButton::clicked, this, &CheckPanel::previous);
    connect(again_, &QAbstractButton::clicked, this, &CheckPanel::again);
    connect(stage_, &QAbstractButton::clicked, this, &CheckPanel::stageWanted);
    connect(next_, &QAbstractButton::clicked, this, &CheckPanel::next);
}

bool CheckPanel::needsButton() const {
    return check_.set || check_.kind == StoryCheck::Kind::order || check_.kind == StoryCheck::Kind::number || isEdit();
}

QString CheckPanel::heading() const { return isEdit() ? tr("Write") : tr("Predict"); }

QString CheckPanel::note() const {
    const QString which = tr("%1 of %2").arg(check_.number).arg(check_.count);
    return check_.gut ? tr("%1, not scored").arg(which) : which;
}

bool CheckPanel::present(const StoryCheck& check, const LiveNumbers& numbers) {
    const bool other = check.id != check_.id || check.kind != check_.kind || check.options != check_.options ||
                       check.set != check_.set;
    const bool changed = other || !(check == check_), moved_on = other || check.state != check_.state;
    if (check.state == StoryCheck::State::asking && check_.state != StoryCheck::State::asking) chosen_.clear();
    if (field_ && check.state == StoryCheck::State::asking && check_.state == StoryCheck::State::committed) field_->clear(); // asked anew
    const QWidget* focus = window()->focusWidget();
    const bool at_hand = focus && (focus == this || isAncestorOf(focus)); // what has the keyboard may be gone in a moment
    check_ = check;
    ask_->setText(check.ask);
    why_->setText(check.state == StoryCheck::State::committed ? missed(check) + check.why : QString());
    bool relaid = ask_->setNumbers(numbers);
    if (why_->setNumbers(numbers) && check.state == StoryCheck::State::committed) relaid = true; // else it is hidden
    if (other) rebuild();
    if (changed) show();
    if (changed && at_hand) keepFocus(moved_on);
    return changed || relaid;
}

/// The keyboard stays with the question: on its first answer, then on the way on.
void CheckPanel::keepFocus(bool movedOn) {
    const QWidget* focus = window()->focusWidget();
    if (!movedOn && focus && focus != this && isAncestorOf(focus)) return;
    QWidget* wanted = this;
    if (check_.state == StoryCheck::State::committed && toBeWritten()) wanted = answer_;
    else if (check_.state == StoryCheck::State::committed) wanted = next_->isVisibleTo(this) ? static_cast<QWidget*>(next_) : this;
    else if (check_.state == StoryCheck::State::asking)
        wanted = !options_.empty() ? static_cast<QWidget*>(options_.front()) : order_ ? static_cast<QWidget*>(order_) : isEdit() ? static_cast<QWidget*>(answer_) : field_;
    if (wanted) wanted->setFocus(Qt::OtherFocusReason);
}

void CheckPanel::takeFocus() {
    if (isEdit()) answer_->setFocus(Qt::OtherFocusReason);
    else keepFocus(true);
}

void CheckPanel::pressDigit(int digit) {
    if (toBeWritten() && check_.state != StoryCheck::State::computing && digit == 1) {
        answer_->setFocus(Qt::ShortcutFocusReason);
        return answer_->click();
    }
    if (check_.state == StoryCheck::State::committed && next_->isVisibleTo(this)) next_->setFocus(Qt::ShortcutFocusReason); // it is answered: Enter goes on
    if (check_.state != StoryCheck::State::asking) return;
    if (field_) {
        field_->setFocus(Qt::ShortcutFocusReason);
        field_->insert(QString::number(digit));
    } else if (digit >= 1 && digit <= static_cast<int>(options_.size())) {
        StoryButton* option = options_[static_cast<std::size_t>(digit - 1)];
        option->setFocus(Qt::ShortcutFocusReason); // so that Enter goes on
        option->click();
    }
}

void CheckPanel::rebuild() {
    chosen_.clear();
    for (StoryButton* button : options_) { // one of them may be telling of the click that led here
        button->setParent(nullptr);
        button->deleteLater();
    }
    options_.clear();
    delete order_;
    delete field_;
    order_ = nullptr;
    field_ = nullptr;
    setAccessibleName(heading());
    if (check_.kind == StoryCheck::Kind::order) {
        order_ = new OrderList(look_, check_.options, this);
        order_->setObjectName("order");
    } else if (check_.kind == StoryCheck::Kind::number) {
        field_ = new StoryField(look_, false, this);
        field_->setObjectName("number");
        field_->setAccessibleName(tr("Your answer"));
        connect(field_, &QLineEdit::returnPressed, this, &CheckPanel::submit);
    } else {
        for (const StoryOption& option : check_.options) {
            auto* button = new StoryButton(look_, option.words, this);
            button->setObjectName("option:" + option.id);
            button->setPicture(option.picture);
            button->setMayBeTicked();
            connect(button, &QAbstractButton::clicked, this, [this, id = option.id] { choose(id); });
            options_.push_back(button);
        }
    }
    for (QWidget* made : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (made != why_ && made != said_) made->show();
}

void CheckPanel::show() {
    const bool asking = check_.state == StoryCheck::State::asking, done = check_.state == StoryCheck::State::committed;
    const QStringList given = asking ? chosen_ : check_.answer.isEmpty() ? chosen_ : split_answer(check_.answer);
    for (std::size_t i = 0; i < options_.size(); ++i) {
        const QString& id = check_.options[i].id;
        const bool chosen = given.contains(id), right = done && !check_.undecided && check_.right.contains(id);
        const bool missed = done && !check_.undecided && !check_.is_right;
        const auto look = !chosen                    ? StoryButton::Look::plain
                          : missed && !right         ? StoryButton::Look::outlined
                                                     : StoryButton::Look::chosen;
        options_[i]->setState(look, missed && right);
        options_[i]->setEnabled(asking);
        options_[i]->setNumber(done ? check_.found.value(id) : QString());
    }
    if (order_) {
        if (!asking && !check_.answer.isEmpty()) order_->setOrder(given);
        order_->setRight(done && !check_.undecided ? check_.right : QStringList());
        order_->setNumbers(done ? check_.found : QHash<QString, QString>());
        order_->setEnabled(asking);
    }
    if (field_) {
        field_->setVisible(!done);
        field_->setEnabled(asking);
        if (!asking && !check_.answer.isEmpty() && field_->text() != check_.answer) field_->setText(check_.answer);
    }
    said_->setText(sayBelow());
    answer_->setVisible((asking || (done && isEdit())) && needsButton());
    answer_->setEnabled(!check_.set || !chosen_.isEmpty());
    answer_->setWords(!isEdit() ? tr("Answer") : check_.editing ? tr("Try it") : tr("Write it"));
    previous_->setWords(tr("← Question %1").arg(check_.number - 1));
    next_->setWords(tr("Question %1 →").arg(check_.number + 1));
    previous_->setVisible((asking || done) && check_.number > 1);
    again_->setVisible(done && !isEdit() && (check_.recalled || (!check_.is_right && !check_.undecided && !check_.gut)));
    stage_->setVisible(done && check_.elsewhere);
    next_->setVisible(done && check_.number < check_.count);
    why_->setVisible(done);
    said_->setVisible(!said_->text().isEmpty());
    update();
}

QString CheckPanel::sayBelow() const {
    QString open;
    switch (check_.state) {
    case StoryCheck::State::computing: return isEdit() ? tr("The engine runs your kernel at every size.") : tr("The engine is computing the answer.");
    case StoryCheck::State::committed:
        for (const int number : check_.unpassed) open += (open.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(number);
        if (open.isEmpty()) return open;
        return check_.unpassed.size() == 1 ? tr("Question %1 is still to be answered right; then the lesson counts as done.").arg(open)
                                           : tr("Questions %1 are still to be answered right; then the lesson counts as done.").arg(open);
    case StoryCheck::State::asking: break;
    }
    if (check_.refusal.isEmpty() && check_.gut) return tr("A guess shows what you expect; so it is not scored.");
    if (check_.refusal.isEmpty() && check_.editing) return tr("Ctrl+Return in the editor tries it.");
    if (!check_.refusal.isEmpty() || !order_) return check_.refusal;
    return tr("Drag the rows; or take one up with Space and move it with ↑ and ↓.");
}

void CheckPanel::choose(const QString& option) {
    if (check_.state != StoryCheck::State::asking) return;
    const auto known = std::any_of(check_.options.begin(), check_.options.end(),
                                   [&](const StoryOption& each) { return each.id == option; });
    if (!known || order_ || field_) return;
    if (check_.set) {
        if (!chosen_.removeOne(option)) chosen_ += option;
        show();
        return;
    }
    chosen_ = {option};
    show();
    submit();
}

void CheckPanel::submit() {
    if (isEdit() && check_.state != StoryCheck::State::computing) return emit kernelWanted();
    if (check_.state != StoryCheck::State::asking) return;
    const QString answer = order_   ? order_->order().join(",")
                           : field_ ? field_->text().trimmed()
                                    : chosen_.join(",");
    if (!answer.isEmpty()) emit answered(check_.id, answer);
}

void CheckPanel::setLook(const StoryLook& look) {
    look_ = look;
    for (RichLabel* label : {ask_, why_, said_}) label->setTheme(look.theme);
    ask_->setStyle(look.rich(15, 24));
    why_->setStyle(look.rich(14, 22, QFont::Medium));
    said_->setStyle(look.rich(13, 18));
    for (StoryButton* button : options_) button->setLook(look);
    if (order_) order_->setLook(look);
    if (field_) field_->setLook(look);
    for (StoryButton* button : {answer_, previous_, again_, stage_, next_}) button->setLook(look);
    update();
}

void CheckPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        again_->setWords(tr("Again"));
        stage_->setWords(tr("See it on stage"));
        setAccessibleName(heading());
        show();
    }
    QWidget::changeEvent(event);
}

int CheckPanel::verdictBottom() const { return static_cast<int>(why_top_ + std::min<double>(why_->height(), look_.px(66))); }

int CheckPanel::readFrom(int pixels) const {
    for (const StoryButton* option : options_)
        if (verdictBottom() - option->y() <= pixels) return option->y();
    if (options_.empty()) return std::min(verdictTop() - fade_height, height() + 4 - pixels);
    return std::max(options_.back()->geometry().bottom() + 1, verdictTop() - fade_height);
}

int CheckPanel::waysBottom() const {
    int bottom = 0;
    for (const StoryButton* button : ways()) bottom = std::max(bottom, button->geometry().bottom());
    return bottom;
}

QStringList CheckPanel::problems() const { return ask_->rich().problems + why_->rich().problems; }

double CheckPanel::layOut(double width, bool place) {
    const double room = width - 2 * metrics::inside, x = metrics::inside;
    double y = look_.px(head_height);
    const auto put = [&](QWidget* widget, double at, double wide, double high) {
        if (place) widget->setGeometry(QRectF(at, y, wide, high).toRect());
        y += high;
    };
    put(ask_, x, room, ask_->heightForWidth(static_cast<int>(room)));
    y += panel_gap;
    if (!options_.empty()) y += (place ? place_buttons(options_, {x, y}, room) : height_of_buttons(options_, room)) + panel_gap;
    if (order_) {
        put(order_, x - ring_room, room + 2 * ring_room, order_->heightNeeded(room + 2 * ring_room));
        y += panel_gap;
    }
    const bool done = check_.state == StoryCheck::State::committed;
    if (field_ && !done) {
        const double unit = check_.unit.isEmpty() ? 0 : TextMetrics(look_.text(14)).horizontalAdvance(check_.unit) + 8;
        const double button = std::min(answer_->naturalWidth(), room / 2);
        const double high = field_->heightNeeded();
        if (place) {
            answer_->setGeometry(QRectF(x + room - button + ring_room, y - ring_room, button, high + 2 * ring_room).toRect());
            field_->setGeometry(QRectF(x, y, room - button - unit, high).toRect());
        }
        y += high + panel_gap;
    } else if (answer_->isVisibleTo(this)) {
        put(answer_, x - ring_room, room + 2 * ring_room, answer_->heightNeeded(room));
        y += panel_gap - ring_room;
    }
    const auto put_said = [&] {
        if (!said_->isVisibleTo(this)) return;
        put(said_, x, room, said_->heightForWidth(static_cast<int>(room)));
        y += panel_gap;
    };
    if (!done) put_said();
    if (done) {
        values_top_ = y;
        y += verdict_height(check_, look_, room);
        why_top_ = y;
        const double indent = check_.is_right && !check_.undecided ? look_.px(22) : 0;
        put(why_, x + indent, room - indent, why_->heightForWidth(static_cast<int>(room - indent)));
        y += panel_gap;
        put_said();
    }
    if (const std::vector<StoryButton*> buttons = ways(); buttons.size() == 1) {
        const double wide = std::min(room + 2 * ring_room, buttons.front()->naturalWidth());
        put(buttons.front(), x - ring_room, wide, buttons.front()->heightNeeded(wide));
        y += panel_gap - ring_room;
    } else if (!buttons.empty()) {
        y += (place ? place_buttons(buttons, {x, y}, room) : height_of_buttons(buttons, room)) + panel_gap;
    }
    return y + 4;
}

std::vector<QWidget*> CheckPanel::stops() const {
    std::vector<QWidget*> out;
    if (order_) out.push_back(order_);
    if (field_) out.push_back(field_);
    out.insert(out.end(), options_.begin(), options_.end());
    out.insert(out.end(), {answer_, previous_, again_, stage_, next_});
    return out;
}

std::vector<StoryButton*> CheckPanel::ways() const {
    std::vector<StoryButton*> out;
    for (StoryButton* button : {previous_, again_, stage_, next_})
        if (button->isVisibleTo(this)) out.push_back(button);
    return out;
}

void CheckPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = look_.theme;
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    const QRectF head(metrics::inside, 0, width() - 2 * metrics::inside, look_.px(head_height));
    painter.setFont(look_.text(12, QFont::DemiBold));
    painter.setPen(theme.ink2);
    draw_text(painter, head, Qt::AlignLeft | Qt::AlignVCenter, heading());
    painter.setFont(look_.text(12));
    draw_text(painter, head, Qt::AlignRight | Qt::AlignVCenter, note());
    if (field_ && check_.state != StoryCheck::State::committed && !check_.unit.isEmpty()) {
        painter.setFont(look_.text(14));
        draw_text(painter, QRectF(field_->geometry().right() + 8, field_->y(), width(), field_->height()),
                  Qt::AlignLeft | Qt::AlignVCenter, check_.unit);
    }
    if (check_.state != StoryCheck::State::committed) return;
    paint_verdict(painter, check_, look_, QRectF(metrics::inside, values_top_, width() - 2 * metrics::inside, height()), why_top_);
}

} // namespace gradus
