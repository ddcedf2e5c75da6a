#include "app/cli/cli.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/kernel_text.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "lessons/runtime/edit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gradus::cli {

using nlohmann::json;

namespace {

const char* kind_name(Check::Kind kind) {
    switch (kind) {
    case Check::Kind::choice: return "choice";
    case Check::Kind::number: return "number";
    case Check::Kind::order: return "order";
    case Check::Kind::point: return "point";
    case Check::Kind::edit: return "edit";
    }
    return "?";
}

std::string sentence_of(const EditVerdict& verdict) {
    if (verdict.engine.empty()) return verdict.words.en;
    return verdict.engine + (verdict.words.en.empty() ? "" : fmt::format(" ({})", verdict.words.en));
}

/// A kernel that is to be completed holds when the one that solves it is accepted, and what one begins with is refused.
json verify_edit(const Check& check, bool& good) {
    json out{{"id", check.id}, {"kind", kind_name(check.kind)}, {"kernel", check.edit->kernel}, {"passed", false}};
    try {
        const EditVerdict solved = grade_edit(*check.edit, solution_of(*check.edit)), begun = grade_edit(*check.edit, check.edit->text);
        out["passed"] = solved.right && !begun.right;
        if (!begun.right) out["begun"] = sentence_of(begun);
        if (!solved.right) out["problem"] = fmt::format("what should solve it is refused: {}", sentence_of(solved));
        else if (begun.right) out["problem"] = "the text with the lines missing is accepted";
    } catch (const Error& error) {
        out["problem"] = error.what();
    }
    good &= out["passed"].get<bool>();
    return out;
}

/// A check holds when the engine answers it, its key grades as right, and something else grades as wrong.
json verify(const Card& card, const Check& check, const Session& session, const Run& run, bool& good) {
    if (check.edit) return verify_edit(check, good);
    json out{{"id", check.id}, {"kind", kind_name(check.kind)}, {"question", check.question}};
    try {
        const Key key = key_of(card, check, session.setup(), &run);
        out["answer"] = quantity(key.answer);
        std::string typed = key.text, wrong;
        if (check.kind != Check::Kind::number) {
            typed.clear();
            for (const std::string& id : key.right) typed += (typed.empty() ? "" : ",") + id;
            for (const CheckOption& option : check.options)
                if (option.id != key.right.front() || check.set) wrong = option.id;
            if (key.right.size() == 1 && key.right.front() == wrong) wrong = check.options.front().id;
            out["right"] = key.right;
        } else {
            out["shown"] = key.text;
            wrong = fmt::format("{}", 3 * key.answer.number() + 7);
        }
        const bool right = grade(check, key, typed).right, refused = !grade(check, key, wrong).right;
        out["passed"] = right && refused;
        if (!right) out["problem"] = fmt::format("the engine's own answer '{}' is graded wrong", typed);
        else if (!refused) out["problem"] = fmt::format("the wrong answer '{}' is graded right", wrong);
        good &= right && refused;
    } catch (const Error& error) {
        out["passed"] = false;
        out["problem"] = error.what();
        good = false;
    }
    return out;
}

/// What a card's texts and scenes name and its run has not.
std::vector<std::string> unknown_names(const Card& card, const Session& session, const Run& run) {
    std::vector<std::string> out;
    const auto& questions = session.experiment().questions();
    const auto names = [&](const Words& words, bool answered) {
        for (const std::string* text : {&words.en, &words.ko})
            for (const LiveName& live : live_names(*text)) {
                const bool question = std::any_of(questions.begin(), questions.end(),
                                                  [&](const QuestionInfo& info) { return info.name == live.name; });
                if (question || run.find_series(live.name) || live.name.starts_with("parameter:") || (answered && live.name == "answer")) continue;
                out.push_back(fmt::format("'{{{}}}' in a text is no number of this run", live.name));
            }
    };
    const EventTree tree(run, 0); // with what lies below kernels
    const auto is_there = [&](const std::string& place) { return place.empty() || tree.find(place) != nullptr; };
    const auto cursor = [&](const Scene& scene) {
        const bool elsewhere = scene.iteration.value_or(0) > 0 && !is_there(scene.cursor) && EventTree(run, *scene.iteration).find(scene.cursor); // its own kernels
        if (!elsewhere && !is_there(scene.cursor)) out.push_back(fmt::format("the cursor '{}' is nowhere in this run", scene.cursor));
    };
    for (const ListingLine& line : card.listing)
        if (!is_there(line.at)) out.push_back(fmt::format("the listing's '{}' is nowhere in this run", line.at));
    names(card.text, false);
    for (const CardStep& step : card.lesson) {
        names(step.caption, false);
        cursor(step);
    }
    for (const Check& check : card.checks) {
        names(check.ask, false);
        names(check.why, true);
        cursor(check.scene);
    }
    return out;
}

/// The card's run, computed to its end.
std::unique_ptr<Session> run_of(const Card& card, const std::string& device, bool json_wanted) {
    RunRequest request = card.request();
    if (!device.empty()) request.device.device = device; // else the card's
    auto session = std::make_unique<Session>(request);
    ProgressLine progress(!json_wanted);
    session->play();
    wait_for(*session, progress);
    return session;
}

json verify(const Card& card, const std::string& device, bool json_wanted, bool& good) {
    const std::unique_ptr<Session> computed = run_of(card, device, json_wanted);
    const Session& session = *computed;
    json checks = json::array();
    for (const Check& one : card.checks) {
        if (interrupt_requested()) break;
        checks.push_back(verify(card, one, session, *session.run(0), good));
        const json& row = checks.back();
        if (json_wanted) continue;
        const std::string answer = row.contains("shown")    ? row["shown"].get<std::string>()
                                   : row.contains("right") ? joined(row["right"].get<std::vector<std::string>>())
                                                            : "";
        fmt::print("{}  {:<31}{:<25}{}{}\n", row["passed"].get<bool>() ? "passed" : "FAILED", card.id, one.id, answer,
                   row.contains("problem") ? "  " + row["problem"].get<std::string>() : "");
    }
    json out{{"id", card.id}, {"title", card.title.en}, {"checks", checks}};
    if (interrupt_requested()) return out;
    for (const std::string& problem : unknown_names(card, session, *session.run(0))) {
        good = false;
        out["problems"].push_back(problem);
        if (!json_wanted) fmt::print("FAILED  {:<31}{}\n", card.id, problem);
    }
    return out;
}

/// "edit-xor=@mine.cu" or "number-none=32": a check's id, and what is answered to it.
std::pair<std::string, std::string> answer_of(const std::string& given) {
    const std::size_t equals = given.find('=');
    if (equals == 0 || equals == std::string::npos) throw ArgumentError(fmt::format("--answer {}: CHECK=ANSWER or CHECK=@FILE is wanted", given));
    std::string typed = given.substr(equals + 1);
    if (typed.starts_with('@')) {
        const std::string path = typed.substr(1);
        std::error_code error;
        if (!std::filesystem::exists(path, error)) throw FileError(fmt::format("{}: no such file", path));
        typed = simt::text_of(path);
        if (typed.find('\0') != std::string::npos) throw FileError(fmt::format("{}: is no text", path));
    }
    return {given.substr(0, equals), std::move(typed)};
}

/// Grades what somebody answers to a card's checks.
int grade_answers(const Card& card, const std::vector<std::string>& answers, const std::string& device, bool json_wanted) {
    std::unique_ptr<Session> session; // that answers what is asked of a run
    json rows = json::array();
    bool good = true;
    for (const std::string& given : answers) {
        const auto [id, typed] = answer_of(given);
        const auto check = std::find_if(card.checks.begin(), card.checks.end(), [&, &wanted = id](const Check& one) { return one.id == wanted; });
        if (check == card.checks.end()) {
            std::vector<std::string> known;
            for (const Check& one : card.checks) known.push_back(one.id);
            throw ArgumentError(fmt::format("{} has no check '{}'; it has {}", card.id, id, joined(known)));
        }
        bool right = false;
        std::string sentence;
        if (check->edit) {
            const EditVerdict verdict = grade_edit(*check->edit, typed);
            right = verdict.right;
            sentence = right ? check->why.en : sentence_of(verdict);
        } else {
            if (!session) session = run_of(card, device, json_wanted);
            if (interrupt_requested()) return interrupted();
            const auto run = session->run(0);
            const Key key = key_of(card, *check, session->setup(), run.get());
            const Verdict verdict = grade(*check, key, typed);
            if (!verdict.understood) throw ArgumentError(fmt::format("--answer {}: {}", id, verdict.sentence));
            right = verdict.right;
            sentence = fill_in(check->why.en, card, session->setup(), run.get(), &key);
        }
        good &= right;
        rows.push_back({{"id", id}, {"kind", kind_name(check->kind)}, {"right", right}, {"sentence", sentence}});
        if (!json_wanted) fmt::print("{}  {:<25}{}\n", right ? "right" : "WRONG", id, sentence);
    }
    if (json_wanted) print_json({{"schema", 1}, {"id", card.id}, {"answers", rows}, {"passed", good}});
    return good ? done : check_failed;
}

} // namespace

