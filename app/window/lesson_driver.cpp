#include "app/window/lesson_driver.hpp"

#include "app/window/qt_text.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/card.hpp"
#include "lessons/runtime/progress.hpp"
#include "views/derive/engine_words.hpp"
#include "views/derive/parameter_words.hpp"
#include "views/derive/settings.hpp"
#include "views/theme/numbers.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// Words with numbers in them: a hyphen before a number is a minus, one between letters or digits is none.
QString with_minus_signs(QString words) {
    static const QRegularExpression minus(QStringLiteral("(?<![\\w-])-(?=\\d)"));
    return words.replace(minus, QString(QChar(0x2212)));
}

/// The factors of a product stay on one line.
QString with_whole_products(QString words) { return words.replace(QStringLiteral(" · "), QStringLiteral("\u00a0·\u00a0")); }

} // namespace

LessonDriver::LessonDriver(Presenter& presenter, Progress* progress, QObject* parent)
    : QObject(parent), presenter_(presenter), progress_(progress) {}
LessonDriver::~LessonDriver() { grading_.request_stop(); } // and waits for a key that is being computed

void LessonDriver::setCard(const Card* card) {
    if (card != card_) {
        check_ = 0;
        come_to_question_ = false;
        refusals_.clear();
        given_.clear();
        if (card && progress_) { // goes on after the last check that was answered in order
            const Parameters usual = find_experiment(card->experiment).complete(card->parameters);
            for (const GivenAnswer& given : progress_->answers(card->id)) given_[given.check] = {q(given.typed), usual, card->seed, given.right || given_[given.check].right};
            for (const Check& check : card->checks) // what was tried last is gone on with
                if (const auto given = given_.find(check.id); check.edit && given != given_.end()) written_.try_emplace(q(card->id + "/" + check.id), given->second.typed);
            while (check_ + 1 < card->checks.size() && given_.contains(card->checks[check_].id)) ++check_;
        }
    }
    const bool kept = card == card_ && edit(); // the run is another one, because somebody writes its kernel
    card_ = card;
    if (!kept) {
        check_state_ = StoryCheck::State::asking;
        recalled_ = false;
        verdict_ = {};
        grading_.request_stop();
        if (pending_.valid()) given_up_.push_back(std::move(pending_));
    }
    answered_.clear();
    answered_for_ = nullptr;
    ask_words_ = nullptr;
    model_ = {};
}

void LessonDriver::replaceCard(const Card* card) {
    const std::string id = current() ? current()->id : std::string();
    card_ = card;
    check_ = std::min(check_, card->checks.empty() ? 0 : card->checks.size() - 1);
    if (!pending_.valid() && (!current() || current()->id != id)) {
        check_state_ = StoryCheck::State::asking;
        verdict_ = {};
    }
    answered_.clear();
    answered_for_ = nullptr;
}

const Check* LessonDriver::current() const {
    return card_ && check_ < card_->checks.size() ? &card_->checks[check_] : nullptr;
}

QString LessonDriver::partText() const {
    const std::size_t part = std::min(presenter_.state().card_step, card_->lesson.empty() ? 0 : card_->lesson.size() - 1);
    const QString all = q(card_->text.in(language()));
    if (card_->lesson.empty()) return all;
    const QString heading = "## " + q(card_->lesson[part].text);
    const qsizetype at = all.startsWith(heading + "\n") ? 0 : all.indexOf("\n" + heading + "\n");
    if (at < 0) return {};
    const qsizetype from = all.indexOf('\n', at + 1) + 1, until = all.indexOf("\n## ", from);
    return all.mid(from, until < 0 ? -1 : until - from).trimmed() + introductions(part);
}

/// What the part needs of lessons that are not written yet: a paragraph each, behind its own.
QString LessonDriver::introductions(std::size_t part) const {
    QString out;
    for (const auto& [needed, introduction] : card_->introductions)
        if (introduction.step.empty() ? part == 0 : introduction.step == card_->lesson[part].text)
            out += "\n\n" + q(introduction.words.in(language()));
    return out;
}

/// The names in braces, looked for once per text and not for every frame.
void LessonDriver::findPlaces() {
    static const QRegularExpression place(R"(\{(parameter:)?(\w+)\})");
    const QString text = model_.text + model_.caption;
    if (text == places_.in) return;
    places_ = {text, {}, {}};
    for (auto match = place.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        (found.capturedLength(1) > 0 ? places_.parameters : places_.numbers) << found.captured(2);
    }
}

