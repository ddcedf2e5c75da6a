#include "app/window/export_panel.hpp"

#include "app/window/picture.hpp"
#include "engine/io/export/export.hpp"
#include "views/theme/paragraph_label.hpp"

#include <QDir>
#include <QFile>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QShortcut>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace gradus {

namespace {

struct Ending {
    const char* format;
    const char* ending;
};
constexpr Ending endings[] = {{"png", ".png"}, {"svg", ".svg"}, {"pdf", ".pdf"}, {"perfetto", ".json.gz"},
                              {"npz", ".npz"}, {"csv", ".csv"}, {"gradus", ".gradus"}};
QString ending_of(const QString& format) {
    for (const Ending& one : endings)
        if (format == one.format) return one.ending;
    return {};
}

void rest_shortcuts(QWidget* window, bool rest) {
    for (QShortcut* shortcut : window->findChildren<QShortcut*>(Qt::FindDirectChildrenOnly)) shortcut->setEnabled(!rest);
}

/// A choice with a mark that it is one.
class ChoiceBox : public QComboBox {
public:
    ChoiceBox(const Theme& theme, QWidget* parent) : QComboBox(parent), ink_(theme.ink2) {}

protected:
    void paintEvent(QPaintEvent* event) override {
        QComboBox::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(ink_, 1.5));
        const QPointF tip(width() - 16, height() / 2.0 + 2.5);
        painter.drawPolyline(QPolygonF({tip + QPointF(-4.5, -4.5), tip, tip + QPointF(4.5, -4.5)}));
    }

private:
    QColor ink_;
};

QLabel* label(const QString& text, QWidget* parent) {
    auto* out = new QLabel(text, parent);
    out->setProperty("role", "quiet");
    return out;
}

} // namespace

QString documents_folder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() && !documents.isEmpty() ? documents : QDir::homePath();
}

QString size_text(std::uintmax_t bytes) {
    const double b = static_cast<double>(bytes);
    if (b < 1e3) return QStringLiteral("%1 B").arg(bytes);
    if (b < 1e6) return QStringLiteral("%1 kB").arg(b / 1e3, 0, 'f', b < 1e4 ? 1 : 0);
    if (b < 1e9) return QStringLiteral("%1 MB").arg(b / 1e6, 0, 'f', b < 1e7 ? 1 : 0);
    return QStringLiteral("%1 GB").arg(b / 1e9, 0, 'f', 2);
}

ExportPanel::ExportPanel(const Theme& theme, ExportChoices choices, const QString& first, QWidget* window)
    : QWidget(window), theme_(theme), choices_(std::move(choices)), card_(new QWidget(this)), what_(new ChoiceBox(theme, card_)),
      format_(new ChoiceBox(theme, card_)), steps_(new QWidget(card_)), from_(new QLineEdit(steps_)), to_(new QLineEdit(steps_)),
      name_(new QLineEdit(card_)), steps_note_(new ParagraphLabel(card_)), line_(new ParagraphLabel(card_)), go_(new QPushButton(card_)),
      leave_(new QPushButton(card_)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Export"));
    rest_shortcuts(window, true);
    window->installEventFilter(this);
    auto* title = new QLabel(tr("Export"), card_);
    title->setProperty("role", "title");
    for (const auto& pane : choices_.panes) what_->addItem(pane.name, pane.stem);
    if (choices_.run) what_->addItem(choices_.run_name, "run");
    const int at = what_->findData(first == "recording" ? QStringLiteral("run") : first);
    what_->setCurrentIndex(std::max(0, at));
    what_->setAccessibleName(tr("What"));
    format_->setAccessibleName(tr("Format"));
    name_->setAccessibleName(tr("File"));
    from_->setAccessibleName(tr("First step"));
    to_->setAccessibleName(tr("Last step"));
    auto* range_row = new QHBoxLayout(steps_);
    range_row->setContentsMargins(0, 0, 0, 0);
    range_row->setSpacing(8);
    from_->setFixedWidth(110);
    to_->setFixedWidth(110);
    range_row->addWidget(from_);
    range_row->addWidget(label(tr("to"), steps_));
    range_row->addWidget(to_);
    range_row->addStretch(1);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(1, 1);
    const auto add = [&](int row, const QString& words, QWidget* field) {
        grid->addWidget(label(words, card_), row, 0);
        grid->addWidget(field, row, 1);
    };
    add(0, tr("What"), what_);
    add(1, tr("Format"), format_);
    auto* which = new QVBoxLayout;
    which->setSpacing(6);
    which->addWidget(steps_);
    which->addWidget(steps_note_);
    grid->addWidget(label(tr("Steps"), card_), 2, 0);
    grid->addLayout(which, 2, 1);
    add(3, tr("File"), name_);
    line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line_->setFocusPolicy(Qt::NoFocus);
    line_->setMinimumHeight(40);
    line_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    buttons->addStretch(1);
    leave_->setMinimumWidth(96);
    go_->setMinimumWidth(110);
    buttons->addWidget(leave_);
    buttons->addWidget(go_);
    auto* column = new QVBoxLayout(card_);
    column->setContentsMargins(28, 22, 28, 24);
    column->setSpacing(14);
    column->addWidget(title);
    column->addLayout(grid);
    column->addWidget(line_);
    column->addLayout(buttons);
    go_->setText(tr("Export"));
    go_->setProperty("role", "main");
    leave_->setText(tr("Cancel"));
    connect(what_, &QComboBox::currentIndexChanged, this, [this] { fillFormats(); });
    connect(format_, &QComboBox::currentIndexChanged, this, [this] { fillName(); });
    connect(name_, &QLineEdit::textEdited, this, [this] {
        named_ = true;
        asked_for_.clear();
        go_->setText(tr("Export"));
    });
    connect(go_, &QPushButton::clicked, this, &ExportPanel::go);
    connect(leave_, &QPushButton::clicked, this, &ExportPanel::leave);
    connect(&timer_, &QTimer::timeout, this, &ExportPanel::look);
    fillFormats();
    if (first == "recording") format_->setCurrentIndex(format_->findData("gradus"));
    place();
    show();
    what_->setFocus();
}

