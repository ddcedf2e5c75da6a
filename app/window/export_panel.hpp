#pragma once

#include "app/window/export_job.hpp"
#include "engine/trace/run.hpp"
#include "views/theme/theme.hpp"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <vector>

namespace gradus {

class ParagraphLabel;

/// What can be exported now.
struct ExportChoices {
    struct Pane {
        QString name;
        QPointer<QWidget> widget;
        QString stem; ///< of the file's name
    };
    std::vector<Pane> panes;             ///< the whole window first, then the views on stage
    std::shared_ptr<const Run> run;      ///< the selected one; null: none yet
    QString run_name, run_stem;
    std::vector<StepIndex> bookmarks;
    /// Writes the whole session, branches and all, as a .gradus file. Runs on a worker thread.
    std::function<void(const std::filesystem::path& path)> save;
};

/// Where files go if nothing is said: the user's documents, or their home.
QString documents_folder();
/// "1.2 MB"
QString size_text(std::uintmax_t bytes);

/// A small panel over the window: what, as what, which steps, where to. It writes on another thread, shows how far it is,
/// can be stopped, and says in one line where the file is or why there is none.
class ExportPanel : public QWidget {
    Q_OBJECT

public:
    /// Opens over `window`, whose keys rest meanwhile. `first`: "window", "run", "recording", or a view's stem.
    ExportPanel(const Theme& theme, ExportChoices choices, const QString& first, QWidget* window);
    ~ExportPanel() override;

    const QString& said() const { return said_; } ///< the line at the foot
    bool busy() const { return job_ && !job_->done(); }

public slots:
    void go();       ///< writes; where a file is there already, only after a second press
    void leave();    ///< stops what is being written, else closes

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    enum class Kind { picture, run };
    Kind kind() const;
    QString format() const { return format_->currentData().toString(); }
    void place();
    void fillFormats();
    void fillName();
    void showRange();
    void look(); ///< at the job
    void say(const QString& sentence, bool fault = false);
    std::optional<std::pair<StepIndex, StepIndex>> range(); ///< [from, until), or says why not
    void start(const std::filesystem::path& path);

    Theme theme_;
    ExportChoices choices_;
    QWidget* card_;
    QComboBox *what_, *format_;
    QWidget* steps_;
    QLineEdit *from_, *to_, *name_;
    ParagraphLabel *steps_note_, *line_;
    QPushButton *go_, *leave_;
    QString said_, asked_for_, given_name_;
    bool named_ = false; ///< by hand
    std::unique_ptr<ExportJob> job_;
    QTimer timer_;
};

} // namespace gradus
