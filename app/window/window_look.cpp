// How the window looks: theme, size, language, and whether a class stands in front of it. The third part of MainWindow.
#include "app/window/header_bar.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/paths_panel.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/quiet_line.hpp"
#include "app/window/stage.hpp"
#include "app/window/translator.hpp"
#include "app/window/transport_bar.hpp"
#include "app/window/why_driver.hpp"
#include "app/window/window_files.hpp"
#include "app/window/zoom_host.hpp"
#include "lessons/runtime/card.hpp"
#include "views/access/item_focus.hpp"
#include "views/runs/run_list.hpp"
#include "views/story/story_view.hpp"
#include "views/why/why_panel.hpp"

#include <QApplication>
#include <QEvent>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {

void MainWindow::enterClass() {
    if (class_ || !lesson_->card()) return;
    leaveKernel();
    was_full_ = isFullScreen();
    paintNextFrame();
    presenter_.setInClass(true);
    class_ = new PresenterStage(theme_, presenter_, *lesson_, votes_, this);
    class_->arrange(lesson_->card(), state().views.empty() ? lesson_->card()->views : state().views);
    connectStage(&class_->stage());
    connect(class_, &PresenterStage::painted, this, &MainWindow::countPainting);
    connect(class_, &PresenterStage::left, this, &MainWindow::leaveClass);
    class_->setGeometry(rect());
    host_->hide();
    class_->show();
    class_->setFocus();
    if (!was_full_ && isVisible() && QGuiApplication::platformName() != "offscreen") setWindowState(windowState() | Qt::WindowFullScreen); // as large as it was when it is left
    frame();
}

void MainWindow::leaveClass() {
    if (!class_) return;
    paintNextFrame();
    class_->hide();
    class_->leave();
    presenter_.setInClass(false);
    class_->deleteLater(); // it may be telling of the key that led here
    class_ = nullptr;
    host_->show();
    if (!was_full_ && isFullScreen()) setWindowState(windowState() & ~Qt::WindowFullScreen);
    setFocus();
    frame();
}

void MainWindow::applyTheme() {
    theme_ = load_theme(state().theme, state().high_contrast);
    QPalette palette;
    palette.setColor(QPalette::Window, theme_.window);
    palette.setColor(QPalette::WindowText, theme_.ink);
    palette.setColor(QPalette::Base, theme_.surface);
    palette.setColor(QPalette::Text, theme_.ink);
    palette.setColor(QPalette::PlaceholderText, theme_.ink2);
    for (QWidget* root : std::initializer_list<QWidget*>{this, content_}) root->setPalette(palette);
    header_->setTheme(theme_);
    paths_->setTheme(theme_);
    list_->setTheme(theme_);
    stage_->setTheme(theme_);
    story_->setTheme(theme_);
    why_panel_->setTheme(theme_);
    transport_->setTheme(theme_);
    if (class_) class_->setTheme(theme_);
    applyScale();
    offer_->setTheme(theme_);
    note_->setTheme(theme_);
    items_->setTheme(theme_);
    update();
}

/// The whole window is about to be painted: in the next frame, which does nothing else, so that keys and clicks that have
/// come meanwhile are looked at before, and what is laid out anew is painted once.
void MainWindow::paintNextFrame() {
    paints_next_ = isVisible();
}

/// One painting per frame, however many views and curves are ready one after the other.
bool MainWindow::event(QEvent* event) {
    if (event->type() != QEvent::UpdateRequest) return QWidget::event(event);
    if (painted_ || paints_next_) {
        held_ = true; // Qt asks no second time
        return true;
    }
    painted_ = updating_ = true;
    QElapsedTimer painting;
    painting.start();
    const bool done = QWidget::event(event);
    updating_ = false;
    painted_long_ = painting.elapsed() >= long_look_ms;
    return done;
}

/// Where it is asked for it, and where the window system wants all of it at once, after a change of its size.
void MainWindow::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(event->rect(), theme_.window);
    if (!updating_) painted_ = painted_long_ = true; // how long it will take is not known here
}

