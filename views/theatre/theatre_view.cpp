#include "views/theatre/theatre_view.hpp"

#include "engine/trace/derive/kernel_walk.hpp"
#include "views/derive/engine_words.hpp"
#include "views/state/zoom.hpp"
#include "views/theatre/kernel_editor.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/value_card.hpp"

#include <QMouseEvent>
#include <QRegularExpression>
#include <algorithm>
#include <bit>
#include <utility>

namespace gradus {

TheatreView::TheatreView(const Theme& theme, QWidget* parent)
    : View(theme, tr("Kernel theatre"), parent), touches_([](const TouchWish& wish, const std::atomic<bool>&) {
          const KernelTrace& trace = wish.events->trace();
          return std::make_shared<const Touches>(Touches{&trace, wish.word, steps_touching(trace, wish.word.range, wish.word.offset, wish.word.bytes)});
      }) {
    setMouseTracking(true);
    setMinimumSize(160, 120);
}

/// Most theatres are looked at only, and one opens within a frame: the editor is made when somebody writes.
EditPanel& TheatreView::editPanel() {
    if (editor_) return *editor_;
    editor_ = new EditPanel(this);
    editor_->hide();
    styleEditor();
    connect(editor_, &EditPanel::drafted, this, &View::drafted);
    connect(editor_, &EditPanel::left, this, [this] { setEditing(false); });
    connect(editor_, &EditPanel::wentTo, this, [this](int line, const QString& words) { // and so does the stage, where it shows what is written
        if (!picture_.model.there() || !isOnStage(editor_->text())) return;
        for (const TheatreFinding& finding : picture_.model.findings)
            if (finding.line == line && finding_words(finding) == words) return open(finding);
    });
    connect(editor_, &EditPanel::ownWanted, this, [this] {
        if (const auto own = own_texts_.constFind(written_in_); own != own_texts_.constEnd() && !asked_) editor_->begin(*own, true, picture_.model.line, true);
        else begin_own_ = editor_->text();
        emit draftDropped();
    });
    return *editor_;
}

/// Its letters are as large as those of the code that it stands for.
void TheatreView::styleEditor() {
    const int type = std::max(1, static_cast<int>(std::lround(picture_.type * zoom_)));
    if (std::exchange(editor_type_, type) != type) editor_->setTheme(theme(), type);
}

void TheatreView::retranslate() {
    setTitle(tr("Kernel theatre"));
    if (editor_) editor_->retranslate();
    made_ = {}; // its words and widths are others
    layOut();
}

void TheatreView::present(const Look& look) {
    if (std::exchange(to_come_, look.to_come()) != to_come_) update();
    std::shared_ptr<const Touches> touches;
    if (look.kernels) {
        const KernelTrace& trace = look.kernels->trace();
        const auto word = word_of(trace, look.state.selection);
        touches = touches_.latest();
        if (word && touches && (touches->trace != &trace || touches->word != *word)) touches.reset();
        if (word && !touches && (sought_ != word || made_.kernels != look.kernels)) touches_.want({look.kernels, *word});
        sought_ = word;
        if (!word) touches.reset();
    }
    begin(look.draft);
    failure_ = look.run()->failure();
    if (editing() && look.kernels == made_.kernels) presentDraft(look.draft);
    Made made{look.kernels, look.state.cursor.level, look.state.cursor.ordinal, look.state.selection, look.state.language, touches != nullptr};
    if (made == made_) return;
    if (made.kernels != made_.kernels && !opening_) found_at_.reset(), picture_.finding_at = 0; // those of another run
    made_ = std::move(made);
    picture_.model = make_theatre(look, kept_, touches ? &touches->steps : nullptr);
    if (TheatreModel& model = picture_.model; model.there() && !model.code.empty()) {
        model.edited = model.edited && own_texts_.value(model.title) != codeText(); // run as it was
        if (!model.edited && !own_texts_.contains(model.title)) own_texts_[model.title] = codeText();
    }
    keepFindingInSight();
    if (editing() && picture_.model.there()) {
        const bool here = picture_.model.title == written_in_;
        if (came_ && !here) setEditing(false); // another kernel is on stage
        came_ |= here;
    }
    QString note = picture_.model.there() ? picture_.model.title : QString();
    if (picture_.model.there() && picture_.model.edited) note = tr("%1, edited").arg(note);
    if (note.startsWith(QLatin1String("faulty/"))) note.remove(0, 7); // what is wrong with it, somebody is to find out
    const QString counted = provenance_word(Provenance::counted);
    if (sparse() && picture_.model.block && picture_.model.level > Level::kernel) note = where_words(picture_.model);
    else if (sparse() && picture_.model.there()) note.clear(); // a file's name says nothing to a class
    setNote(note, !picture_.model.there() ? QString() : note.isEmpty() ? counted : tr("%1, %2").arg(note, counted));
    layOut();
    presentDraft(look.draft);
    goOnOpening();
    openWhatEnded();
}

/// What was found at the step one stands on.
void TheatreView::keepFindingInSight() {
    const std::vector<TheatreFinding>& findings = picture_.model.findings;
    const auto is_here = [&](std::size_t number) { return number < findings.size() && findings[number].here; };
    if (found_at_ && is_here(*found_at_)) picture_.finding_at = *found_at_;
    else if (const auto first = std::ranges::find_if(findings, &TheatreFinding::here); !is_here(picture_.finding_at) && first != findings.end())
        picture_.finding_at = static_cast<std::size_t>(first - findings.begin());
}

QString TheatreView::goToNextFinding() {
    const std::vector<TheatreFinding>& findings = picture_.model.findings;
    if (editing()) return editor_->goToNext(), QString();
    if (picture_.secret) return tr("What was found is covered until you have answered.");
    if (findings.empty()) return tr("Nothing was found in this kernel.");
    const auto first = std::ranges::find_if(findings, &TheatreFinding::here); // after it, where one has come otherwise
    const std::size_t after = found_at_ ? *found_at_ + 1 : first == findings.end() ? 0 : static_cast<std::size_t>(first - findings.begin()) + 1;
    open(findings[after % findings.size()]);
    return {};
}

/// A text that was edited may end before the block that is recorded: then that block is recorded in which it did.
void TheatreView::openWhatEnded() {
    const TheatreModel& model = picture_.model;
    if (model.block || !model.edited || model.findings.empty() || model.findings.front().ordinal >= 0 || model.findings.front().block < 0 || ended_ == made_.kernels) return;
    if (opening_ && opening_->launch == model.findings.front().launch && opening_->block == model.findings.front().block) return; // it has been asked for
    ended_ = made_.kernels;
    QMetaObject::invokeMethod(this, [this, finding = model.findings.front()] { open(finding); }, Qt::QueuedConnection);
}

/// Opens with the text that is handed in, of a kernel that may come on stage only now.
void TheatreView::begin(const std::shared_ptr<const KernelDraft>& draft) {
    if (!draft || draft->state != KernelDraft::State::begun || draft == begun_ || !picture_.model.there() || sparse()) return;
    const bool again = editing() && written_in_ == draft->kernel;
    begun_ = draft;
    begin_own_.reset();
    came_ = false;
    asked_ = true;
    picture_.editing = true;
    written_in_ = draft->kernel;
    editPanel().begin(draft->text, draft->own, draft->line, again);
    editor_->setVisible(true);
    take_keys(editor_->editor());
    layOut();
}

/// The editor's words, and what the run said of the text that is in it.
void TheatreView::presentDraft(const std::shared_ptr<const KernelDraft>& draft) {
    if (!editing()) return;
    const TheatreModel& model = picture_.model;
    if (begin_own_ && *begin_own_ != editor_->text()) begin_own_.reset(); // somebody has gone on writing: that stays
    if (begin_own_ && model.there() && !model.edited) {
        begin_own_.reset();
        editor_->begin(codeText(), true, model.line, true);
        return;
    }
    std::vector<SaidOfLine> found;
    const bool shown = draft && draft->state == KernelDraft::State::ran && model.there() && isOnStage(draft->text);
    if (shown)
        for (const TheatreFinding& finding : model.findings) found.push_back({finding.line, finding_words(finding)});
    if (shown) judged_ = draft;
    if (shown && picture_.secret) return editor_->present(draft, tr("It has run. What was found is covered until you have answered."), {}, true);
    if (draft && draft == judged_ && !shown && model.there())
        return editor_->present(draft, tr("Another kernel is on stage now; Ctrl+Return runs what stands here."), found, true);
    if (draft && draft->state == KernelDraft::State::ran && !shown && !failure_.empty()) { // the branch that it was handed to has ended
        const QString words = engine_words(failure_);
        static const QRegularExpression line(QStringLiteral("\\.cu, line (\\d+):"));
        if (const QRegularExpressionMatch at = line.match(QString::fromStdString(failure_)); at.hasMatch()) found.push_back({at.captured(1).toInt(), words});
        return editor_->present(draft, QStringLiteral("✕ ") + words, found, false);
    }
    editor_->present(draft, shown ? verdict_words(model) : QString(), found, model.right());
}

/// One of the kernel's files, whichever is open.
bool TheatreView::isOnStage(const QString& text) const {
    const std::vector<std::string>& sources = picture_.model.events->trace().sources;
    return std::find(sources.begin(), sources.end(), text.toStdString()) != sources.end();
}

QString TheatreView::codeText() const {
    QStringList lines;
    for (const TheatreLine& line : picture_.model.code) lines << line.text;
    return lines.join('\n');
}

void TheatreView::setEditing(bool editing) {
    if (editing == picture_.editing || (editing && (picture_.model.code.empty() || !picture_.model.editable))) return;
    picture_.editing = editing;
    if (!editing) {
        editor_->leave();
        keepText();
    }
    written_in_ = picture_.model.title;
    came_ = true;
    asked_ = false;
    EditPanel& panel = editPanel();
    if (editing) beginText();
    if (!editing) panel.editor().clearFocus(); // or it went to whatever comes next
    panel.setVisible(editing);
    if (editing) take_keys(panel.editor());
    layOut();
}

/// What was written and is not what ran stays for the next time; a question of the lesson keeps its own.
void TheatreView::keepText() {
    if (asked_) return;
    const QString text = editor_->text();
    const bool ran = picture_.model.title == written_in_ && text == codeText();
    if (ran || editor_->pristine()) unrun_.remove(written_in_);
    else unrun_[written_in_] = text;
}

void TheatreView::beginText() {
    const auto kept = unrun_.constFind(written_in_);
    if (kept == unrun_.constEnd() || *kept == codeText()) return editor_->begin(codeText(), !picture_.model.edited, picture_.model.line);
    editor_->begin(*kept, false, picture_.model.line);
    editor_->tellKept();
}

void TheatreView::setTheme(const Theme& theme) {
    View::setTheme(theme);
    editor_type_ = 0; // its colours are others
    if (editor_) styleEditor();
}

void TheatreView::setVeil(const Veil& veil) {
    if (veil == this->veil()) return;
    View::setVeil(veil);
    picture_.secret = veil.hides(QStringLiteral("findings"));
    layOut();
}

void TheatreView::layOut() {
    // Where there is more room than it needs with its lanes below the code, it is drawn larger; a class has it larger already.
    constexpr double enough_wide = 850, enough_high = 540, most = 2;
    const QRectF all = contents();
    zoom_ = std::clamp(all.width() / enough_wide, 1.0, most);
    if (sparse() || all.height() / zoom_ < enough_high) zoom_ = 1;
    const QRectF area(all.topLeft() / zoom_, all.size() / zoom_);
    lay_out_theatre(picture_, area, sparse());
    if (!picture_.model.there()) picture_.geometry.editor = area; // what is written stays where its kernel has gone
    if (sparse() && editing()) setEditing(false);
    const QRectF& editor = picture_.geometry.editor;
    if (editing()) {
        styleEditor();
        editor_->setGeometry(QRectF(editor.topLeft() * zoom_, editor.size() * zoom_).toRect());
        editor_->editor().ensureCursorVisible();
    }
    update();
}

void TheatreView::resizeEvent(QResizeEvent*) { layOut(); }

void TheatreView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    const TheatreModel& model = picture_.model;
    if (!model.there()) {
        if (editing()) return;
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, to_come_ ? tr("This step is being computed …") : tr("No kernel was run step by step at this step of the run."));
        return;
    }
    painter.save();
    painter.scale(zoom_, zoom_);
    paint_theatre(painter, picture_, theme());
    if (!model.block && !picture_.geometry.where.isNull()) {
        painter.setFont(text_font(metrics::text));
        painter.setPen(theme().ink2);
        draw_text(painter, picture_.geometry.where, Qt::AlignLeft | Qt::AlignVCenter, tr("No step of it was recorded; the counts are of all of it."));
    }
    painter.restore();
    paintHover(painter);
}

