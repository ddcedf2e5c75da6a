#pragma once

#include "views/state/kernel_draft.hpp"
#include "views/theme/theme.hpp"

#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

class QPlainTextEdit;
class QPushButton;

namespace gradus {

class KernelEditor;
class ParagraphLabel;

/// What is said of a line of the text.
struct SaidOfLine {
    int line = 0;
    QString words;
};

/// Where a learner writes in a kernel: the text, below it what the compiler says of it, and what to do with it. What is written is tried as soon as
/// one pauses; it is run when one wants it.
class EditPanel : public QWidget {
    Q_OBJECT

public:
    explicit EditPanel(QWidget* parent);
    void setTheme(const Theme& theme, int type);
    void retranslate();
    /// Begins with that text; `own`: it is the rung's own; `in_place`: of what stands there now, to which one can go back by undoing.
    void begin(const QString& text, bool own, int line, bool in_place = false);
    QString text() const;    ///< as it stands there
    void tellKept();         ///< it is what was written before
    bool pristine() const { return text() == began_; } ///< nobody has written in it since it began
    void tryIt(); ///< runs what stands there now
    void leave(); ///< what was written last is told of, too
    /// What is known of the text now; null: nothing. `verdict`: what its run said, once it is the lesson's kernel; `found`: what it said of lines.
    void present(const std::shared_ptr<const KernelDraft>& draft, const QString& verdict, const std::vector<SaidOfLine>& found, bool right);
    /// To the next line that something is said of, round from the last to the first, and says that.
    void goToNext();
    KernelEditor& editor() { return *editor_; }
    const QString& said() const { return said_; }
    QString printed() const; ///< what is shown of what the kernel printed; empty: it printed nothing

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void drafted(const QString& text, bool run);
    void ownWanted();
    void left();
    void wentTo(int line, const QString& words); ///< by a click on what is said, or F8; with what is said there

private:
    enum class Hint { none, begun, kept };
    void sayHint(Hint hint);
    void say(const QString& words, bool fault);
    void mark(const std::vector<SaidOfLine>& lines);
    void colourWords();
    void makePrinted();
    void stylePrinted();
    void showPrinted(const KernelDraft* draft);
    void takeOwn();

    Theme theme_;
    KernelEditor* editor_;
    ParagraphLabel* words_;
    QPlainTextEdit* printed_ = nullptr; ///< in sight where something was printed; null: nothing was yet
    QPushButton *run_, *own_, *close_;
    QTimer pause_;
    std::shared_ptr<const KernelDraft> shown_;
    QString said_, verdict_, began_;
    QString own_text_; ///< the rung's own; empty: not known, for one began with another
    Hint hint_ = Hint::none; ///< what is said, while nothing is known of the text
    bool faulty_ = false; ///< what is said
    std::vector<SaidOfLine> lines_; ///< what is said of each
    int gone_to_ = -1;              ///< among them
};

} // namespace gradus
