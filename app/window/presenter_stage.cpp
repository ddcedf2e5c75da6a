#include "app/window/presenter_stage.hpp"

#include "app/window/card_listing.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/own_cover.hpp"
#include "app/window/presenter.hpp"
#include "app/window/presenter_page.hpp"
#include "app/window/spotlight.hpp"
#include "app/window/stage.hpp"
#include "app/window/vote_panel.hpp"
#include "app/window/zoom_host.hpp"
#include "lessons/runtime/card.hpp"
#include "lessons/runtime/edit.hpp"
#include "views/text/rich_label.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

// Sizes at a height of 800: what the back row can read.
constexpr double caption_pixels = 34, caption_line = 46, text_pixels = 28, margin = 24, gap = 16, foot_height = 50;
constexpr int most_caption_lines = 2;
/// Views are drawn so large that their smallest text, which is raised to that of a body, has 28 pixels.
constexpr double view_zoom = text_pixels / metrics::text;

/// The digit on a key, with or without Shift; 0 if there is none.
int digit_of(const QKeyEvent& event) {
    if (event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9) return event.key() - Qt::Key_0;
    if (!(event.modifiers() & Qt::ShiftModifier)) return 0;
    // With Shift a digit's key gives the layout's sign; under X11 and Wayland the keys themselves are numbered.
    constexpr quint32 first = 10;
    if (event.nativeScanCode() >= first && event.nativeScanCode() < first + 9)
        return static_cast<int>(event.nativeScanCode() - first) + 1;
    static constexpr Qt::Key signs[] = {Qt::Key_Exclam, Qt::Key_At, Qt::Key_NumberSign, Qt::Key_Dollar, Qt::Key_Percent,
                                        Qt::Key_AsciiCircum, Qt::Key_Ampersand, Qt::Key_Asterisk, Qt::Key_ParenLeft};
    const auto* at = std::find(std::begin(signs), std::end(signs), event.key());
    return at == std::end(signs) ? 0 : static_cast<int>(at - std::begin(signs)) + 1;
}

/// From the back row the ink of fine lines cannot be seen.
Theme for_class(Theme theme) {
    theme.ink3 = theme.ink2;
    return theme;
}

} // namespace