std::int32_t TheatreView::target(TheatreWay way, int by) const {
    const TheatreModel& model = picture_.model;
    if (!model.block) return -1;
    const KernelTrace& trace = model.events->trace();
    if (way == TheatreWay::block) {
        const std::size_t blocks = trace.log.blocks.size(), here = model.block->number();
        if (by < 0 ? here == 0 : here + 1 >= blocks) return -1;
        return model.events->of_block(here + static_cast<std::size_t>(by));
    }
    if (!model.at_step && by > 0) return model.events->of_step(model.step);
    std::optional<std::size_t> found;
    switch (way) {
    case TheatreWay::line: found = next_line(*model.block, model.step, by); break;
    case TheatreWay::warp_step: found = next_of_warp(*model.block, model.step, by); break;
    case TheatreWay::barrier: found = next_barrier(*model.block, model.step, by); break;
    case TheatreWay::word: {
        const std::int32_t here = model.events->of_step(model.step);
        std::int32_t best = -1;
        for (const TheatreTouch& touch : model.touching) {
            if (by > 0 ? touch.ordinal <= here : touch.ordinal >= here) continue;
            if (best < 0 || (by > 0 ? touch.ordinal < best : touch.ordinal > best)) best = touch.ordinal;
        }
        return best;
    }
    case TheatreWay::block: break;
    }
    return found ? model.events->of_step(*found) : -1;
}