void LessonDriver::fillNumbers() {
    const auto& runs = presenter_.runs();
    if (runs.empty()) {
        for (const QString& name : places_.numbers) model_.numbers[name] = LiveNumber{QStringLiteral("…")};
        return;
    }
    const Look frame = presenter_.frame(); // the numbers in the text follow what is dragged, too
    const Run& run = *frame.run();
    if (answered_for_ != presenter_.run().get()) {
        answered_.clear();
        answered_for_ = presenter_.run().get();
    }
    for (const QString& name : places_.numbers) {
        const std::string key = name.toStdString();
        const auto& questions = presenter_.session().experiment().questions();
        const auto asked = std::find_if(questions.begin(), questions.end(), [&](const QuestionInfo& info) { return info.name == key; });
        const Series* series = run.find_series(key);
        if (asked != questions.end() && frame.scratch > 0 && !run.parent()) { // the answer for what is held is not computed yet
            model_.numbers[name] = LiveNumber{QStringLiteral("…")};
            continue;
        }
        // A question that needs a trained net is answered here from a Run that is done: the text must not wait, nor say early
        // what is true at the end.
        const bool under_way = asked != questions.end() && asked->needs_training && presenter_.run()->head() < presenter_.session().planned_steps();
        if (asked == questions.end() || asked->needs_arguments || under_way ||
            (asked->needs_training && (!series || series->size() == 0))) {
            const auto value = series && !under_way ? run.value_at(key, frame.state.cursor.iteration) : std::nullopt;
            model_.numbers[name] = value ? LiveNumber{three_digits(*value), series->info().provenance}
                                         : LiveNumber{QStringLiteral("…")};
            continue;
        }
        if (!answered_.contains(name)) {
            const Session& session = presenter_.session();
            const Answer answer = session.experiment().answer(key, {}, session.setup(), presenter_.run().get());
            answered_[name] = {!answer.is_number()                                  ? q(answer.text())
                               : answer.number() == std::floor(answer.number()) && std::abs(answer.number()) < 1e15
                                   ? grouped(static_cast<qint64>(answer.number()))
                                   : three_digits(answer.number()),
                               answer.provenance};
        }
        model_.numbers[name] = answered_[name];
    }
}