PresenterStage::PresenterStage(const Theme& theme, Presenter& presenter, LessonDriver& lesson, Votes& votes, QWidget* parent)
    : QWidget(parent), theme_(theme), presenter_(presenter), lesson_(lesson), votes_(votes) {
    set_smallest_text(metrics::text);
    setAccessibleName(tr("In class"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    stage_ = new Stage(for_class(theme), nullptr);
    stage_->setSparse(true);
    stage_->setAttribute(Qt::WA_TranslucentBackground);
    host_ = new ZoomHost(stage_, this);
    host_->setTakesKeys(false);
    connect(host_, &ZoomHost::painted, this, &PresenterStage::painted);
    caption_ = new RichLabel(theme, {}, this);
    caption_->setObjectName("caption");
    choices_ = new VotePanel(theme, this);
    choices_->hide();
    spotlight_ = new Spotlight(theme, this);
    lesson_.enterClass();
    setFocus();
}

PresenterStage::~PresenterStage() { leave(); }

void PresenterStage::leave() {
    if (left_) return;
    left_ = true;
    lesson_.leaveClass();
    set_smallest_text(metrics::small_text);
}

void PresenterStage::setTheme(const Theme& theme) {
    theme_ = theme;
    stage_->setTheme(for_class(theme));
    caption_->setTheme(theme);
    choices_->setTheme(theme);
    spotlight_->setTheme(theme);
    update();
}

void PresenterStage::arrange(const Card* card, const std::vector<std::string>& views) {
    card_ = card;
    views_ = views;
    stage_->setListing(card ? listing_of(*card) : nullptr);
    if (question_ && *question_ >= class_checks(*card)) question_.reset();
    showViews();
}

/// Beside a question stands the view that its answer is covered on, or the first; beside a part as many as can be read.
void PresenterStage::showViews() {
    std::vector<std::string> wanted, views = views_;
    const std::size_t part = presenter_.state().card_step;
    const auto take = [&views](const Scene& scene) {
        if (!scene.views.empty()) views = scene.views;
        if (!scene.class_views.empty()) views = scene.class_views;
        return !scene.views.empty() || !scene.class_views.empty();
    };
    if (card_ && part < card_->lesson.size()) take(card_->lesson[part]);
    if (question_ && card_ && take(card_->checks[*question_].scene)) {
        wanted = {views.front()};
    } else if (question_ && card_) {
        for (const std::string& item : card_->checks[*question_].veil) {
            const std::string kind = item.substr(0, item.find(':')); // of the views, "series" or "series:c0,c1"
            for (const std::string& view : views)
                if (wanted.empty() && (view == kind || view.starts_with(kind + ":"))) wanted = {view};
        }
        if (wanted.empty() && !views.empty()) wanted = {views.front()};
    } else {
        // A graph needs the width of the screen to be read from the back row; all else stands two and two.
        const auto narrow = [](const std::string& view) { return view != "graph" && view != "timeline"; };
        if (!views.empty()) wanted = {views.front()};
        if (views.size() > 1 && narrow(views[0]) && narrow(views[1])) wanted.push_back(views[1]);
    }
    if (wanted == stage_->ids()) return;
    stage_->arrange(wanted);
    for (View* view : stage_->views()) view->setFocusPolicy(Qt::NoFocus); // the keys are the lesson's
}

// --- pages -----------------------------------------------------------------------------------------------------------

std::size_t PresenterStage::pages() const { return card_ ? std::max<std::size_t>(1, card_->lesson.size()) + class_checks(*card_) : 1; }

std::size_t PresenterStage::page() const {
    if (!card_) return 0;
    return question_ ? std::max<std::size_t>(1, card_->lesson.size()) + *question_ : presenter_.state().card_step;
}

void PresenterStage::goToPage(std::size_t page) {
    if (!card_ || page >= pages()) return;
    const std::size_t parts = std::max<std::size_t>(1, card_->lesson.size());
    if (page < parts) {
        question_.reset();
        if (page == presenter_.state().card_step && page < card_->lesson.size()) presenter_.showScene(card_->lesson[page]);
        else presenter_.setCardStep(page);
    } else {
        presenter_.setCardStep(parts - 1);
        question_ = page - parts;
        presenter_.showScene(sceneOfQuestion());
        lesson_.goToCheck(*question_);
    }
    check_.reset();
    showViews();
    layOut();
}

/// A question is always asked at the same place, wherever the class has been: its own, or the one that the last part prepares.
Scene PresenterStage::sceneOfQuestion() const {
    Scene out = card_->checks[*question_].scene;
    const Scene prepared = card_->lesson.empty() ? Scene{} : static_cast<const Scene&>(card_->lesson.back());
    if (!out.iteration) { // an event belongs to the step it is in
        out.iteration = prepared.iteration.value_or(0);
        if (out.cursor.empty()) out.cursor = prepared.cursor, out.class_cursor = prepared.class_cursor;
    }
    if (out.select.empty()) out.select = prepared.select;
    if (!out.open) out.open = prepared.open;
    if (out.ruler.empty()) out.ruler = prepared.ruler;
    return out;
}

bool PresenterStage::answered() const { return check_ && check_->state == StoryCheck::State::committed; }

bool PresenterStage::tellsValue() const {
    return answered() && check_->kind != StoryCheck::Kind::number && !check_->engine.isEmpty();
}

void PresenterStage::next() {
    if (question_ && !answered()) lesson_.reveal(); // so that one key of a clicker does for all
    else goToPage(page() + 1);
}

void PresenterStage::back() {
    if (page() > 0) goToPage(page() - 1);
}

void PresenterStage::count(int choice, int by) {
    if (!card_ || !check_ || answered()) return;
    Vote& vote = votes_.on(QString::fromStdString(card_->id), check_->id, check_->options.size());
    Votes::count(vote, choice, by);
}

// --- one look per frame --------------------------------------------------------------------------------------------

void PresenterStage::present(const Look& look) {
    const StoryModel& story = lesson_.look();
    check_ = question_ ? story.check : std::nullopt;
    if (story.text != told_ || story.caption != own_caption_) {
        told_ = story.text;
        own_caption_ = story.caption;
        told_caption_ = own_caption_.isEmpty() ? caption_of(told_) : own_caption_;
    }
    if (const double wanted = check_ ? VotePanel::wantedWidth(*check_, unit()) : 0; wanted != choices_wanted_) {
        choices_wanted_ = wanted;
        layOut();
    }
    if (question_ && check_) setCaption(check_->ask);
    else setCaption(told_caption_.isEmpty() ? story.question : told_caption_);
    const LiveNumbers live = [&story](const QString& name) -> std::optional<LiveNumber> {
        for (const StoryParameter& parameter : story.parameters)
            if (name == "parameter:" + parameter.name) return LiveNumber{parameter.shown(), Provenance::computed};
        const auto found = story.numbers.constFind(name);
        return found == story.numbers.constEnd() ? std::nullopt : std::optional(*found);
    };
    if (caption_->setNumbers(live)) layOut();
    stage_->present(look);
    stage_->veil(covers_now(lesson_, presenter_.state()), !presenter_.state().reduce_motion);
    choices_->setVisible(check_.has_value() && !blank_);
    host_->setVisible(!blank_);
    caption_->setVisible(!blank_);
    if (check_ && card_)
        choices_->present(*check_, votes_.on(QString::fromStdString(card_->id), check_->id, check_->options.size()), unit());
    if (const QStringList foot = footer(); foot != shown_foot_) {
        shown_foot_ = foot;
        update();
    }
}

void PresenterStage::setCaption(const QString& markdown) {
    if (markdown == caption_text_) return;
    caption_text_ = markdown;
    layOut();
}

void PresenterStage::layOut() {
    const double u = unit(), m = margin * u;
    host_->setZoom(view_zoom * u);
    const bool asks = question_.has_value();
    const QRectF all = QRectF(rect()).adjusted(m, m, -m, -m);
    const double foot_width = asks ? 0 : 250 * u; // a part's page and key stand beside its caption
    const int room = static_cast<int>(all.width() - foot_width - 16 * u);
    RichStyle style{static_cast<int>(caption_pixels), caption_line, 12, u, asks ? QFont::Bold : QFont::Medium, false, true};
    caption_->setStyle(style);
    // A question is told in full, in smaller letters if it is long; a part's line loses words rather than size.
    caption_->setText(caption_text_);
    if (asks) {
        for (const int pixels : {31, 28}) {
            if (caption_->heightForWidth(room) <= 2.2 * caption_line * u) break;
            style.pixels = pixels;
            style.line = caption_line * pixels / caption_pixels;
            caption_->setStyle(style);
        }
    } else {
        for (int words = 24; words > 5 && caption_->heightForWidth(room) > (most_caption_lines + 0.4) * caption_line * u; --words)
            caption_->setText(caption_of(caption_text_, words));
    }
    const double high = caption_->heightForWidth(room);
    QRectF body = all;
    if (asks) {
        caption_->setGeometry(QRectF(all.left() + 8 * u, all.top(), room, high).toRect());
        foot_ = QRectF(all.left() + 8 * u, all.bottom() - foot_height * u, all.width() - 8 * u, foot_height * u);
        body.setTop(all.top() + high + gap * u);
        body.setBottom(foot_.top() - gap * u);
        body.setHeight(std::ceil(std::floor(body.height() / host_->zoom()) * host_->zoom())); // the views' pixels end where the choices do
        const bool wide = !stage_->ids().empty() && stage_->ids().front() == "graph";
        const bool lone = check_ && check_->options.empty(); // a number alone needs little room
        constexpr double half_of_it = 0.47, most = 0.62; // of the width, for the view: choices of a few words leave it more
        const double spare = choices_wanted_ > 0 ? 1 - choices_wanted_ / (body.width() - gap * u) : 0;
        const double share = lone ? 0.8 : wide ? 0.68 : std::clamp(spare, half_of_it, most);
        const double half = std::round((body.width() - gap * u) * share);
        host_->setGeometry(QRectF(body.left(), body.top(), half, body.height()).toRect());
        choices_->setGeometry(QRectF(body.left() + half + gap * u, body.top(), body.width() - half - gap * u, body.height()).toRect());
    } else {
        const double line = std::max({high, most_caption_lines * caption_line * u, foot_height * u}); // the same on every page: the view does not jump
        caption_->setGeometry(QRectF(all.left() + 8 * u, all.bottom() - line + (line - high) / 2, room, high).toRect());
        foot_ = QRectF(all.right() - foot_width, all.bottom() - line, foot_width, line);
        body.setBottom(all.bottom() - line - gap * u);
        host_->setGeometry(body.toRect());
    }
    update();
}

void PresenterStage::resizeEvent(QResizeEvent*) { layOut(); }

QStringList PresenterStage::footer() const {
    if (!card_) return {QString(), QString(), QString()};
    if (!question_) return {QString(), page() + 1 < pages() ? QStringLiteral("→") : QString(), tr("%1 of %2").arg(page() + 1).arg(pages())};
    QString said;
    if (check_) {
        const Vote& vote = votes_.on(QString::fromStdString(card_->id), check_->id, check_->options.size());
        const int all = vote.all(), class_size = votes_.present();
        if (tellsValue())
            said = check_->engine + QStringLiteral(", ") + QCoreApplication::translate("Provenance", name_of(check_->provenance).data());
        else if (all > 0) said = class_size > all ? tr("%1 of %2 have voted").arg(all).arg(class_size) : tr("Votes: %1").arg(all);
        if (vote.closed && !answered()) said += (said.isEmpty() ? QString() : QStringLiteral(", ")) + tr("vote closed");
    }
    if (check_ && !check_->refusal.isEmpty()) said = check_->refusal;
    if (answered()) return {said, page() + 1 < pages() ? QStringLiteral("→") : QString(), page() + 1 < pages() ? tr("next") : QString()};
    if (check_ && check_->state == StoryCheck::State::computing) return {said, QString(), tr("the engine computes …")};
    return {said, QStringLiteral("R"), tr("reveal")};
}

void PresenterStage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (blank_) {
        painter.fillRect(rect(), load_theme(ThemeMode::dark).window); // the darkest there is, whatever the theme
        return;
    }
    painter.fillRect(rect(), theme_.window);
    painter.setRenderHint(QPainter::Antialiasing);
    const double u = unit();
    const QStringList foot = footer();
    const QFont words = text_font(static_cast<int>(std::lround(text_pixels * u)));
    const TextMetrics fm(words);
    painter.setFont(words);
    double right = foot_.right() - 8 * u;
    const QString& key = foot[1];
    painter.setPen(question_ ? theme_.ink : theme_.ink2);
    if (!foot[2].isEmpty()) {
        const double width = fm.horizontalAdvance(foot[2]);
        draw_text(painter, QRectF(right - width - 2, foot_.top(), width + 4, foot_.height()), Qt::AlignRight | Qt::AlignVCenter, foot[2]);
        right -= width + 18 * u;
    }
    if (!key.isEmpty()) {
        const QRectF cap(right - 50 * u, foot_.center().y() - 25 * u, 50 * u, 50 * u);
        painter.setPen(QPen(theme_.ink2, 2 * u));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(cap.adjusted(u, u, -u, -u), 8 * u, 8 * u);
        painter.setFont(mono_font(static_cast<int>(std::lround(text_pixels * u))));
        painter.setPen(theme_.ink);
        draw_text(painter, cap, Qt::AlignCenter, key);
        right = cap.left() - 18 * u;
    }
    painter.setFont(words);
    painter.setPen(theme_.ink2);
    if (foot[0].isEmpty()) return;
    double x = foot_.left();
    if (tellsValue()) { // with the mark of where it comes from
        painter.setPen(theme_.ink);
        const QRectF line(x, foot_.top(), fm.horizontalAdvance(tr("Engine")) + 14 * u, foot_.height());
        draw_text(painter, line, Qt::AlignLeft | Qt::AlignVCenter, tr("Engine"));
        x = line.right();
        paint_provenance(painter, {x, foot_.center().y() + fm.capHeight() / 2}, check_->provenance, fm.capHeight(), theme_.ink2);
        x += provenance_width(check_->provenance, fm.capHeight());
    }
    draw_text(painter, QRectF(x, foot_.top(), right - x, foot_.height()), Qt::AlignLeft | Qt::AlignVCenter,
              fm.elidedText(foot[0], Qt::ElideRight, right - x));
}

// --- keys --------------------------------------------------------------------------------------------------------------

bool PresenterStage::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // the window's keys rest; those with Ctrl and the F keys go on
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) &&
            (key->key() < Qt::Key_F1 || key->key() > Qt::Key_F35)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

