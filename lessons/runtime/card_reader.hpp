#pragma once

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/card.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <toml++/toml.h>

namespace gradus {

/// Reads one TOML file; every refusal names file and line.
class CardReader {
public:
    explicit CardReader(const std::filesystem::path& path) : path_(path.string()) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) throw FileError(fmt::format("{}: no such file", path_));
        if (std::filesystem::file_size(path, error) > (std::size_t{1} << 20))
            throw FileError(fmt::format("{}: larger than 1 MiB", path_));
        std::ifstream file(path, std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        try {
            root_ = toml::parse(text.str(), path_);
        } catch (const toml::parse_error& problem) {
            throw FileError(fmt::format("{}:{}: {}", path_, problem.source().begin.line, problem.description()));
        }
        if (integer(root_, "schema") != 1) refuse(root_, "schema must be 1");
    }

    const toml::table& root() const { return root_; }

    [[noreturn]] void refuse(const toml::node& at, const std::string& what) const {
        throw FileError(fmt::format("{}:{}: {}", path_, at.source().begin.line, what));
    }
    /// Refuses every field but these, so that a slip of the pen is not silently left out.
    void only(const toml::table& table, std::initializer_list<std::string_view> known) const {
        for (const auto& [key, node] : table)
            if (std::find(known.begin(), known.end(), key.str()) == known.end())
                refuse(node, fmt::format("there is no field '{}' here; there are {}", key.str(), fmt::join(known, ", ")));
    }
    const toml::node& need(const toml::table& table, const char* key) const {
        const toml::node* node = table.get(key);
        if (!node) refuse(table, fmt::format("'{}' is missing", key));
        return *node;
    }
    std::string text(const toml::table& table, const char* key) const {
        const toml::node& node = need(table, key);
        const auto value = node.value_exact<std::string>();
        if (!value) refuse(node, fmt::format("'{}' must be text", key));
        return *value;
    }
    std::string text(const toml::table& table, const char* key, const std::string& standard) const {
        return table.contains(key) ? text(table, key) : standard;
    }
    std::int64_t integer(const toml::table& table, const char* key) const {
        const toml::node& node = need(table, key);
        const auto value = node.value_exact<std::int64_t>();
        if (!value) refuse(node, fmt::format("'{}' must be a whole number", key));
        return *value;
    }
    double number(const toml::table& table, const char* key) const {
        const toml::node& node = need(table, key);
        const auto value = node.value<double>();
        if (!value || node.is_boolean()) refuse(node, fmt::format("'{}' must be a number", key));
        return *value;
    }
    bool flag(const toml::table& table, const char* key) const {
        if (!table.contains(key)) return false;
        const toml::node& node = need(table, key);
        const auto value = node.value_exact<bool>();
        if (!value) refuse(node, fmt::format("'{}' must be true or false", key));
        return *value;
    }
    const toml::table& table(const toml::table& in, const char* key) const {
        const toml::node& node = need(in, key);
        if (!node.is_table()) refuse(node, fmt::format("'{}' must be a table", key));
        return *node.as_table();
    }
    Words words(const toml::table& in, const char* key) const {
        only(table(in, key), {"en", "ko"});
        return words(table(in, key));
    }
    Words words(const toml::table& both) const { return {text(both, "en"), text(both, "ko")}; }

    std::vector<std::string> texts(const toml::table& in, const char* key) const {
        std::vector<std::string> out;
        if (!in.contains(key)) return out;
        const toml::node& node = need(in, key);
        if (!node.is_array()) refuse(node, fmt::format("'{}' must be a list", key));
        for (const toml::node& item : *node.as_array()) {
            const auto value = item.value_exact<std::string>();
            if (!value) refuse(item, fmt::format("'{}' must hold texts", key));
            out.push_back(*value);
        }
        return out;
    }
    template <class Use> void tables(const toml::table& in, const char* key, Use use) const {
        if (!in.contains(key)) return;
        const toml::node& node = need(in, key);
        if (!node.is_array()) refuse(node, fmt::format("'{}' must be a list of tables", key));
        for (const toml::node& item : *node.as_array()) {
            if (!item.is_table()) refuse(item, fmt::format("'{}' must hold tables", key));
            use(*item.as_table());
        }
    }
    /// Any plain value as the text that an experiment reads.
    std::string plain(const toml::node& node) const {
        if (const auto value = node.value_exact<std::string>()) return *value;
        if (const auto value = node.value_exact<std::int64_t>()) return std::to_string(*value);
        if (const auto value = node.value_exact<double>()) return number_text(*value);
        refuse(node, "a text or a number is expected");
    }

private:
    std::string path_;
    toml::table root_;
};

/// Why a {parameter:NAME} in a text names nothing; empty: it names something, or is no parameter.
std::string unknown_parameter(const std::string& name, const Experiment& experiment);
/// Words with numbers in them, all of whose parameters there are.
Words filled_words(const CardReader& reader, const toml::table& in, const char* key, const Experiment& experiment);
/// `folder`: the card's; `parameters`: all of them, as the card sets them.
Check read_check(const CardReader& reader, const toml::table& in, const std::filesystem::path& folder, const Experiment& experiment, const Parameters& parameters);

} // namespace gradus
