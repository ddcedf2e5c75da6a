#include "views/story/story_view.hpp"

#include "views/theme/words.hpp"

#include <QFocusEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>

namespace gradus {

namespace {
constexpr int view_left = 8, view_right = 16, bar = 8; // pixels: margins, and the scroll bar, whose room is always kept
constexpr int under_words = 8, least_words = 96; // pixels: four lines
} // namespace

StoryView::StoryView(const Theme& theme, QWidget* parent)
    : QWidget(parent), look_{theme, 1}, area_(new QScrollArea(this)), page_(new StoryPage(look_, nullptr)),
      above_(new ScrollFade(area_, ScrollFade::End::top, this)), below_(new ScrollFade(area_, ScrollFade::End::bottom, this)),
      back_(new StoryButton(look_, QStringLiteral("←"), this)), forward_(new StoryButton(look_, QString(), this)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setWidget(page_);
    area_->setFocusPolicy(Qt::StrongFocus); // arrows and pages scroll
    area_->verticalScrollBar()->setSingleStep(24);
    connect(area_->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        keeps_ &= fits_;
        if (!fits_) lead();
    });
    area_->installEventFilter(this); // its focus ring is painted here
    back_->setObjectName("back");
    forward_->setObjectName("forward");
    connect(back_, &QAbstractButton::clicked, this, [this] { emit partChanged(leadsBack() ? 0 : model_.part - 1); });
    connect(forward_, &QAbstractButton::clicked, this, [this] {
        if (leadsToCheck()) {
            keeps_ = true;
            showCheck();
            focusCheck();
            lead();
        } else if (leadsOn()) emit nextLesson();
        else emit partChanged(model_.part + 1);
    });
    connect(page_, &StoryPage::problem, this, &StoryView::problem);
    connect(page_, &StoryPage::parameterDragged, this, &StoryView::parameterDragged);
    connect(page_, &StoryPage::parameterCommitted, this, &StoryView::parameterCommitted);
    connect(page_, &StoryPage::parameterCancelled, this, &StoryView::parameterCancelled);
    connect(page_, &StoryPage::answered, this, &StoryView::answered);
    connect(page_, &StoryPage::kernelWanted, this, &StoryView::kernelWanted);
    connect(page_, &StoryPage::nextCheck, this, &StoryView::nextCheck);
    connect(page_, &StoryPage::previousCheck, this, &StoryView::previousCheck);
    connect(page_, &StoryPage::checkAgain, this, &StoryView::checkAgain);
    connect(page_, &StoryPage::stageWanted, this, &StoryView::stageWanted);
    connect(page_, &StoryPage::guessWanted, this, [this] {
        guesses_ = true;
        emit partChanged(model_.parts - 1);
    });
    connect(page_, &StoryPage::reshaped, this, &StoryView::fit);
    retranslate();
    restyle();
}

void StoryView::retranslate() {
    setAccessibleName(tr("Story"));
    area_->setAccessibleName(tr("Story"));
    lead();
}

void StoryView::lead() {
    forward_->setWords(leadsToCheck() ? tr("Question ↓") : leadsOn() ? tr("Next lesson →") : tr("Next →"));
    forward_->setAccessibleName(leadsToCheck() ? tr("To the question") : leadsOn() ? tr("Next lesson: %1").arg(model_.next_lesson) : tr("Next part"));
    forward_->setToolTip(leadsOn() && !leadsToCheck() ? model_.next_lesson : QString());
    back_->setWords(leadsBack() ? tr("← Page 1") : QStringLiteral("←"));
    back_->setAccessibleName(leadsBack() ? tr("First part") : tr("Previous part"));
    const auto enable = [](QWidget* button, bool on) {
        if (!on) button->clearFocus(); // or its ring would go on to something that nobody chose
        button->setEnabled(on);
    };
    enable(back_, model_.part > 0);
    enable(forward_, model_.part + 1 < model_.parts || leadsOn() || leadsToCheck());
    const int foot = this->foot(), y = height() - foot;
    const int wide = std::max(foot, static_cast<int>(forward_->naturalWidth()));
    back_->setGeometry(view_left - ring_room, y, leadsBack() ? static_cast<int>(back_->naturalWidth()) : foot + 4, foot);
    forward_->setGeometry(width() - view_right + ring_room - wide, y, wide, foot);
}

void StoryView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fit();
    }
    QWidget::changeEvent(event);
}

void StoryView::present(const StoryModel& model) {
    if (presented_ && model == model_) return;
    const bool turned = !presented_ || model.part != model_.part || model.title != model_.title;
    const bool scaled = model.text_scale != look_.scale;
    const bool told = presented_ && model.check && model_.check && model.check->id == model_.check->id &&
                      model.check->state == StoryCheck::State::committed &&
                      model_.check->state != StoryCheck::State::committed;
    const bool next = !turned && model.check && model_.check && model.check->id != model_.check->id;
    const QWidget* focus = window()->focusWidget();
    const bool at_hand = told && page_->check() && focus && (focus == page_->check() || page_->check()->isAncestorOf(focus));
    if (turned && model.part + 1 < model.parts) guesses_ = false;
    model_ = model;
    presented_ = true;
    if (scaled) {
        look_.scale = std::clamp(model.text_scale, 0.5, 4.0);
        restyle();
    }
    page_->present(model_);
    retranslate();
    fit();
    orderTabs();
    if (turned || told) keeps_ = false;
    if (turned) area_->verticalScrollBar()->setValue(0);
    const bool guessed = turned && guesses_ && model_.check;
    if (told || next || guessed) showCheck(told); // the verdict has made the panel longer, there is another question, or one comes for it
    keeps_ |= next || guessed;
    lead();
    if (at_hand && page_->check() && page_->check()->ends() && leadsOn()) forward_->setFocus(Qt::OtherFocusReason);
    update();
}

