#include "views/theatre/kernel_editor.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>

namespace gradus {

/// Line numbers; they are painted by the editor, which knows where its lines are.
class KernelEditorMargin : public QWidget {
public:
    explicit KernelEditorMargin(KernelEditor* editor) : QWidget(editor), editor_(editor) {}

protected:
    void paintEvent(QPaintEvent* event) override { editor_->paintMargin(event); }

private:
    KernelEditor* editor_;
};

KernelEditor::KernelEditor(QWidget* parent) : QPlainTextEdit(parent), margin_(new KernelEditorMargin(this)) {
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("the kernel's text"));
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { placeMargin(); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy) margin_->scroll(0, dy);
        else margin_->update(0, rect.y(), margin_->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, margin_, qOverload<>(&QWidget::update));
}

void KernelEditor::setTheme(const Theme& theme, int type) {
    theme_ = theme;
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::Text, theme.ink);
    palette.setColor(QPalette::Highlight, theme.ink);
    palette.setColor(QPalette::HighlightedText, theme.surface);
    setPalette(palette);
    set_style(*this, QStringLiteral("QPlainTextEdit { background: %1; color: %2; border: none; %3 }").arg(theme.surface.name(), theme.ink.name(), mono_sheet(type)));
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(' '));
    markLines(); // in the theme's colour
    placeMargin();
    viewport()->update();
}

/// A style sheet has no word for it: no ligatures.
void KernelEditor::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    QFont plain = font();
    plain.setStyleStrategy(QFont::PreferNoShaping);
    document()->setDefaultFont(plain);
}

void KernelEditor::setMarked(const QSet<int>& lines) {
    if (lines == marked_) return;
    marked_ = lines;
    markLines();
    margin_->update();
}

void KernelEditor::markLines() {
    QList<QTextEdit::ExtraSelection> all;
    for (const int line : marked_) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(document()->findBlockByNumber(line - 1));
        selection.format.setBackground(theme_.fill);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        all.push_back(selection);
    }
    setExtraSelections(all);
}

void KernelEditor::goToLine(int line) {
    setTextCursor(QTextCursor(document()->findBlockByNumber(line - 1)));
    centerCursor();
}

int KernelEditor::marginWidth() const { return 16 + fontMetrics().horizontalAdvance(QStringLiteral("✕ 999")); }

void KernelEditor::placeMargin() {
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect box = contentsRect();
    margin_->setGeometry(box.left(), box.top(), marginWidth(), box.height());
}

void KernelEditor::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void KernelEditor::paintMargin(QPaintEvent* event) {
    QPainter painter(margin_);
    painter.fillRect(event->rect(), theme_.surface);
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    const int here = textCursor().blockNumber();
    for (; block.isValid() && top <= event->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber() + 1;
        const bool marked = marked_.contains(line);
        painter.setPen(marked ? theme_.fault : line == here + 1 ? theme_.ink : theme_.ink2);
        const QString words = marked ? QStringLiteral("✕ %1").arg(line) : QString::number(line);
        painter.drawText(QRectF(0, top, margin_->width() - 10, height), Qt::AlignRight | Qt::AlignVCenter, words);
        top += height;
    }
}

/// The lab's own keys are single letters and arrows: here they are typed.
bool KernelEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const Qt::KeyboardModifiers held = key->modifiers() & ~Qt::ShiftModifier & ~Qt::KeypadModifier;
        if (held == Qt::NoModifier || key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) || key->matches(QKeySequence::SelectAll) ||
            (held == Qt::ControlModifier && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_Home || key->key() == Qt::Key_End))) {
            event->accept();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

void KernelEditor::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (control && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) return emit runWanted();
    if (event->key() == Qt::Key_Escape) return emit left();
    if (event->key() == Qt::Key_F4) return emit ownWanted();
    if (event->key() == Qt::Key_F8) return emit nextWanted();
    if (event->key() == Qt::Key_Tab) { // as the kernels are indented
        textCursor().insertText(QStringLiteral("    "));
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !control) { // a new line stands under the one before
        const QString line = textCursor().block().text();
        qsizetype indent = 0;
        while (indent < line.size() && line[indent] == ' ') ++indent;
        textCursor().insertText('\n' + line.left(std::min<qsizetype>(indent, textCursor().positionInBlock())));
        ensureCursorVisible();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

} // namespace gradus