/// The next step of this warp in that line, else its first in the block, else the first of any warp.
std::int32_t TheatreView::runTo(std::int32_t line) const {
    const TheatreModel& model = picture_.model;
    if (!model.block) return -1;
    const KernelTrace& trace = model.events->trace();
    const KernelPlace place{kept_.file, line, 0};
    if (model.at_step)
        if (const auto next = next_in_line(*model.block, model.step, place, 1)) return model.events->of_step(*next);
    const auto in_line = [&](std::size_t step) {
        const KernelPlace& at = trace.sites[trace.log.site[step]].place;
        return trace.is_shown(step) && at.file == place.file && at.line == line;
    };
    const auto of_warp = [&](std::size_t step) { return in_line(step) && trace.log.warp[step] == model.warp; };
    const std::size_t begin = model.block->begin();
    for (const auto& wanted : {std::function<bool(std::size_t)>(of_warp), std::function<bool(std::size_t)>(in_line)}) {
        if (wanted(begin)) return model.events->of_step(begin);
        if (const auto found = next_that(*model.block, begin, 1, wanted)) return model.events->of_step(*found);
    }
    return -1;
}

/// Where what is counted in a line comes from.
std::int32_t TheatreView::costliest(std::int32_t line, simt::Space space) const {
    const TheatreModel& model = picture_.model;
    if (!model.block) return -1;
    const std::size_t from = model.at_step ? model.step : model.block->begin();
    const auto found = costliest_in_line(*model.block, from, {kept_.file, line, 0}, space);
    return found ? model.events->of_step(*found) : -1;
}