/// In full if it has room, else from its beginning; once it is answered, from a row of answers or the verdict where that is not in sight from there.
void StoryView::showCheck(bool told) {
    const QRect check = page_->checkArea();
    if (check.isEmpty()) return;
    const int head = check.top() - 8, end = check.bottom() + fade_height + 4 - area_->height();
    const bool heard = told && head + area_->height() >= check.top() + page_->check()->verdictBottom() + fade_height; // with its question
    const QScopedValueRollback fits(fits_, true);
    QScrollBar* bar = area_->verticalScrollBar();
    if (told && !heard) return bar->setValue(check.top() + page_->check()->readFrom(area_->height() - fade_height));
    // As far as shows its last button whole, if no more than the card's own edge goes then.
    const int button = check.top() + page_->check()->waysBottom() + 2 - area_->height();
    bar->setValue(heard && end > head ? button > head && button <= check.top() + 4 ? button : head : std::max(bar->value(), std::min(head, end)));
}

void StoryView::setTheme(const Theme& theme) {
    look_.theme = theme;
    restyle();
    fit();
}

bool StoryView::leadsToCheck() const {
    const QRect check = page_->checkArea();
    const QScrollBar* bar = area_->verticalScrollBar();
    return model_.check && !check.isEmpty() && bar->value() < std::min({check.top() - 8, check.bottom() + fade_height + 4 - area_->height(), bar->maximum()});
}

/// From the end of this lesson to the next.
bool StoryView::leadsOn() const { return model_.part + 1 >= model_.parts && !model_.next_lesson.isEmpty(); }

void StoryView::pressDigit(int digit) {
    CheckPanel* check = page_->check();
    if (!check) return;
    showCheck();
    check->pressDigit(digit);
}

void StoryView::focusCheck() {
    if (CheckPanel* check = page_->check()) check->takeFocus();
}

void StoryView::cancelDrag() { page_->cancelDrag(); }

void StoryView::chooseOption(const QString& option) {
    if (CheckPanel* check = page_->check()) check->choose(option);
}

void StoryView::restyle() {
    page_->setLook(look_);
    for (ScrollFade* fade : {above_, below_}) fade->setColour(look_.theme.window);
    back_->setLook(look_);
    forward_->setLook(look_);
    set_style(*area_->verticalScrollBar(), scroll_bar_sheet(look_.theme)); // of the area, it would be asked for all that the page holds
    area_->viewport()->setAutoFillBackground(false);
    page_->setAutoFillBackground(false);
    update();
}

QRectF StoryView::signArea() const {
    const QRect text = area_->geometry();
    const double between = (back_->geometry().right() + forward_->x()) / 2.0, high = 6, wide = 14;
    return {between - wide / 2, text.bottom() + 1 + (under_words - high) / 2.0 + 2, wide, high};
}

int StoryView::foot() const { return static_cast<int>(look_.px(36)) + 2 * ring_room; }

bool StoryView::hasRoomBelow(int pixels) const { return height() - foot() - under_words - pixels >= static_cast<int>(look_.px(least_words)); }

void StoryView::giveWay(int pixels) {
    if (pixels == given_) return;
    given_ = pixels;
    fit();
}

void StoryView::fit() {
    const QScopedValueRollback fits(fits_, true);
    const int foot = this->foot(), above = hasRoomBelow(given_) ? given_ : 0;
    area_->setGeometry(0, above, width(), std::max(0, height() - above - foot - under_words));
    page_->fit(width() - bar);
    for (ScrollFade* fade : {above_, below_}) fade->follow();
    if (keeps_) showCheck();
    lead();
}

/// As one reads: the text's controls, the question, the ways on.
void StoryView::orderTabs() {
    std::vector<QWidget*> stops = page_->stops();
    stops.insert(stops.begin(), area_);
    stops.insert(stops.end(), {back_, forward_});
    if (stops == stops_) return;
    for (std::size_t i = 1; i < stops.size(); ++i) setTabOrder(stops[i - 1], stops[i]);
    stops_ = std::move(stops);
}

void StoryView::resizeEvent(QResizeEvent*) { fit(); }

bool StoryView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) ring_ = static_cast<QFocusEvent*>(event)->reason() == Qt::TabFocusReason ||
                                                  static_cast<QFocusEvent*>(event)->reason() == Qt::BacktabFocusReason;
    if (event->type() == QEvent::FocusOut) ring_ = false;
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::eventFilter(watched, event);
}

void StoryView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme.window);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(look_.theme.ink2);
    painter.setFont(look_.text(12));
    draw_text(painter, QRectF(back_->geometry().right(), back_->y(), forward_->x() - back_->geometry().right(), back_->height()),
              Qt::AlignCenter, tr("%1 of %2").arg(model_.part + 1).arg(model_.parts));
    if (below_->covers()) paint_more_below(painter, signArea(), look_.theme.ink2);
    if (!ring_) return;
    painter.setPen(QPen(look_.theme.ink, 2));
    painter.drawRoundedRect(QRectF(area_->geometry()).adjusted(1, 1, -1, -1), metrics::radius, metrics::radius);
}

} // namespace gradus
