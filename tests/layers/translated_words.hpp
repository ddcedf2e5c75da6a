#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gradus::test {

/// A string that a source hands to the translator.
struct TranslatedWord {
    std::string context; ///< as it is at run time: "gradus::HeaderBar", "Event"; empty where the reader cannot tell
    std::string source;  ///< adjacent literals joined; empty where the argument is no literal
    std::string place;   ///< "views/graph/graph_widget.cpp:20"
};

/// Every tr(…), translate("Context", …) and QT_TRANSLATE_NOOP("Context", …) in app/ and views/ below `root`. What a
/// translate() is given under a name is declared elsewhere, with QT_TRANSLATE_NOOP, and left out.
std::vector<TranslatedWord> translated_words(const std::filesystem::path& root);

/// A message of a .ts file of Qt Linguist.
struct Translation {
    std::string context, source, text;
    bool finished = true;
    int line = 0; ///< of its source
};
std::vector<Translation> translations_in(const std::filesystem::path& file);

/// "%1", "%2", "%n" of a text, sorted.
std::vector<std::string> places_in(const std::string& text);

} // namespace gradus::test