/// Into the lane where it takes part now, else where it goes on; out again where one stands in it already.
std::int32_t TheatreView::ofLane(int lane) const {
    const TheatreModel& model = picture_.model;
    const LaneStand& stand = model.stand.lanes[static_cast<std::size_t>(lane)];
    if (stand.state == LaneState::absent || stand.next == model.block->end()) return -1;
    if (model.lane == lane && model.level == Level::lane) return model.events->of_step(model.step);
    return model.events->of_lane(stand.next, lane);
}

std::int32_t TheatreView::ofWarp(int warp) const {
    const auto steps = picture_.model.block->of_warp(warp);
    const KernelTrace& trace = picture_.model.events->trace();
    auto at = std::lower_bound(steps.begin(), steps.end(), static_cast<std::uint32_t>(picture_.model.step));
    while (at != steps.end() && !trace.is_shown(*at)) ++at;
    if (at == steps.end()) return steps.empty() || !trace.is_shown(steps.back()) ? -1 : picture_.model.events->of_step(steps.back());
    return picture_.model.events->of_step(*at);
}

std::int32_t TheatreView::ofStrip(QPointF point) const {
    const TheatreGeometry& g = picture_.geometry;
    const TheatreModel& model = picture_.model;
    if (!model.turns || model.turns->steps.empty() || g.whole.isNull()) return -1;
    for (const bool whole : {true, false}) {
        const QRectF strip = (whole ? g.whole : g.detail).adjusted(0, -3, 0, 3);
        if (!strip.contains(point)) continue;
        const std::int64_t from = whole ? 0 : g.detail_from, until = whole ? model.turns->total() : g.detail_until;
        const auto turn = from + static_cast<std::int64_t>((point.x() - strip.left()) / strip.width() * static_cast<double>(until - from));
        const auto at = std::upper_bound(model.turns->ends.begin(), model.turns->ends.end(), turn);
        const auto number = std::min(static_cast<std::size_t>(at - model.turns->ends.begin()), model.turns->steps.size() - 1);
        return model.events->of_step(model.turns->steps[number]);
    }
    return -1;
}