void LessonDriver::fillParameters() {
    std::vector<std::string> names;
    for (const CardControl& control : card_->controls) names.push_back(control.parameter);
    for (const QString& place : places_.parameters) {
        const std::string name = place.toStdString();
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    model_.parameters.clear();
    if (!presenter_.undecided()) dragged_ = {};
    for (const std::string& name : names)
        if (auto one = parameter(name)) {
            if (presenter_.undecided() && dragged_.first == one->name) one->value = dragged_.second; // what the views show
            model_.parameters.push_back(std::move(*one));
        }
}

std::optional<StoryParameter> LessonDriver::parameter(const std::string& name) const {
    const Session& session = presenter_.session();
    const Setup& setup = session.setup();
    StoryParameter out;
    out.name = q(name);
    out.label = parameter_words(name);
    if (const auto refused = refusals_.constFind(out.name); refused != refusals_.constEnd()) out.refusal = refusal_words(name, *refused);
    if (name == "seed" || name == "steps") {
        out.kind = StoryParameter::Kind::integer;
        out.value = name == "seed" ? QString::number(setup.seed) : QString::number(setup.steps);
        out.least = 1;
        out.most = name == "seed" ? 100 : 10'000;
        return out;
    }
    const auto& infos = session.experiment().parameters();
    const auto info = std::find_if(infos.begin(), infos.end(), [&](const ParameterInfo& i) { return i.name == name; });
    if (info == infos.end()) return std::nullopt;
    out.unit = unit_words(info->unit);
    out.least = info->least;
    out.most = session.experiment().most_beside(*info, setup.parameters);
    const auto value = setup.parameters.find(name);
    out.value = value == setup.parameters.end() ? q(info->standard) : q(value->second);
    switch (info->type) {
    case ParameterInfo::Type::integer:
        out.kind = StoryParameter::Kind::integer;
        out.most = std::min(out.most, 1024.0);
        if (name == "batch") out.least = std::max(out.least, 1.0); // 0, for all there is, would be read as none
        out.log = out.least > 0 && out.most / out.least >= 100;
        break;
    case ParameterInfo::Type::number:
        out.kind = StoryParameter::Kind::number;
        out.log = name == "lr" || (out.least > 0 && out.most / out.least >= 100);
        if (name == "lr") { // the whole of its range would leave no room for what is useful
            out.least = 0.001;
            out.most = 10;
        } else if (out.most - out.least >= 200 && !out.log) {
            CardControl wanted{name};
            for (const CardControl& control : card_->controls)
                if (control.parameter == name) wanted = control;
            out.least = std::max(out.least, -wanted.reach);
            out.most = std::min(out.most, wanted.reach);
            out.log = wanted.reach > CardControl{}.reach; // what is asked for is reached, and near 0 it is fine all the same
        }
        break;
    case ParameterInfo::Type::choice:
        out.kind = StoryParameter::Kind::choice;
        for (const std::string& choice : info->choices) out.choices.push_back({q(choice), choice_words(choice)});
        break;
    case ParameterInfo::Type::widths:
    case ParameterInfo::Type::list:
    case ParameterInfo::Type::text:
    case ParameterInfo::Type::words: out.kind = StoryParameter::Kind::widths; break; // a field, too
    }
    for (const CardControl& control : card_->controls) {
        if (control.parameter != name) continue;
        const std::string lang = language();
        if (!control.label.en.empty()) out.label = q(control.label.in(lang));
        if (control.choices.empty()) continue;
        out.kind = StoryParameter::Kind::choice; // as the card words them
        out.choices.clear();
        for (const ControlChoice& choice : control.choices) out.choices.push_back({q(choice.value), q(choice.words.in(lang))});
    }
    if (isSetting(name) && !presenter_.runs().empty())
        if (const auto now = setting_at(*presenter_.run(), name, presenter_.state().cursor.iteration))
            out.value = q(number_text(*now));
    return out;
}

/// Who has been asked may read on in any part, but not the answer. A stage that computes something else cannot tell it.
void LessonDriver::fillVeil() {
    veil_.clear();
    const Check* check = current();
    const bool asked = in_class_ ? class_come_to_question_ : come_to_question_;
    if (!check || !asked || check_state_ == StoryCheck::State::committed) return;
    if (presenter_.runs().empty() || asks_of(*check, presenter_.frame().run()->manifest().parameters)) veil_ = check->veil;
}

void LessonDriver::fillCheck() {
    const Check* check = current();
    const bool last_part = card_->lesson.empty() || presenter_.state().card_step + 1 >= card_->lesson.size();
    (in_class_ ? class_come_to_question_ : come_to_question_) |= last_part;
    fillVeil();
    std::erase_if(given_up_, [](const auto& key) { return key.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    if (!check || !last_part || presenter_.runs().empty()) {
        model_.check.reset();
        return;
    }
    if (pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        Verdicted verdict = pending_.get();
        if (pending_in_class_ == in_class_ && pending_check_ == check_) { // what class asked is nothing to the learner, and the other way round
            verdict_ = std::move(verdict);
            check_state_ = verdict_.understood ? StoryCheck::State::committed : StoryCheck::State::asking;
        }
        const bool learners = !pending_in_class_ && !in_class_ && pending_check_ == check_ && verdict_.understood && !recalled_;
        const Setup& setup = presenter_.session().setup();
        if (learners) given_[check->id] = {typed_, setup.parameters, setup.seed, verdict_.right || (check->edit && given_[check->id].right)};
        if (learners && progress_) progress_->answer(card_->id, check->id, typed_.toStdString(), verdict_.right);
        if (learners) emit progressed();
    }
    const Setup& setup = presenter_.session().setup();
    const bool others = answered_from(*check, setup.parameters) != asked_of_ || setup.seed != asked_of_seed_;
    if (!in_class_ && !check->edit && check_state_ == StoryCheck::State::committed && others) goToCheck(check_); // the verdict was on another question
    recall();
    fillVeil();
    const std::string lang = language();
    StoryCheck out;
    out.id = q(check->id);
    out.kind = static_cast<StoryCheck::Kind>(check->kind); // the same ones, in the same order
    out.gut = check->gut;
    out.set = check->set;
    if (ask_of_ != presenter_.runs()[0].get() || ask_words_ != &check->ask.in(lang)) {
        ask_of_ = presenter_.runs()[0].get();
        ask_words_ = &check->ask.in(lang);
        ask_ = with_minus_signs(q(fill_in(*ask_words_, *card_, presenter_.session().setup(), presenter_.runs()[0].get(), nullptr)));
    }
    out.ask = ask_;
    QString no_picture;
    for (const CheckOption& option : check->options) {
        out.options.push_back({q(option.id), with_whole_products(q(option.words.in(lang)))});
        if (!option.image) continue;
        out.options.back().picture = pictures_.of(presenter_.data(), *option.image);
        if (presenter_.data() && out.options.back().picture.isNull()) no_picture = picture_problem(*presenter_.data(), *option.image);
    }
    out.unit = q(check->unit);
    out.state = check_state_;
    out.refusal = verdict_.understood ? no_picture : engine_words(verdict_.refusal[lang == "ko" ? 1 : 0]);
    out.number = static_cast<int>(check_) + 1;
    out.count = static_cast<int>(card_->checks.size());
    if (check_state_ == StoryCheck::State::committed) {
        out.answer = typed_;
        out.right = verdict_.right_options;
        out.engine = verdict_.engine;
        out.found = verdict_.found;
        out.found_words = q(check->found.in(lang));
        out.provenance = verdict_.provenance;
        out.is_right = verdict_.right;
        out.why = verdict_.why[lang == "ko" ? 1 : 0];
        out.recalled = recalled_;
        out.elsewhere = !in_class_ && !check->edit && asked_parameters(*check, setup.parameters) != setup.parameters; // of several rungs that it compares none is the one to be seen
        if (check_ + 1 == card_->checks.size() && !in_class_) out.unpassed = unpassed();
    } else if (check_state_ == StoryCheck::State::computing) {
        out.answer = typed_;
    }
    if (check->edit) fillEdit(out);
    model_.check = std::move(out);
}

/// The checks that count and were never answered rightly, from 1.
std::vector<int> LessonDriver::unpassed() const {
    std::vector<int> out;
    if (!progress_) return out;
    const std::vector<std::string>& passed = progress_->passed(card_->id);
    for (std::size_t i = 0; i < card_->checks.size(); ++i)
        if (!card_->checks[i].gut && std::find(passed.begin(), passed.end(), card_->checks[i].id) == passed.end()) out.push_back(static_cast<int>(i) + 1);
    return out;
}

const StoryModel& LessonDriver::look() {
    model_.title.clear();
    if (!card_) {
        model_ = {};
        model_.title = q(presenter_.session().experiment().title());
        return model_;
    }
    model_.title = q(card_->title.in(language()));
    model_.question = q(card_->question.in(language()));
    model_.part = static_cast<int>(presenter_.state().card_step);
    model_.parts = std::max<int>(1, static_cast<int>(card_->lesson.size()));
    model_.text = partText();
    const std::size_t part = presenter_.state().card_step;
    model_.caption = part < card_->lesson.size() ? q(card_->lesson[part].caption.in(language())) : QString();
    model_.numbers.clear();
    findPlaces();
    fillNumbers();
    fillParameters();
    fillCheck();
    if (!model_.check && !veil_.empty() && !in_class_)
        model_.text += "\n\n" + tr("What question %1 asks for is covered until you answer it, on the last page.").arg(check_ + 1);
    const bool all_answered = !model_.check || (model_.check->state == StoryCheck::State::committed && model_.check->number == model_.check->count);
    const bool guess = model_.part == 0 && !model_.check && !in_class_ && !come_to_question_ && check_ == 0 && !card_->checks.empty() && card_->checks[0].gut;
    model_.guess_of = guess && !given_.contains(card_->checks[0].id) ? static_cast<int>(card_->checks.size()) : 0;
    model_.next_lesson = all_answered ? next_lesson_ : QString();
    for (const QString& hidden : cover().ids)
        if (model_.numbers.contains(hidden)) model_.numbers[hidden] = {QStringLiteral("?"), Provenance::computed};
    return model_;
}

Veil LessonDriver::cover() const {
    Veil veil;
    if (veil_.empty() || !card_) return veil;
    for (const std::string& item : veil_) veil.ids << q(item.substr(item.find(':') + 1)); // "view:item"
    const std::optional<StepIndex> prepared = card_->lesson.empty() ? std::nullopt : card_->lesson.back().iteration;
    veil.from = prepared ? std::min(*prepared, presenter_.state().cursor.iteration) : 0;
    return veil;
}

bool LessonDriver::computing() const {
    const auto runs = [](const auto& key) { return key.valid() && key.wait_for(std::chrono::seconds(0)) != std::future_status::ready; };
    return runs(pending_) || std::any_of(given_up_.begin(), given_up_.end(), runs);
}

void LessonDriver::enterClass() {
    in_class_ = true;
    kept_ = {check_, check_state_ == StoryCheck::State::computing ? StoryCheck::State::asking : check_state_, typed_, verdict_, recalled_, asked_of_, asked_of_seed_};
    class_come_to_question_ = false;
    goToCheck(0);
}

void LessonDriver::leaveClass() {
    in_class_ = false;
    check_ = kept_.check;
    check_state_ = kept_.state;
    typed_ = kept_.typed;
    verdict_ = kept_.verdict;
    recalled_ = kept_.recalled;
    asked_of_ = kept_.asked_of;
    asked_of_seed_ = kept_.asked_of_seed;
}

void LessonDriver::goToCheck(std::size_t check) {
    if (!card_ || card_->checks.empty()) return;
    check_ = std::min(check, card_->checks.size() - 1);
    check_state_ = StoryCheck::State::asking;
    recalled_ = false;
    verdict_ = {};
}

void LessonDriver::recall() {
    const Check* check = current();
    if (in_class_ || !check || pending_.valid() || check_state_ != StoryCheck::State::asking || !verdict_.understood) return;
    if (check->edit) return recallEdit();
    const auto given = given_.find(check->id);
    const Setup& setup = presenter_.session().setup();
    if (given == given_.end() || answered_from(*check, given->second.parameters) != answered_from(*check, setup.parameters) || given->second.seed != setup.seed) return;
    typed_ = given->second.typed;
    recalled_ = true;
    ask(typed_.toStdString());
}

void LessonDriver::answerAgain() {
    const Check* check = current();
    if (in_class_ || !check || check_state_ != StoryCheck::State::committed) return;
    given_.erase(check->id); // its file keeps it
    goToCheck(check_);
}

void LessonDriver::answer(const QString& id, const QString& typed) {
    const Check* check = current();
    if (!check || q(check->id) != id) return;
    if (check->edit) return gradeKernel(typed);
    if (pending_.valid() || check_state_ == StoryCheck::State::committed) return;
    typed_ = typed;
    recalled_ = false;
    ask(typed.toStdString());
}

void LessonDriver::reveal() {
    if (!in_class_ || !current() || current()->edit || pending_.valid() || check_state_ != StoryCheck::State::asking || presenter_.runs().empty()) return;
    typed_.clear();
    ask(std::nullopt);
}

void LessonDriver::ask(std::optional<std::string> given) {
    check_state_ = StoryCheck::State::computing;
    pending_in_class_ = in_class_;
    pending_check_ = check_;
    asked_of_ = answered_from(*current(), presenter_.session().setup().parameters);
    asked_of_seed_ = presenter_.session().setup().seed;
    pending_ = std::async(std::launch::async, [card = *card_, check = *current(), typed = std::move(given),
                                               setup = presenter_.session().setup(), run = presenter_.runs()[0]] {
        Verdicted out;
        try {
            const Key key = key_of(card, check, setup, run.get());
            const Verdict verdict = typed ? grade(check, key, *typed, "en") : Verdict{};
            out.understood = verdict.understood;
            if (!out.understood) out.refusal = {verdict.sentence, grade(check, key, *typed, "ko").sentence};
            out.right = verdict.right;
            for (const std::string& option : key.right) out.right_options << q(option);
            // A quick guess is answered by its options: what the number is may be asked later.
            if (check.kind == Check::Kind::number || (key.answer.is_number() && !check.gut))
                out.engine = with_minus(q(key.text)) + q(check.unit.empty() ? "" : " " + check.unit);
            for (const auto& [option, number] : key.found)
                out.found[q(option)] = key.unit.empty() ? three_digits(number) : with_prefix(number, q(key.unit));
            out.provenance = key.answer.provenance;
            for (const std::size_t each : {0, 1}) // a language can be switched while it is read
                out.why[each] = with_minus_signs(q(fill_in(each == 1 ? check.why.ko : check.why.en, card, setup, run.get(), &key)));
        } catch (const std::exception& error) {
            out.understood = false;
            out.refusal = {error.what(), error.what()};
        }
        return out;
    });
}

void LessonDriver::nextCheck() {
    if (!card_ || check_state_ != StoryCheck::State::committed || check_ + 1 >= card_->checks.size()) return;
    goToCheck(check_ + 1);
}

void LessonDriver::previousCheck() {
    if (in_class_ || check_ == 0 || pending_.valid()) return;
    goToCheck(check_ - 1);
}

} // namespace gradus
