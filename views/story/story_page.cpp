#include "views/story/story_page.hpp"

#include "views/theme/numbers.hpp"

namespace gradus {

namespace {

constexpr int page_left = 8, page_right = 8; // pixels; a focus ring fits in
constexpr double top = 8;

/// Beside the first part the title says what the lesson is; later it only says where one is, and leaves the room to the words.
RichStyle title_style(const StoryLook& look, bool first) {
    return first ? look.rich(metrics::title, 30, QFont::Bold) : look.rich(14, 20, QFont::DemiBold);
}
RichStyle question_style(const StoryLook& look) { return look.rich(14, 20); }
RichStyle text_style(const StoryLook& look) { return look.rich(15, 24); }

} // namespace

StoryPage::StoryPage(const StoryLook& look, QWidget* parent)
    : QWidget(parent), look_(look), title_(new RichLabel(look.theme, title_style(look, true), this)),
      question_(new RichLabel(look.theme, question_style(look), this)),
      text_(new RichLabel(look.theme, text_style(look), this)), check_(new CheckPanel(look, this)),
      ahead_(new RichLabel(look.theme, question_style(look), this)), guess_(new StoryButton(look, {}, this)) {
    title_->setObjectName("title");
    question_->setObjectName("question");
    text_->setObjectName("text");
    check_->setObjectName("check");
    ahead_->setObjectName("ahead");
    guess_->setObjectName("guess");
    question_->setQuiet(true);
    ahead_->setQuiet(true);
    check_->hide();
    guess_->hide();
    connect(guess_, &QAbstractButton::clicked, this, &StoryPage::guessWanted);
    text_->setPlaces([this](const QString& name) {
        const auto found = controls_.find(name);
        return found == controls_.end() ? 0.0 : found->second->layOut(contents(), false);
    });
    connect(check_, &CheckPanel::answered, this, &StoryPage::answered);
    connect(check_, &CheckPanel::kernelWanted, this, &StoryPage::kernelWanted);
    connect(check_, &CheckPanel::next, this, &StoryPage::nextCheck);
    connect(check_, &CheckPanel::previous, this, &StoryPage::previousCheck);
    connect(check_, &CheckPanel::again, this, &StoryPage::checkAgain);
    connect(check_, &CheckPanel::stageWanted, this, &StoryPage::stageWanted);
}

double StoryPage::contents() const { return std::max(40, fitted_ - page_left - page_right); }

void StoryPage::present(const StoryModel& model) {
    const auto set = [&](RichLabel* label, const QString& words, const QString& where) {
        if (label->text() == words) return;
        label->setText(words);
        stale_ = true;
        report(where, label->rich().problems);
    };
    if (first_ != (model.part == 0)) {
        first_ = model.part == 0;
        title_->setStyle(title_style(look_, first_));
        title_->setQuiet(!first_);
        stale_ = true;
    }
    set(title_, model.title, tr("title"));
    set(question_, model.question, tr("question"));
    presentControls(model);
    set(text_, model.text, tr("part %1").arg(model.part + 1));
    set(ahead_, model.guess_of == 0   ? QString()
                : model.guess_of == 1 ? tr("A question comes at the end. It is a guess: make it now, then read on.")
                                      : tr("%1 questions come at the end. The first is a guess: make it now, then read on.").arg(model.guess_of), tr("question"));
    guess_->setWords(tr("Guess now →"));
    numbers_ = model.numbers;
    for (const StoryParameter& parameter : model.parameters) {
        const QString value = parameter.shown();
        bool number = false;
        value.toDouble(&number);
        numbers_.insert("parameter:" + parameter.name, {number ? with_minus(value) : value, Provenance::computed});
    }
    const LiveNumbers live = [this](const QString& name) -> std::optional<LiveNumber> {
        const auto found = numbers_.constFind(name);
        if (found == numbers_.constEnd()) return std::nullopt;
        return *found;
    };
    if (text_->setNumbers(live)) stale_ = true;
    const bool shown = !check_->isHidden();
    if (model.check) {
        const QStringList before = check_->problems();
        if (check_->present(*model.check, live)) stale_ = true;
        if (check_->problems() != before) report(tr("check %1").arg(model.check->number), check_->problems());
    }
    if (shown != model.check.has_value()) {
        check_->setVisible(model.check.has_value());
        stale_ = true;
    }
}

void StoryPage::presentControls(const StoryModel& model) {
    const auto is_there = [&](const QString& name, StoryParameter::Kind kind) {
        return std::any_of(model.parameters.begin(), model.parameters.end(), [&](const StoryParameter& parameter) {
            return parameter.name == name && parameter.kind == kind;
        });
    };
    for (auto each = controls_.begin(); each != controls_.end();) {
        const StoryParameter& known = each->second->parameter();
        if (is_there(known.name, known.kind)) {
            ++each;
            continue;
        }
        each->second->hide();
        each->second->deleteLater();
        each = controls_.erase(each);
        text_->relay();
        stale_ = true;
    }
    for (const StoryParameter& parameter : model.parameters) {
        ParameterControl*& control = controls_[parameter.name];
        if (control && control->parameter().choices != parameter.choices) {
            control->hide();
            control->deleteLater();
            control = nullptr;
        }
        if (control) {
            control->present(parameter);
            continue;
        }
        control = new ParameterControl(look_, parameter, this);
        control->setObjectName("control:" + parameter.name);
        connect(control, &ParameterControl::dragged, this, &StoryPage::parameterDragged);
        connect(control, &ParameterControl::committed, this, &StoryPage::parameterCommitted);
        connect(control, &ParameterControl::cancelled, this, &StoryPage::parameterCancelled);
        connect(control, &ParameterControl::reshaped, this, [this] {
            text_->relay();
            stale_ = true;
            emit reshaped();
        });
        text_->relay();
        stale_ = true;
    }
}

void StoryPage::report(const QString& where, const QStringList& problems) {
    for (const QString& what : problems) emit problem(where + ": " + what);
}

void StoryPage::setLook(const StoryLook& look) {
    const bool same_size = look.scale == look_.scale;
    look_ = look;
    for (RichLabel* label : {title_, question_, text_, ahead_}) label->setTheme(look.theme);
    title_->setStyle(title_style(look, first_));
    question_->setStyle(question_style(look));
    text_->setStyle(text_style(look));
    ahead_->setStyle(question_style(look));
    guess_->setLook(look);
    for (const auto& [name, control] : controls_) control->setLook(look);
    check_->setLook(look);
    if (!same_size) text_->relay();
    stale_ = true;
}

void StoryPage::fit(int width) {
    if (width == fitted_ && !stale_) return;
    if (width != fitted_) text_->relay();
    fitted_ = width;
    stale_ = false;
    const int room = static_cast<int>(contents());
    double y = top;
    const auto put = [&](RichLabel* label, double gap, bool shown = true) {
        shown = shown && !label->text().isEmpty();
        const int high = label->heightForWidth(room);
        label->setVisible(shown);
        label->setGeometry(page_left, static_cast<int>(y), room, high);
        if (shown) y += high + gap;
    };
    put(title_, first_ ? 8 : 12);
    put(question_, 16, first_);
    put(text_, 24);
    const std::vector<RichPlace>& places = text_->geometryFor(room).places;
    for (const auto& [name, control] : controls_) // one that stays keeps the focus
        if (std::none_of(places.begin(), places.end(), [&](const RichPlace& place) { return place.parameter == name; }))
            control->hide();
    for (const RichPlace& place : places) {
        ParameterControl* control = controls_[place.parameter];
        const QRectF rect = place.rect.translated(text_->pos());
        control->setGeometry(rect.adjusted(-ring_room, 0, ring_room, 0).toRect());
        control->layOut(contents(), true);
        control->show();
    }
    put(ahead_, 8);
    guess_->setVisible(!ahead_->text().isEmpty());
    if (!ahead_->text().isEmpty()) {
        const double wide = std::min(room + 2.0 * ring_room, guess_->naturalWidth()), high = guess_->heightNeeded(wide);
        guess_->setGeometry(QRectF(page_left - ring_room, y - ring_room, wide, high).toRect());
        y += high + 12;
    }
    if (!check_->isHidden()) {
        const double high = check_->layOut(room, true);
        check_->setGeometry(QRectF(page_left, y, room, high).toRect());
        y += high + 12;
    }
    resize(width, static_cast<int>(std::ceil(y)));
}

std::vector<QWidget*> StoryPage::stops() const {
    std::vector<QWidget*> out;
    if (fitted_ > 0)
        for (const RichPlace& place : text_->geometryFor(static_cast<int>(contents())).places)
            if (const auto control = controls_.find(place.parameter); control != controls_.end())
                for (QWidget* part : control->second->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                    if ((part->focusPolicy() & Qt::TabFocus) != 0) out.push_back(part);
    out.push_back(guess_);
    const std::vector<QWidget*> check = check_->stops();
    out.insert(out.end(), check.begin(), check.end());
    return out;
}

QRect StoryPage::checkArea() const { return check_->isHidden() ? QRect() : check_->geometry(); }

void StoryPage::cancelDrag() {
    for (const auto& [name, control] : controls_) control->cancelDrag();
}

} // namespace gradus