void TheatreView::goTo(std::int32_t ordinal) {
    if (ordinal >= 0) emit eventChosen(ordinal);
}

/// Goes to the step at which it was found. Where that block was not recorded, it is asked for first.
void TheatreView::open(const TheatreFinding& finding) {
    const auto is_it = [&](const TheatreFinding& each) { return each.launch == finding.launch && each.line == finding.line && each.sentence == finding.sentence; };
    if (const auto at = std::ranges::find_if(picture_.model.findings, is_it); at != picture_.model.findings.end()) found_at_ = static_cast<std::size_t>(at - picture_.model.findings.begin());
    picture_.finding_at = found_at_.value_or(0);
    layOut();
    if (finding.ordinal >= 0 || finding.block < 0) return goTo(finding.ordinal);
    opening_ = finding;
    emit blockWanted(static_cast<int>(finding.launch), finding.block);
}

/// The same was found again, in the run that records its block.
void TheatreView::goOnOpening() {
    if (!opening_) return;
    for (const TheatreFinding& finding : picture_.model.findings) {
        if (finding.kind != opening_->kind || finding.line != opening_->line || finding.launch != opening_->launch || finding.block != opening_->block || finding.ordinal < 0) continue;
        opening_.reset();
        // Not within the frame that shows it.
        QMetaObject::invokeMethod(this, [this, ordinal = finding.ordinal] { goTo(ordinal); }, Qt::QueuedConnection);
        return;
    }
}

