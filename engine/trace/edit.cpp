#include "engine/trace/edit.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

[[noreturn]] void refuse(std::string_view text) {
    throw ArgumentError(fmt::format(
        "'{}' is no edit; write NAME = VALUE, PARAMETER[ROW, COLUMN] = NUMBER, point N = X, Y, or break nan, "
        "break iteration N, break gradient_norm NUMBER",
        text));
}

std::vector<double> numbers(std::string_view text, std::string_view whole) {
    std::vector<double> values;
    for (const std::string_view part : split(text, ',')) {
        const auto value = parse_number(trimmed(part));
        if (!value) refuse(whole);
        values.push_back(*value);
    }
    return values;
}

std::vector<Dim> indices(std::string_view text, std::string_view whole) {
    std::vector<Dim> values;
    for (const std::string_view part : split(text, ',')) {
        const auto value = parse_integer(trimmed(part));
        if (!value) refuse(whole);
        if (*value < 0) throw ArgumentError(fmt::format("'{}': indices count from 0, not {}", whole, *value));
        values.push_back(*value);
    }
    return values;
}

} // namespace

std::string Edit::text() const {
    std::string list, place;
    for (const double value : values) list += (list.empty() ? "" : ", ") + number_text(value);
    for (const Dim i : index) place += (place.empty() ? "" : ", ") + std::to_string(i);
    switch (kind) {
    case Kind::setting: return fmt::format("{} = {}", target, values.empty() ? text_value : list);
    case Kind::element: return fmt::format("{}[{}] = {}", target, place, list);
    case Kind::point: return fmt::format("point {} = {}", place, list);
    case Kind::breakpoint: return "break " + target + (list.empty() ? "" : " " + list) + (is_off() ? " off" : "");
    }
    return {};
}

bool Edit::operator==(const Edit& other) const {
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return kind == other.kind && target == other.target && index == other.index && text_value == other.text_value &&
           std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(), same);
}

bool change_breakpoints(std::vector<Edit>& breakpoints, const Edit& edit) {
    Edit on = edit;
    on.text_value.clear();
    const bool gone = std::erase(breakpoints, on) > 0;
    if (!edit.is_off()) breakpoints.push_back(on);
    return gone || !edit.is_off();
}

Edit Edit::parse(std::string_view whole) {
    const std::string_view text = trimmed(whole);
    Edit edit;
    if (text.starts_with("break ")) {
        edit.kind = Kind::breakpoint;
        auto words = split(trimmed(text.substr(6)), ' ');
        if (words.size() > 1 && words.back() == "off") {
            edit.text_value = "off";
            words.pop_back();
        }
        if (words.empty() || words.size() > 2) refuse(whole);
        edit.target = words[0];
        if (words.size() == 2) edit.values = numbers(words[1], whole);
        const bool number_wanted = edit.target == "iteration" || edit.target == "gradient_norm";
        if (!(edit.target == "nan" || number_wanted) || number_wanted != (edit.values.size() == 1)) refuse(whole);
        if (number_wanted && !(edit.values[0] >= 0)) // never reached, or at once
            throw ArgumentError(fmt::format("'{}': the number must be 0 or more", whole));
        return edit;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) refuse(whole);
    const std::string_view left = trimmed(text.substr(0, equals)), right = trimmed(text.substr(equals + 1));
    if (left.empty() || right.empty()) refuse(whole);
    if (left.starts_with("point ")) {
        edit.kind = Kind::point;
        edit.target = "point";
        edit.index = indices(left.substr(6), whole);
        edit.values = numbers(right, whole);
        if (edit.index.size() != 1 || edit.values.size() != 2) refuse(whole);
        return edit;
    }
    if (const std::size_t bracket = left.find('['); bracket != std::string_view::npos) {
        if (!left.ends_with(']') || bracket == 0) refuse(whole);
        edit.kind = Kind::element;
        edit.target = trimmed(left.substr(0, bracket));
        edit.index = indices(left.substr(bracket + 1, left.size() - bracket - 2), whole);
        edit.values = numbers(right, whole);
        if (edit.index.empty() || edit.values.size() != 1) refuse(whole);
        return edit;
    }
    if (left == "break" || left == "point") refuse(whole); // as a setting's name it would not read back
    edit.target = left;
    if (right.find('\n') != std::string_view::npos) { // a text of many lines is as it was written, to the last blank
        const std::string_view written = whole.substr(whole.find('=') + 1);
        edit.text_value = written.substr(written.starts_with(' ') ? 1 : 0);
    } else if (const auto value = parse_number(right)) edit.values = {*value};
    else edit.text_value = right;
    return edit;
}

} // namespace gradus