/// Shift and an arrow move the spotlight, plus and minus make it larger and smaller.
bool PresenterStage::moveLight(const QKeyEvent& event) {
    const int key = event.key();
    if (key == Qt::Key_Plus || key == Qt::Key_Equal) spotlight_->grow(1);
    else if (key == Qt::Key_Minus) spotlight_->grow(-1);
    else if (!(event.modifiers() & Qt::ShiftModifier)) return false;
    else if (key == Qt::Key_Left || key == Qt::Key_Right) spotlight_->moveBy(key == Qt::Key_Left ? -1 : 1, 0);
    else if (key == Qt::Key_Up || key == Qt::Key_Down) spotlight_->moveBy(0, key == Qt::Key_Up ? -1 : 1);
    else return false;
    return true;
}

void PresenterStage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        emit left(); // this is deleted later
        return;
    }
    if (event->key() == Qt::Key_Shift) return;
    if (event->key() == Qt::Key_B || blank_) {
        blank_ = event->key() == Qt::Key_B ? !blank_ : false;
        spotlight_->setOn(false);
        for (QWidget* part : std::initializer_list<QWidget*>{host_, caption_}) part->setVisible(!blank_);
        choices_->setVisible(!blank_ && check_);
        update();
        if (event->key() == Qt::Key_B) return;
    }
    if (const int digit = digit_of(*event)) {
        if (question_) count(digit - 1, event->modifiers() & Qt::ShiftModifier ? -1 : 1);
        else if (card_ && static_cast<std::size_t>(digit) <= card_->lesson.size()) goToPage(static_cast<std::size_t>(digit) - 1);
        return;
    }
    if (event->key() == Qt::Key_L) return spotlight_->setOn(!spotlight_->on());
    if (spotlight_->on() && moveLight(*event)) return;
    switch (event->key()) {
    case Qt::Key_PageDown:
    case Qt::Key_Space:
    case Qt::Key_Right:
    case Qt::Key_Down: next(); return;
    case Qt::Key_PageUp:
    case Qt::Key_Left:
    case Qt::Key_Up: back(); return;
    case Qt::Key_Home:
        if (question_ && card_) presenter_.showScene(sceneOfQuestion());
        else presenter_.goPrepared();
        return;
    case Qt::Key_R:
        if (question_) lesson_.reveal();
        return;
    case Qt::Key_V:
        if (check_ && card_) {
            Vote& vote = votes_.on(QString::fromStdString(card_->id), check_->id, check_->options.size());
            vote.closed = !vote.closed;
        }
        return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace gradus