ExportPanel::~ExportPanel() = default; // stops what is being written

ExportPanel::Kind ExportPanel::kind() const { return what_->currentData().toString() == "run" ? Kind::run : Kind::picture; }

void ExportPanel::place() {
    setGeometry(parentWidget()->rect());
    const int width = std::min(620, this->width() - 32);
    card_->setFixedWidth(width);
    card_->layout()->activate();
    const int height = std::max(card_->minimumSizeHint().height(), card_->heightForWidth(width));
    card_->setGeometry((this->width() - width) / 2, std::max(8, (this->height() - height) / 2), width, height);
    update();
}

bool ExportPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    return false;
}

void ExportPanel::fillFormats() {
    const QSignalBlocker quiet(format_);
    const QString before = format();
    format_->clear();
    if (kind() == Kind::picture) {
        format_->addItem(tr("PNG, a picture in pixels"), "png");
        format_->addItem(tr("SVG, a drawing that scales"), "svg");
        format_->addItem(tr("PDF, one page"), "pdf");
    } else {
        format_->addItem(tr("Trace for Perfetto (.json.gz)"), "perfetto");
        format_->addItem(tr("NumPy arrays (.npz)"), "npz");
        format_->addItem(tr("Table, a row per step (.csv)"), "csv");
        if (choices_.save) format_->addItem(tr("Recording with every branch (.gradus)"), "gradus");
        const StepIndex first = format_->currentData().toString() == "perfetto" ? choices_.run->first_iteration() : 0;
        from_->setText(QString::number(first));
        to_->setText(QString::number(std::max<StepIndex>(0, choices_.run->head() - 1)));
    }
    const int at = format_->findData(before);
    if (at >= 0) format_->setCurrentIndex(at);
    fillName();
}

void ExportPanel::fillName() {
    showRange();
    asked_for_.clear();
    go_->setText(tr("Export"));
    if (!busy()) say({});
    if (named_) { // a name given by hand keeps its stem; only its ending follows the format
        QString name = name_->text();
        for (const Ending& one : endings)
            if (name.endsWith(one.ending)) {
                name.chop(static_cast<int>(qstrlen(one.ending)));
                name_->setText(name + ending_of(format()));
                return;
            }
        return;
    }
    const QString stem = kind() == Kind::run ? choices_.run_stem : "gradus-" + what_->currentData().toString();
    name_->setText(QDir(documents_folder()).filePath(stem + ending_of(format())));
    name_->setCursorPosition(0);
}

void ExportPanel::showRange() {
    const bool part = kind() == Kind::run && format() != "gradus";
    steps_->setEnabled(part);
    steps_->setVisible(part);
    QString note;
    if (kind() == Kind::picture) note = tr("The step that is shown now.");
    else if (format() == "gradus") note = tr("A recording always holds the whole run.");
    else {
        note = tr("The run has steps %1 to %2.")
                   .arg(format() == "perfetto" ? choices_.run->first_iteration() : 0)
                   .arg(std::max<StepIndex>(0, choices_.run->head() - 1));
        if (!choices_.bookmarks.empty()) note += " " + tr("Bookmarks are marked in it.");
    }
    steps_note_->setParagraph(note);
    place();
}

std::optional<std::pair<StepIndex, StepIndex>> ExportPanel::range() {
    bool from_good = false, to_good = false;
    const StepIndex first = format() == "perfetto" ? choices_.run->first_iteration() : 0, last = choices_.run->head() - 1;
    const qint64 from = from_->text().trimmed().toLongLong(&from_good), to = to_->text().trimmed().toLongLong(&to_good);
    if (from_good && to_good && from >= first && to <= last && from <= to) return std::pair{from, to + 1};
    say(tr("Steps are whole numbers from %1 to %2.").arg(first).arg(last));
    return std::nullopt;
}

