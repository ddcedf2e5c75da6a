#pragma once

#include <QObject> // first: see presenter.hpp

#include "app/window/last_session.hpp"
#include "app/window/presenter.hpp"
#include "engine/trace/file/reader.hpp"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QTimer>
#include <filesystem>
#include <future>
#include <optional>

namespace gradus {

class ExportPanel;
class MainWindow;
class QuietLine;
class Recording;

/// What the window has to do with files: it exports, records, goes on with what an earlier start left behind, and reads a
/// card again when its author saves it. It looks once per frame, like the views; reading and writing are done elsewhere.
class WindowFiles : public QObject {
    Q_OBJECT

public:
    /// `offer` and `note` are the window's lines: over the stage, and over the story. `recording` may be null.
    WindowFiles(MainWindow& window, Recording* recording, QuietLine* offer, QuietLine* note);
    ~WindowFiles() override;

    /// Offers to go on with this once its recording has been read.
    void remember(LastSession last);
    /// Where one stands now, for the next start; while it is open whether to go on, what was left behind.
    LastSession session() const;
    bool offering() const { return offered_.has_value(); }

    /// Called once per frame.
    void look();
    /// A card was opened: its files are watched from now on.
    void watch(const std::filesystem::path& folder);
    ExportPanel* panel() const;
    void say(const QString& sentence, qint64 ms = 15'000); ///< in the header, for so long
    const QString& said() const { return said_; }
    void sayUnkept(const std::string& why);

public slots:
    void openExport(const QString& first = "window");
    void saveRun() { openExport("recording"); }
    void toggleRecording();
    void goOn();
    /// The run that was left behind is given up.
    void startAnew();
    /// What was said is in the language that was.
    void retranslate() { said_.clear(); }

private:
    void lookAtPast();
    void lookAtRecording();
    void sayOffer();
    QString whereOneWas(const QString& step) const;
    void rereadCard();
    void forget();

    MainWindow& window_;
    Presenter& presenter_;
    Recording* recording_;
    QuietLine *offer_, *note_;

    std::optional<LastSession> past_;   ///< until it is decided what becomes of it
    std::future<RunFile> reading_;
    std::optional<RunFile> offered_;
    bool resuming_ = false;             ///< past_'s Runs are being computed again
    std::string told_failure_;
    QString said_;                      ///< on the offer line, where nothing is offered
    qint64 say_until_ms_ = 0;
    QString heard_, heard_words_; ///< the last that the presenter said, and in the language of the lab

    QFileSystemWatcher watcher_;
    QTimer settled_; ///< editors write a file in several goes
    std::filesystem::path card_folder_;
    QString problem_;
};

} // namespace gradus
