#pragma once

#include "lessons/runtime/session.hpp"
#include "views/state/app_state.hpp"
#include "views/theme/theme.hpp"

#include <QTimer>
#include <QWidget>
#include <memory>

namespace gradus {

class EditPanel;
class GraphWidget;
class HeaderBar;
class PlotView;
class RunList;
class TransportBar;

/// The window on a running lesson. Once per frame it looks at the session and shows what it sees; what people do
/// becomes an intent to the session or a change of AppState. It never waits for the engine.
class MainWindow : public QWidget {
    Q_OBJECT

public:
    /// Starts the session and plays. Throws ArgumentError for an unusable request.
    /// `title` is the lesson's; the experiment's where there is no lesson.
    explicit MainWindow(RunRequest request, const QString& title = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    void setTheme(ThemeMode mode);
    void setSpeed(double steps_per_second); ///< 0: as fast as it goes
    const AppState& state() const { return state_; }
    Session& session() { return *session_; }

public slots:
    /// One look at the session; the timer calls it some sixty times a second.
    void frame();
    void playOrPause();
    void stepForward();
    void stepBack();
    void goFirst();
    void goLast();
    void goTo(qint64 iteration);
    void selectRun(std::size_t run);
    void submit(const gradus::Edit& edit);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void addKeys();
    void adopt(const Session::Status& status);
    void moveWithHead(const Run& run, bool playing);
    void present(const Session::Status& status);
    void presentEdit(const std::shared_ptr<const Run>& run, const Detail& detail);
    const std::shared_ptr<const Run>& current() const { return runs_[state_.run]; }
    StepIndex lastIteration() const; ///< of the selected Run; 0 before there is any

    AppState state_;
    std::unique_ptr<Session> session_;
    std::vector<std::shared_ptr<const Run>> runs_; ///< as of the last look
    Session::Status status_;                       ///< as of the last look
    QString title_;
    QTimer timer_{this};
    QColor ground_; ///< behind the panels

    HeaderBar* header_ = nullptr;
    GraphWidget* graph_ = nullptr;
    PlotView* loss_ = nullptr;
    PlotView* accuracy_ = nullptr;
    EditPanel* edit_ = nullptr;
    RunList* list_ = nullptr;
    TransportBar* transport_ = nullptr;
};

} // namespace gradus