void ExportPanel::go() {
    if (busy()) return;
    QString name = name_->text().trimmed();
    if (name.startsWith("~/")) name = QDir::home().filePath(name.mid(2));
    if (name.isEmpty() || name.endsWith('/')) {
        say(tr("The file needs a name."));
        return;
    }
    if (QDir::isRelativePath(name)) name = QDir(documents_folder()).filePath(name);
    if (!name.endsWith(ending_of(format()), Qt::CaseInsensitive)) name += ending_of(format());
    if (QFile::exists(name) && asked_for_ != name) {
        asked_for_ = name;
        say(tr("%1 is there already.").arg(name));
        go_->setText(tr("Replace"));
        return;
    }
    asked_for_.clear();
    go_->setText(tr("Export"));
    start(name.toStdString());
}

void ExportPanel::start(const std::filesystem::path& path) {
    ExportJob::Work work;
    if (kind() == Kind::picture) {
        const ExportChoices::Pane& pane = choices_.panes[static_cast<std::size_t>(what_->currentIndex())];
        QWidget* widget = pane.widget;
        if (!widget) { // its card was read again meanwhile, with other views
            say(tr("%1 is no longer on stage.").arg(pane.name));
            return;
        }
        parentWidget()->setFocus(); // not over its own picture, nor with a ring round what would have the keys next
        setVisible(false);
        const Picture picture = picture_of(*widget, picture_format(path));
        setVisible(true);
        setFocus();
        work = [picture, path](const auto&, const std::stop_token&) { write_picture(picture, path); };
    } else if (format() == "gradus") {
        work = [save = choices_.save, path](const auto&, const std::stop_token&) { save(path); };
    } else {
        const auto wanted = range();
        if (!wanted) return;
        work = [run = choices_.run, as = format().toStdString(), wanted = *wanted, bookmarks = choices_.bookmarks,
                path](const std::function<void(double)>& progress, const std::stop_token& stop) {
            export_run(*run, as, path, {wanted.first, wanted.second, bookmarks, progress, stop});
        };
    }
    job_ = std::make_unique<ExportJob>(path, std::move(work));
    go_->setEnabled(false);
    leave_->setText(tr("Stop"));
    say(tr("Writing …"));
    timer_.start(50);
}

void ExportPanel::look() {
    if (!job_) return;
    if (!job_->done()) {
        say(tr("Writing … %1 %").arg(static_cast<int>(100 * job_->progress())));
        return;
    }
    timer_.stop();
    const QString path = QString::fromStdString(job_->path().string());
    if (job_->stopped()) say(tr("Stopped; nothing was written."));
    else if (!job_->failure().empty()) say(QString::fromStdString(job_->failure()), true);
    else say(tr("Written to %1 (%2).").arg(path, size_text(job_->bytes())));
    const bool failed = !job_->stopped() && !job_->failure().empty(), written = !job_->stopped() && !failed;
    job_.reset();
    go_->setEnabled(true);
    leave_->setText(written ? tr("Close") : tr("Cancel"));
    if (written) leave_->setFocus();
    else if (failed) { // mostly the name is to be mended
        name_->setFocus();
        name_->selectAll();
    }
}

void ExportPanel::leave() {
    if (busy()) {
        job_->stop();
        return;
    }
    parentWidget()->setFocus();
    close();
}

void ExportPanel::closeEvent(QCloseEvent*) { rest_shortcuts(parentWidget(), false); } // however it was closed

void ExportPanel::say(const QString& sentence, bool fault) {
    const QString text = fault ? "✕ " + sentence : sentence;
    set_style(*line_, QString("color: %1;").arg((fault ? theme_.fault : theme_.ink).name()));
    if (said_ == text) {
        update(card_->geometry()); // how far it is; behind the rest, everything would be painted again
        return;
    }
    said_ = text;
    line_->setParagraph(text);
    line_->setAccessibleName(text);
    place();
}

void ExportPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) leave();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) leave_->hasFocus() ? leave() : go();
    else QWidget::keyPressEvent(event);
}

void ExportPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = theme_.window;
    veil.setAlpha(215);
    painter.fillRect(rect(), veil);
    const QRectF card = QRectF(card_->geometry()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme_.ink3, 1));
    painter.setBrush(theme_.surface);
    painter.drawRoundedRect(card, metrics::radius, metrics::radius);
    if (!busy()) return; // how far it is, as a line over the buttons
    const QRectF all(card.left() + 28, line_->mapTo(this, QPoint(0, line_->height())).y() + 2, card.width() - 56, 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.line);
    painter.drawRoundedRect(all, 1.5, 1.5);
    painter.setBrush(theme_.ink);
    painter.drawRoundedRect(QRectF(all.topLeft(), QSizeF(all.width() * job_->progress(), all.height())), 1.5, 1.5);
}

} // namespace gradus
