// Reads the strings that the sources hand to the translator and fails where one has no Korean in
// resources/translations/ko.ts, or where that file says what no source asks for.
#include "tests/layers/translated_words.hpp"
#include "tests/support/check.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* file = "resources/translations/ko.ts";

/// One line per string without good Korean, and per Korean without a string; counts the strings.
std::vector<std::string> complaints(const fs::path& root, std::size_t& strings) {
    using Key = std::pair<std::string, std::string>;
    std::vector<std::string> out;
    std::map<Key, Translation> korean;
    for (const Translation& each : translations_in(root / file))
        if (!korean.emplace(Key{each.context, each.source}, each).second)
            out.push_back(fmt::format("{}:{}: '{}' stands in {} twice", file, each.line, each.source, each.context));
    std::set<Key> used;
    for (const TranslatedWord& word : translated_words(root)) {
        if (word.source.empty()) {
            out.push_back(fmt::format("{}: tr() of something that is no literal", word.place));
            continue;
        }
        ++strings;
        used.insert({word.context, word.source});
        const auto found = korean.find({word.context, word.source});
        if (found == korean.end())
            out.push_back(fmt::format("{}: '{}' is not in {}, context {}", word.place, word.source, file, word.context));
        else if (!found->second.finished || found->second.text.empty())
            out.push_back(fmt::format("{}:{}: '{}' is not translated", file, found->second.line, word.source));
        else if (places_in(found->second.text) != places_in(word.source))
            out.push_back(fmt::format("{}:{}: '{}' has other places than '{}'", file, found->second.line, found->second.text, word.source));
    }
    for (const auto& [key, each] : korean) // contexts with a Q are Qt's own: the menu of a field
        if (!used.contains(key) && !key.first.starts_with('Q'))
            out.push_back(fmt::format("{}:{}: no source asks for '{}' in {}", file, each.line, key.second, key.first));
    return out;
}

} // namespace

TEST(every_word_on_screen_is_translated) {
    std::size_t strings = 0;
    for (const std::string& line : complaints(source_path(""), strings)) CHECK(false, line);
    CHECK(strings > 350, std::to_string(strings)); // it read the sources
}

TEST(no_line_ends_inside_a_korean_word) { // as Qt's own wrapping would; views/theme/paragraph.hpp does it
    const fs::path root = source_path("");
    for (const char* folder : {"app", "views"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            std::ifstream stream(entry.path());
            int number = 0;
            for (std::string line; std::getline(stream, line);) {
                ++number;
                const bool wraps = line.find("TextWordWrap") != std::string::npos || line.find("setWordWrap") != std::string::npos;
                CHECK(!wraps, fmt::format("{}:{}", fs::relative(entry.path(), root).string(), number));
            }
        }
}

TEST(words_that_are_not_translated_are_found) {
    struct {
        const char* name;
        const char* source;      ///< views/a/a.cpp
        const char* translation; ///< messages of the context "gradus::A"
        const char* complaint;   ///< part of the only one; empty: there is none
    } const rows[] = {
        {"translated", R"(void A::f() { tr("step %1"); })", "<source>step %1</source><translation>스텝 %1</translation>", ""},
        {"in two literals", "void A::f() { tr(\"a \"\n   \"b\"); }", "<source>a b</source><translation>가</translation>", ""},
        {"a quoted sign", R"(void A::f() { tr("\"<a> & b\""); })",
         "<source>&quot;&lt;a&gt; &amp; b&quot;</source><translation>가</translation>", ""},
        {"from outside the class", R"(QString f() { return A::tr("a"); })", "<source>a</source><translation>가</translation>", ""},
        {"in a comment", "// tr(\"a\")\n/* tr(\"b\") */", "", ""},
        {"missing", R"(void A::f() { tr("a"); })", "", "views/a/a.cpp:1: 'a' is not in"},
        {"in another context", R"(void A::f() { QCoreApplication::translate("B", "a"); })", "", "context B"},
        {"declared", R"(const char* all[] = {QT_TRANSLATE_NOOP("gradus::A", "a")};)", "", "'a' is not in"},
        {"a function's own context", "QString tr(const char* text) { return QCoreApplication::translate(\"C\", text); }\nvoid f() { tr(\"a\"); }",
         "", "context C"},
        {"empty", R"(void A::f() { tr("a"); })", "<source>a</source><translation></translation>", "is not translated"},
        {"unfinished", R"(void A::f() { tr("a"); })", "<source>a</source><translation type=\"unfinished\">가</translation>",
         "is not translated"},
        {"a place lost", R"(void A::f() { tr("%1 of %2"); })", "<source>%1 of %2</source><translation>%1</translation>", "other places"},
        {"unused", "", "<source>a</source><translation>가</translation>", "no source asks for 'a'"},
        {"no literal", "void A::f() { tr(name); }", "", "is no literal"},
        {"after digits", "constexpr int a = 10'000;\nvoid A::f() { tr(\"a\"); }", "", "views/a/a.cpp:2"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const TemporaryFolder folder;
        const auto write = [&](const std::string& path, const std::string& text) {
            fs::create_directories(fs::path(folder.path() + "/" + path).parent_path());
            folder.write(path, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
        };
        write("views/a/a.hpp", "class A : public QWidget {\n    Q_OBJECT\n};\n");
        write("views/a/a.cpp", row.source);
        std::string messages = row.translation;
        if (!messages.empty()) messages = "<message>" + messages + "</message>";
        write(file, "<TS><context><name>gradus::A</name>" + messages + "</context></TS>");
        std::size_t strings = 0;
        const std::vector<std::string> found = complaints(folder.path(), strings);
        const std::string wanted = row.complaint;
        CHECK_EQUAL(found.size(), std::size_t{wanted.empty() ? 0u : 1u});
        if (!wanted.empty() && !found.empty()) CHECK(found[0].find(wanted) != std::string::npos, found[0]);
    }
}
