#include "views/theatre/edit_panel.hpp"

#include "views/state/zoom.hpp"
#include "views/theatre/kernel_editor.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph_label.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gradus {

namespace {
constexpr int pause_ms = 350; // as long as one may think between two letters
} // namespace

EditPanel::EditPanel(QWidget* parent)
    : QWidget(parent), editor_(new KernelEditor(this)), words_(new ParagraphLabel(this)), run_(new QPushButton(this)), own_(new QPushButton(this)), close_(new QPushButton(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(editor_, 1);
    words_->setTextFormat(Qt::PlainText);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setFocusPolicy(Qt::NoFocus); // the keys stay in the text
    words_->setMinimumHeight(38);
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(words_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    run_->setProperty("role", "main");
    for (QPushButton* button : {run_, own_, close_}) row->addWidget(button);
    row->addStretch(1);
    column->addLayout(row);
    pause_.setSingleShot(true);
    pause_.setInterval(pause_ms);
    connect(&pause_, &QTimer::timeout, this, [this] { emit drafted(editor_->toPlainText(), false); });
    connect(editor_, &QPlainTextEdit::textChanged, this, [this] { pause_.start(); });
    connect(editor_, &KernelEditor::runWanted, this, &EditPanel::tryIt);
    connect(run_, &QPushButton::clicked, this, &EditPanel::tryIt);
    connect(editor_, &KernelEditor::left, this, &EditPanel::left);
    connect(close_, &QPushButton::clicked, this, &EditPanel::left);
    connect(editor_, &KernelEditor::nextWanted, this, &EditPanel::goToNext);
    words_->installEventFilter(this);
    connect(editor_, &KernelEditor::ownWanted, this, &EditPanel::takeOwn);
    connect(own_, &QPushButton::clicked, this, &EditPanel::takeOwn);
    retranslate();
}

void EditPanel::tryIt() {
    pause_.stop();
    emit drafted(editor_->toPlainText(), true);
}

void EditPanel::leave() {
    if (!pause_.isActive()) return;
    pause_.stop();
    emit drafted(editor_->toPlainText(), false);
}

/// A click on what is said of a line goes there, and again to the next.
bool EditPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == words_ && event->type() == QEvent::MouseButtonRelease && !words_->hasSelectedText()) goToNext();
    return QWidget::eventFilter(watched, event);
}

void EditPanel::mark(const std::vector<SaidOfLine>& lines) {
    lines_ = lines;
    std::ranges::stable_sort(lines_, {}, &SaidOfLine::line);
    gone_to_ = -1;
    QSet<int> marked;
    for (const SaidOfLine& said : lines_) marked.insert(said.line);
    editor_->setMarked(marked);
    words_->setCursor(lines_.empty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
}

void EditPanel::goToNext() {
    if (lines_.empty()) return;
    gone_to_ = (gone_to_ + 1) % static_cast<int>(lines_.size());
    const SaidOfLine at = lines_[static_cast<std::size_t>(gone_to_)];
    editor_->goToLine(at.line);
    take_keys(*editor_);
    QString words = QStringLiteral("✕ ") + at.words;
    if (lines_.size() > 1) words += QStringLiteral(" ") + tr("(%1 of %2; F8: the next)").arg(gone_to_ + 1).arg(lines_.size());
    say(words, true);
    emit wentTo(at.line, at.words);
}

void EditPanel::takeOwn() {
    pause_.stop(); // what was written is given up
    emit ownWanted();
}

void EditPanel::retranslate() {
    run_->setText(tr("Run it"));
    run_->setToolTip(tr("Ctrl+Return"));
    own_->setText(tr("Original"));
    own_->setToolTip(tr("F4: the kernel's own text again"));
    close_->setText(tr("Close"));
    close_->setToolTip(tr("Esc"));
    words_->setAccessibleName(tr("what the compiler says"));
    if (printed_) printed_->setAccessibleName(tr("what the kernel printed"));
    shown_.reset(); // said anew
    if (hint_ != Hint::none) sayHint(hint_);
}

void EditPanel::setTheme(const Theme& theme, int type) {
    theme_ = theme;
    set_style(*this, style_sheet(theme) + scroll_bar_sheet(theme));
    editor_->setTheme(theme, type);
    if (!said_.isEmpty()) colourWords();
    stylePrinted();
}

void EditPanel::stylePrinted() {
    if (!printed_) return;
    printed_->setFont(mono_font(metrics::small_text));
    set_style(*printed_, QStringLiteral("QPlainTextEdit { border: none; border-radius: 4px; background: %1; color: %2; } ").arg(theme_.fill.name(), theme_.ink.name()) + scroll_bar_sheet(theme_));
}

/// Most kernels print nothing, and a theatre opens within a frame: its widget is made when something is printed.
void EditPanel::makePrinted() {
    printed_ = new QPlainTextEdit(this);
    printed_->setReadOnly(true);
    printed_->setLineWrapMode(QPlainTextEdit::NoWrap);
    printed_->setTabChangesFocus(true);
    printed_->setAccessibleName(tr("what the kernel printed"));
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(words_) + 1, printed_);
    stylePrinted();
    printed_->show();
}

QString EditPanel::printed() const { return !printed_ || printed_->isHidden() ? QString() : printed_->toPlainText(); }