int check(const std::vector<std::string>& names, const std::vector<std::string>& answers, bool all, const std::string& device, bool json_wanted) {
    const Library lessons = library();
    if (!answers.empty()) {
        if (all || names.size() != 1) throw ArgumentError("--answer is to the checks of one card; name it");
        watch_interrupts();
        return grade_answers(lessons.at(names.front()), answers, device, json_wanted);
    }
    std::vector<const Card*> cards;
    if (all || names.empty())
        for (const Card& card : lessons.cards) cards.push_back(&card);
    for (const std::string& name : all ? std::vector<std::string>{} : names)
        cards.push_back(&lessons.at(name));
    watch_interrupts();
    bool good = lessons.problems.empty() || !(all || names.empty()), usable = true;
    json items = json::array();
    for (const Card* card : cards) {
        try {
            items.push_back(verify(*card, device, json_wanted, good));
        } catch (const Error& error) {
            if (cards.size() == 1) throw;
            usable = false; // and the next one
            items.push_back({{"id", card->id}, {"title", card->title.en}, {"checks", json::array()}, {"problem", error.what()}});
            if (!json_wanted) fmt::print("FAILED  {:<31}{}\n", card->id, error.what());
        }
        if (interrupt_requested()) return interrupted();
    }
    if (json_wanted) print_json({{"schema", 1}, {"items", items}, {"problems", lessons.problems}, {"passed", good && usable}});
    else
        for (const std::string& problem : lessons.problems) fmt::print("FAILED  {}\n", problem);
    return !good ? check_failed : usable ? done : unusable; // as of one card alone
}

} // namespace gradus::cli