void TheatreView::choose(QPointF point) {
    opening_.reset();
    const TheatreGeometry& g = picture_.geometry;
    const TheatreModel& model = picture_.model;
    if (g.edit.contains(point)) return setEditing(!editing());
    for (const TheatreGeometry::Button& button : g.buttons)
        if (button.rect.contains(point)) return goTo(target(button.way, button.by));
    for (const TheatreGeometry::WayLabel& label : g.ways)
        if (label.rect.contains(point)) return goTo(target(label.way, 1));
    if (!editing() && !picture_.secret && g.more_findings.contains(point)) {
        picture_.finding_at = (g.first_finding + g.finding_rows.size()) % model.findings.size();
        return layOut();
    }
    for (std::size_t i = 0; !editing() && !picture_.secret && i < g.finding_rows.size(); ++i)
        if (g.finding_rows[i].contains(point)) return open(model.findings[g.first_finding + i]);
    if (!editing() && !g.touch_rows.empty() && g.touch_rows.front().contains(point)) return emit selected({});
    for (std::size_t i = 1; !editing() && i < g.touch_rows.size(); ++i)
        if (g.touch_rows[i].contains(point) && g.first_touch + i - 1 < model.touching.size()) return goTo(model.touching[g.first_touch + i - 1].ordinal);
    for (const TheatreGeometry::CodeRow& row : g.rows)
        for (const auto& [rect, space] : {std::pair(row.sectors, simt::Space::global), std::pair(row.wavefronts, simt::Space::shared)}) {
            const TheatreLine& line = model.code[static_cast<std::size_t>(row.line) - 1];
            const bool counted = !(space == simt::Space::shared ? line.wavefronts : line.sectors).empty();
            if (editing() || !counted || rect.isNull() || !rect.contains(point)) continue;
            if (const std::int32_t at = costliest(row.line, space); at >= 0) return goTo(at);
        }
    for (const TheatreGeometry::CodeRow& row : g.rows)
        if (!editing() && row.rect.contains(point)) return goTo(runTo(row.line));
    if (!model.block) return;
    for (std::size_t block = 0; block < g.blocks.size(); ++block)
        if (g.blocks[block].contains(point)) return goTo(model.of_block(static_cast<std::int64_t>(block)));
    for (int lane = 0; lane < static_cast<int>(g.lanes.size()); ++lane)
        if (g.lanes[static_cast<std::size_t>(lane)].contains(point)) return goTo(ofLane(lane));
    for (const TheatreGeometry::Sector& sector : g.sectors) {
        if (!sector.rect.contains(point)) continue;
        const SectorPicture::Line& line = model.sectors.lines[sector.line];
        const auto word = std::clamp(static_cast<int>((point.x() - sector.rect.left()) / sector.rect.width() * 8), 0, 7);
        const Selection touched = selection_of(model.events->trace(), line.range, line.first + static_cast<std::uint64_t>(sector.sector * 32 + word * 4));
        emit selected(touched == made_.selection ? Selection{} : touched); // once more lets go of it
        return;
    }
    for (std::size_t bank = 0; bank < g.class_banks.size(); ++bank) {
        if (!g.class_banks[bank].contains(point)) continue;
        for (const BankPicture::Turn& turn : model.banks.turns)
            if (const std::uint32_t lanes = turn[bank].lanes) return goTo(ofLane(std::countr_zero(lanes)));
        return;
    }
    if (g.turns && g.banks.contains(point)) {
        const auto turn = static_cast<std::size_t>((point.y() - g.banks.top()) / g.turn);
        const auto bank = static_cast<std::size_t>((point.x() - g.banks.left()) / g.bank);
        if (turn < g.turns && bank < 32)
            if (const std::uint32_t lanes = model.banks.turns[turn][bank].lanes) return goTo(ofLane(std::countr_zero(lanes)));
        return;
    }
    for (std::size_t warp = 0; warp < g.warp_cells.size(); ++warp)
        if (g.warp_cells[warp].contains(point)) return goTo(ofWarp(static_cast<int>(warp)));
    goTo(ofStrip(point));
}

/// Whoever writes goes on writing when another run is there.
void TheatreView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    if (editing()) take_keys(editor_->editor());
}

void TheatreView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(event->position() / zoom_);
}

/// Stepping fast is pressing twice.
void TheatreView::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void TheatreView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    update();
}

void TheatreView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

/// The smallest thing under the pointer says what it is, with its value and where that comes from.
void TheatreView::paintHover(QPainter& painter) const {
    if (!pointer_) return;
    const std::vector<ViewItem> all = items();
    const ViewItem* best = nullptr;
    for (const ViewItem& item : all)
        if (item.rect.contains(*pointer_) && (!best || item.rect.width() * item.rect.height() < best->rect.width() * best->rect.height())) best = &item;
    if (!best || best->id.startsWith(QLatin1String("line")) || best->id.startsWith(QLatin1String("touch")) || (editing() && best->id == QLatin1String("edit"))) return;
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(best->rect.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
    std::vector<ValueCardLine> lines{{best->name}};
    for (const QString& part : best->value.split('\n', Qt::SkipEmptyParts)) lines.push_back(value_line(part, best->provenance));
    if (best->id.startsWith(QLatin1String("counters")) && picture_.model.block) lines.push_back({tr("A click goes to the step that asks for most.")});
    paint_value_card(painter, lines, best->rect, QRectF(rect()).adjusted(6, 6, -6, -6), theme());
}

} // namespace gradus