/// Of many lines the first are in sight, and the others can be scrolled to.
void EditPanel::showPrinted(const KernelDraft* draft) {
    constexpr int most_lines = 4;
    QString text = draft ? draft->printed : QString();
    while (text.endsWith(QLatin1Char('\n'))) text.chop(1);
    if (draft && draft->printed_more) text += QStringLiteral("\n") + tr("… and %1 bytes more").arg(grouped(static_cast<std::int64_t>(draft->printed_more)));
    if (printed_) printed_->setVisible(!text.isEmpty());
    if (text.isEmpty()) return;
    if (!printed_) makePrinted();
    if (text != printed_->toPlainText()) printed_->setPlainText(text);
    const int lines = std::min<int>(most_lines, static_cast<int>(text.count(QLatin1Char('\n'))) + 1);
    printed_->setFixedHeight(lines * printed_->fontMetrics().lineSpacing() + 16);
}

void EditPanel::begin(const QString& text, bool own, int line, bool in_place) {
    {
        const QSignalBlocker quiet(editor_); // nobody has written anything yet
        if (in_place && text != editor_->toPlainText()) { // what stood there can be undone to
            QTextCursor all(editor_->document());
            all.select(QTextCursor::Document);
            all.insertText(text);
        } else if (!in_place) editor_->setPlainText(text);
    }
    pause_.stop();
    showPrinted(nullptr);
    began_ = text;
    own_text_ = own ? text : QString();
    own_->setEnabled(!own);
    editor_->goToLine(line);
    sayHint(Hint::begun);
}

void EditPanel::tellKept() {
    began_.clear(); // it is somebody's, and is to be kept again
    sayHint(Hint::kept);
}

void EditPanel::sayHint(Hint hint) {
    say(hint == Hint::begun ? tr("Write in it. It is compiled when you pause; Ctrl+Return runs it.")
                            : tr("What you wrote before is here again; it has not run. F4 brings back the kernel's own text."), false);
    hint_ = hint;
}

QString EditPanel::text() const { return editor_->toPlainText(); }

void EditPanel::say(const QString& words, bool fault) {
    hint_ = Hint::none;
    if (words == said_) return;
    said_ = words;
    faulty_ = fault;
    colourWords();
    words_->setParagraph(words);
}

void EditPanel::colourWords() {
    const QColor ink = faulty_ ? theme_.fault : theme_.ink;
    set_style(*words_, QStringLiteral("QLabel { color: %1; font-size: 12px; }").arg(ink.name()));
}

void EditPanel::present(const std::shared_ptr<const KernelDraft>& draft, const QString& verdict, const std::vector<SaidOfLine>& found, bool right) {
    if (draft == shown_ && verdict == verdict_) return;
    shown_ = draft;
    verdict_ = verdict;
    if (draft && draft->state == KernelDraft::State::begun) return; // nobody has written anything yet
    own_->setEnabled(own_text_.isEmpty() || text() != own_text_);
    const bool trying = draft && (draft->state == KernelDraft::State::compiling || draft->state == KernelDraft::State::compiles || draft->state == KernelDraft::State::running);
    if (!trying) showPrinted(draft.get()); // what it printed last stays as long as one writes
    std::vector<SaidOfLine> marked = found;
    if (!draft) {
        if (!verdict.isEmpty()) say(verdict, !right);
        return mark(marked);
    }
    switch (draft->state) {
    case KernelDraft::State::compiling: say(tr("compiling …"), false); break;
    case KernelDraft::State::running: say(tr("running …"), false); break;
    case KernelDraft::State::compiles: say(tr("It compiles, in %1. Ctrl+Return runs it.").arg(with_prefix(draft->seconds, QStringLiteral("s"))), false); break;
    case KernelDraft::State::failed:
        for (const KernelDraft::Message& message : draft->messages) marked.push_back({message.line, draft->sentence});
        say(QStringLiteral("✕ ") + draft->sentence, true);
        break;
    case KernelDraft::State::ran:
        if (draft->asked && found.empty() && !draft->found.empty()) { // the lesson's own run, which stays, has none of it
            for (const KernelDraft::Message& message : draft->found) marked.push_back({message.line, message.text});
            QString words = QStringLiteral("✕ ") + draft->found.front().text;
            if (draft->found.size() > 1) words += QStringLiteral(" ") + tr("(and %1 more; F8 goes from one to the next)").arg(draft->found.size() - 1);
            say(words, true);
        } else if (verdict.isEmpty() && draft->asked) say(tr("It has run. Whether it is accepted stands beside the question."), false);
        else say(verdict.isEmpty() ? tr("running …") : verdict, !verdict.isEmpty() && !right);
        break;
    case KernelDraft::State::begun: break;
    case KernelDraft::State::refused: {
        QString words = QStringLiteral("✕ ");
        if (draft->messages.empty()) words += draft->sentence;
        for (const KernelDraft::Message& message : draft->messages) {
            const QString said = message.line > 0 ? tr("line %1: %2").arg(message.line).arg(message.text) : message.text;
            if (message.line > 0) marked.push_back({message.line, said});
            if (&message == &draft->messages.front()) words += said;
        }
        if (draft->messages.size() > 1) words += QStringLiteral(" ") + tr("(and %1 more; F8 goes from one to the next)").arg(draft->messages.size() - 1);
        say(words, true);
        break;
    }
    }
    mark(marked);
}

} // namespace gradus
