#include "engine/core/error.hpp"
#include "engine/core/number_words.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/card.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

double rounded(double value, int digits) {
    const double scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

/// With the check's digits; numbers so small that these would cut them keep three significant ones instead.
std::string shown(double value, int digits) {
    if (digits > 0 && value != 0 && std::abs(value) < std::pow(10.0, 2 - digits)) return fmt::format("{:.3g}", value);
    return digits == 0 ? number_in_words(rounded(value, 0)) : fmt::format("{:.{}f}", rounded(value, digits), digits);
}

/// With three digits, or as many as show on which side of an option's bound it is.
std::string shown_in_range(double value, const std::vector<CheckOption>& options) {
    std::string text = number_in_words(value);
    const auto fits = [&](double read) {
        return std::all_of(options.begin(), options.end(), [&](const CheckOption& option) {
            return !option.from || (value >= *option.from && value < *option.to) == (read >= *option.from && read < *option.to);
        });
    };
    for (int digits = 4; digits <= 9; ++digits) {
        const auto read = parse_number(text);
        if (!read || fits(*read)) break;
        text = fmt::format("{:.{}g}", value, digits);
    }
    return text;
}

/// Splits at commas outside brackets: "W1[:,0], b1[0]" names two places.
std::vector<std::string_view> options_in(std::string_view text) {
    std::vector<std::string_view> out;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '[' || text[i] == ']')) depth += text[i] == '[' ? 1 : -1;
        if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
        if (i > from || i < text.size()) out.push_back(trimmed(text.substr(from, i - from)));
        from = i + 1;
    }
    return out;
}

bool covers(const std::vector<std::string>& names, const std::string& option) {
    return std::find(names.begin(), names.end(), option) != names.end();
}

/// "5" and "5.0" are one value of a parameter.
bool same_value(const std::string& a, const std::string& b) {
    if (a == b) return true;
    const auto x = parse_number(a), y = parse_number(b);
    return x && y && *x == *y;
}

/// What the question varies, as "rung"; empty where it is about one setting.
std::string varied_by(const Check& check) {
    const auto vary = check.arguments.find("vary");
    std::string out = vary == check.arguments.end() ? "rung" : vary->second;
    return check.arguments.contains("among") && !check.arguments.contains(out) ? out : std::string();
}

/// Whatever somebody wrote in its place, a rung that is asked about is as its file has it.
void ask_of_own_text(const Check& check, Parameters& parameters) {
    if (const auto written = parameters.find("source"); written != parameters.end() && check.arguments.contains("rung") && !check.arguments.contains("source")) written->second = "own";
}

/// Whether a question about several rungs is about the one that runs.
bool is_among(const Check& check, const Parameters& parameters) {
    const auto rung = parameters.find("rung"), ladder = parameters.find("ladder");
    if (varied_by(check) != "rung" || rung == parameters.end() || ladder == parameters.end()) return true;
    const std::string full = rung->second.find('/') == std::string::npos ? ladder->second + "/" + rung->second : rung->second;
    for (const std::string_view each : split(check.arguments.at("among"), '|'))
        if (trimmed(each.substr(each.find(':') + 1)) == full) return true;
    return rung->second == "first";
}

} // namespace

bool asks_of(const Check& check, const Parameters& parameters) {
    return std::all_of(check.arguments.begin(), check.arguments.end(), [&](const auto& argument) {
        const auto parameter = parameters.find(argument.first);
        return parameter == parameters.end() || same_value(parameter->second, argument.second);
    }) && is_among(check, parameters);
}

Parameters asked_parameters(const Check& check, Parameters parameters) {
    for (const auto& [name, value] : check.arguments)
        if (const auto parameter = parameters.find(name); parameter != parameters.end()) parameter->second = value;
    ask_of_own_text(check, parameters);
    return parameters;
}

Parameters answered_from(const Check& check, Parameters parameters) {
    parameters = asked_parameters(check, std::move(parameters));
    for (const char* recorded : {"record", "record_launch", "record_block", "record_warp"}) parameters.erase(recorded);
    const std::string varied = varied_by(check);
    parameters.erase(varied);
    if (varied != "rung") return parameters;
    for (const char* with_a_rung : {"block", "source"}) parameters.erase(with_a_rung); // another rung has its own
    if (check.arguments.at("among").find('/') != std::string::npos) parameters.erase("sizes"); // and one of another ladder its sizes
    return parameters;
}