/// What is shown larger is painted in a turn of its own, of which the window is not told otherwise.
void MainWindow::countPainting(qint64 ms) {
    painted_long_ |= ms >= long_look_ms;
}

void MainWindow::paintHeld() {
    if (std::exchange(held_, false)) QCoreApplication::postEvent(this, new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
}

/// Shown larger, the window has less room: the track folds first, then the stage shows fewer views.
void MainWindow::applyScale() {
    paintNextFrame();
    const double scale = std::clamp(state().text_scale, 1.0, 2.0);
    const QString sheet = style_sheet(theme_);
    // Menus and tool tips are windows of their own.
    const QString own = sheet + QStringLiteral("QMenu, QMenu::item, QToolTip { font-size: %1px; }").arg(qRound(metrics::text * scale));
    // Shown larger the content is no child of this window and has the sheet itself. To get it and to move each take every
    // widget's style anew, which are two turns; in between it looks as it did.
    if (scale > 1) {
        scale_waits_ = host_->zoom() == 1 && isVisible() && content_->styleSheet() != sheet;
        set_style(*content_, sheet);
        if (scale_waits_) return;
        host_->setZoom(scale);
        set_style(*this, own);
    } else {
        scale_waits_ = host_->zoom() > 1 && isVisible();
        set_style(*this, own); // first, while that asks few widgets
        host_->setZoom(1);
        if (!scale_waits_) set_style(*content_, {});
    }
    resizeEvent(nullptr);
}

/// What people did in this round of the loop may have more to come, such as a painting: the new size has the next turn.
void MainWindow::changeScale() {
    if (!isVisible()) return applyScale();
    scale_waits_ = true;
    paintNextFrame(); // not once more as it was
}

void MainWindow::scaleOn() {
    scale_waits_ = false;
    applyScale();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    if (!host_) return;
    painted_long_ |= event && isVisible(); // all of it is about to be painted, in this round of the loop
    host_->setGeometry(rect());
    if (class_) class_->setGeometry(rect());
    story_->setFixedWidth(width() / host_->zoom() < 900 ? 300 : story_width);
    presentPaths();
}

double MainWindow::mostScale() const {
    const double room = std::min(static_cast<double>(width()) / minimumWidth(), static_cast<double>(height()) / minimumHeight());
    return std::clamp(std::floor(room * 10 + 1e-6) / 10, 1.0, 2.0);
}

void MainWindow::scaleText(int by) {
    const double before = state().text_scale, wanted = std::round((before + 0.1 * by) * 10) / 10;
    const double most = std::max(before, mostScale()); // whoever made the window smaller keeps what he had
    if (by > 0 && wanted > most) return files_->say(tr("This window has no room for larger text."));
    presenter_.change("text size", [=](AppState& state) { state.text_scale = by == 0 ? 1 : std::clamp(wanted, 1.0, 2.0); }, true);
}

void MainWindow::applyLanguage() {
    paintNextFrame();
    if (state().language == Language::ko && !translator_) {
        translator_ = std::make_unique<Translator>();
        QCoreApplication::installTranslator(translator_.get());
    } else if (state().language == Language::en && translator_) {
        QCoreApplication::removeTranslator(translator_.get());
        translator_.reset();
    }
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && header_) retranslate();
    QWidget::changeEvent(event);
}

void MainWindow::retranslate() {
    actions_ = keyTable();
    if (host_ && host_->zoom() != 1) { // what is shown larger is a window of its own, which Qt does not tell
        QEvent change(QEvent::LanguageChange);
        QCoreApplication::sendEvent(content_, &change);
    }
    header_->retranslate();
    transport_->retranslate();
    list_->retranslate();
    stage_->retranslate();
    if (class_) class_->stage().retranslate();
    files_->retranslate();
    why_->retranslate();
    presentPaths();
    update();
}

} // namespace gradus
