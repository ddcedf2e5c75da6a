#pragma once

#include "views/state/kernel_draft.hpp"
#include "views/theme/theme.hpp"

#include <QPlainTextEdit>
#include <QSet>

namespace gradus {

/// The text of a kernel to be written in, with line numbers; lines that a compiler or the interpreter complains of are marked.
class KernelEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit KernelEditor(QWidget* parent);
    void setTheme(const Theme& theme, int type);
    /// Lines from 1, each with its colour and mark: errors of the compiler, findings of the interpreter.
    void setMarked(const QSet<int>& lines);
    void goToLine(int line);

signals:
    void runWanted();  ///< Ctrl+Return
    void left();       ///< Escape
    void ownWanted();  ///< F4: the kernel's own text again
    void nextWanted(); ///< F8: the next line that something is said of

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    friend class KernelEditorMargin;
    void paintMargin(QPaintEvent* event);
    void markLines();
    int marginWidth() const;
    void placeMargin();

    Theme theme_;
    QSet<int> marked_;
    QWidget* margin_;
};

} // namespace gradus