Key key_of(const Card& card, const Check& check, const Setup& setup, const Run* run) {
    Key key;
    Setup asked = setup;
    ask_of_own_text(check, asked.parameters);
    key.answer = find_experiment(card.experiment).answer(check.question, check.arguments, asked, run);
    if (check.kind == Check::Kind::number) {
        if (!key.answer.is_number())
            throw ArgumentError(fmt::format("{}: {}: '{}' is answered by words", card.id, check.id, check.question));
        if (!std::isfinite(key.answer.number()))
            throw ArgumentError(fmt::format("{}: {}: the engine's answer is not finite", card.id, check.id));
        key.text = shown(key.answer.number(), check.digits);
        return key;
    }
    if (!check.found.en.empty()) {
        for (const CheckOption& option : check.options) {
            const auto found = key.answer.found.find(option.id);
            if (found == key.answer.found.end())
                throw ArgumentError(fmt::format("{}: {}: the engine has no number for {}", card.id, check.id, option.id));
            key.found.insert(*found);
        }
        key.unit = key.answer.found_unit;
    }
    const auto* names = std::get_if<std::vector<std::string>>(&key.answer.value);
    if (names && check.kind == Check::Kind::order) { // the engine's order, of those that are asked for
        for (const std::string& name : *names)
            for (const CheckOption& option : check.options)
                if (option.id == name) key.right.push_back(name);
        if (key.right.size() != check.options.size())
            throw ArgumentError(fmt::format("{}: {}: the engine orders {}, not all the options", card.id, check.id, key.answer.text()));
    } else if (names) {
        for (const CheckOption& option : check.options)
            if (covers(*names, option.id)) key.right.push_back(option.id);
    } else {
        for (const CheckOption& option : check.options) {
            const bool in_range = key.answer.is_number() && option.from && key.answer.number() >= *option.from &&
                                  key.answer.number() < *option.to;
            if (in_range || (!key.answer.is_number() && option.id == key.answer.text())) key.right.push_back(option.id);
        }
    }
    key.text = key.answer.is_number() ? shown_in_range(key.answer.number(), check.options) : key.answer.text();
    if (key.right.empty() || (!check.set && check.kind != Check::Kind::order && key.right.size() > 1))
        throw ArgumentError(fmt::format("{}: {}: no single option fits the engine's answer, {}", card.id, check.id,
                                        key.answer.text()));
    return key;
}

Verdict grade(const Check& check, const Key& key, std::string_view typed, std::string_view lang) {
    const bool korean = lang == "ko";
    Verdict verdict;
    const std::string_view answer = trimmed(typed);
    if (check.kind == Check::Kind::number) {
        std::string text(answer);
        if (!check.unit.empty() && text.ends_with(check.unit)) text = trimmed(std::string_view(text).substr(0, text.size() - check.unit.size()));
        for (const std::string_view space : {" ", "\u00a0", "\u2009", "\u202f"}) // groups of digits, as on the screen
            for (std::size_t at; (at = text.find(space)) != std::string::npos;) text.erase(at, space.size());
        const auto value = parse_number(text.starts_with('+') ? std::string_view(text).substr(1) : std::string_view(text));
        if (!value || !std::isfinite(*value))
            return {false, false, fmt::format(fmt::runtime(korean ? "‘{}’: 숫자가 아닙니다" : "'{}' is not a number"), answer)};
        const double right = key.answer.number();
        verdict.right = check.tolerance > 0
                            ? std::abs(*value - right) <= check.tolerance * std::abs(right)
                            : rounded(*value, check.digits) == rounded(right, check.digits);
        return verdict;
    }
    std::vector<std::string> chosen;
    for (const std::string_view word : options_in(answer)) {
        const auto number = parse_integer(word);
        const CheckOption* found = nullptr;
        for (std::size_t i = 0; i < check.options.size(); ++i)
            if (check.options[i].id == word || (number && *number == static_cast<std::int64_t>(i) + 1))
                found = &check.options[i];
        if (!found) return {false, false, fmt::format(fmt::runtime(korean ? "‘{}’: 보기에 없습니다" : "'{}' is none of the options"), word)};
        chosen.push_back(found->id);
    }
    if (chosen.empty() || (!check.set && check.kind != Check::Kind::order && chosen.size() > 1))
        return {false, false,
                check.set ? (korean ? "보기를 하나 이상 고르세요" : "name at least one option")
                          : (korean ? "보기를 하나 고르세요" : "name one option")};
    if (check.kind == Check::Kind::order) {
        verdict.right = chosen == key.right;
        return verdict;
    }
    std::sort(chosen.begin(), chosen.end());
    std::vector<std::string> right = key.right;
    std::sort(right.begin(), right.end());
    verdict.right = chosen == right;
    return verdict;
}

std::vector<LiveName> live_names(std::string_view text) {
    std::vector<LiveName> out;
    bool formula = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '$') formula = !formula;
        const std::size_t end = text[i] == '{' && !formula ? text.find('}', i) : std::string_view::npos;
        if (end == std::string_view::npos) continue;
        out.push_back({std::string(text.substr(i + 1, end - i - 1)), i, end + 1});
        i = end;
    }
    return out;
}

namespace {

/// The value of a name in a text; none where nothing has that name.
std::optional<std::string> value_of(const std::string& name, const Card& card, const Setup& setup, const Run* run, const Key* key) {
    if (name == "answer" && key) return key->text;
    if (name == "parameter:seed") return std::to_string(setup.seed);
    if (name == "parameter:steps") return std::to_string(setup.steps);
    if (name.starts_with("parameter:")) {
        const auto at = setup.parameters.find(name.substr(10));
        return at == setup.parameters.end() ? std::nullopt : std::optional(at->second);
    }
    const Experiment& experiment = find_experiment(card.experiment);
    const auto& questions = experiment.questions();
    if (std::any_of(questions.begin(), questions.end(), [&](const QuestionInfo& info) { return info.name == name; })) {
        const Answer answer = experiment.answer(name, {}, setup, run);
        return answer.is_number() ? number_in_words(answer.number()) : answer.text();
    }
    if (const auto latest = run && run->head() > 0 ? run->value_at(name, run->head() - 1) : std::nullopt)
        return number_in_words(*latest);
    return std::nullopt;
}

} // namespace

std::string fill_in(std::string_view text, const Card& card, const Setup& setup, const Run* run, const Key* key) {
    std::string out;
    std::size_t from = 0;
    for (const LiveName& live : live_names(text)) {
        out += text.substr(from, live.from - from);
        out += value_of(live.name, card, setup, run, key).value_or("{" + live.name + "}");
        from = live.until;
    }
    out += text.substr(from);
    return out;
}

} // namespace gradus
