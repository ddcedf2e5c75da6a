#include "app/cli/cli.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/derive/event_tree.hpp"

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
    }
    return "?";
}

/// A check holds when the engine answers it, its key grades as right, and something else grades as wrong.
json verify(const Card& card, const Check& check, const Session& session, const Run& run, bool& good) {
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

json verify(const Card& card, const std::string& device, bool json_wanted, bool& good) {
    RunRequest request = card.request();
    request.device.device = device;
    Session session(request);
    ProgressLine progress(!json_wanted);
    session.play();
    wait_for(session, progress);
    json checks = json::array();
    for (const Check& one : card.checks) {
        if (interrupt_requested()) break;
        checks.push_back(verify(card, one, session, *session.run(0), good));
        const json& row = checks.back();
        if (json_wanted) continue;
        const std::string answer = row.contains("shown")    ? row["shown"].get<std::string>()
                                   : row.contains("right") ? joined(row["right"].get<std::vector<std::string>>())
                                                            : "";
        fmt::print("{}  {:<26}{:<25}{}{}\n", row["passed"].get<bool>() ? "passed" : "FAILED", card.id, one.id, answer,
                   row.contains("problem") ? "  " + row["problem"].get<std::string>() : "");
    }
    json out{{"id", card.id}, {"title", card.title.en}, {"checks", checks}};
    if (interrupt_requested()) return out;
    for (const std::string& problem : unknown_names(card, session, *session.run(0))) {
        good = false;
        out["problems"].push_back(problem);
        if (!json_wanted) fmt::print("FAILED  {:<26}{}\n", card.id, problem);
    }
    return out;
}

} // namespace

int check(const std::vector<std::string>& names, bool all, const std::string& device, bool json_wanted) {
    const Library lessons = library();
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
            if (!json_wanted) fmt::print("FAILED  {:<26}{}\n", card->id, error.what());
        }
        if (interrupt_requested()) return interrupted();
    }
    if (json_wanted) print_json({{"schema", 1}, {"items", items}, {"problems", lessons.problems}, {"passed", good && usable}});
    else
        for (const std::string& problem : lessons.problems) fmt::print("FAILED  {}\n", problem);
    return !good ? check_failed : usable ? done : unusable; // as of one card alone
}

} // namespace gradus::cli
