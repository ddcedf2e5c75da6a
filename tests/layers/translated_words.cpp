#include "tests/layers/translated_words.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

namespace gradus::test {

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct Token {
    enum class Kind { name, text, mark } kind;
    std::string text;
    int line;
};

/// C++ as far as literals, names and marks; comments and preprocessor lines are left out.
class Lexer {
public:
    explicit Lexer(const std::string& in) : in_(in) {}

    std::vector<Token> read() {
        while (at_ < in_.size()) {
            const char c = in_[at_];
            if (in_.compare(at_, 2, "//") == 0 || c == '#') skip_to("\n");
            else if (in_.compare(at_, 2, "/*") == 0) skip_to("*/");
            else if (in_.compare(at_, 2, "R\"") == 0) raw();
            else if (c == '"') literal();
            else if (c == '\'') character();
            else if (is_word(c)) name();
            else {
                if (!std::isspace(static_cast<unsigned char>(c))) push(Token::Kind::mark, std::string(1, c));
                line_ += c == '\n';
                ++at_;
            }
        }
        return std::move(out_);
    }

private:
    void push(Token::Kind kind, std::string text) { out_.push_back({kind, std::move(text), line_}); }
    void move_to(std::size_t end) {
        end = std::min(end, in_.size());
        line_ += static_cast<int>(std::count(in_.begin() + static_cast<std::ptrdiff_t>(at_), in_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }
    void skip_to(const std::string& end) {
        const std::size_t found = in_.find(end, at_);
        move_to(found == std::string::npos ? in_.size() : found + end.size());
    }
    void raw() {
        const std::size_t open = in_.find('(', at_);
        const std::string end = ")" + in_.substr(at_ + 2, open - at_ - 2) + "\"";
        const std::size_t close = in_.find(end, open);
        push(Token::Kind::text, in_.substr(open + 1, close - open - 1));
        move_to(close + end.size());
    }
    void literal() {
        std::string text;
        for (++at_; at_ < in_.size() && in_[at_] != '"'; ++at_) {
            if (in_[at_] == '\\' && in_[at_ + 1] == 'n') text += '\n', ++at_;
            else if (in_[at_] == '\\') text += in_[++at_];
            else text += in_[at_];
        }
        ++at_;
        push(Token::Kind::text, text);
    }
    void character() {
        if (at_ > 0 && std::isdigit(static_cast<unsigned char>(in_[at_ - 1]))) { // between digits: 10'000
            ++at_;
            return;
        }
        for (++at_; at_ < in_.size() && in_[at_] != '\''; ++at_) at_ += in_[at_] == '\\';
        ++at_;
    }
    void name() {
        std::size_t end = at_;
        while (end < in_.size() && is_word(in_[end])) ++end;
        push(Token::Kind::name, in_.substr(at_, end - at_));
        at_ = end;
    }

    const std::string& in_;
    std::vector<Token> out_;
    std::size_t at_ = 0;
    int line_ = 1;
};

/// What decides the context of a bare tr(): classes with Q_OBJECT, and functions named tr with a context of their own.
struct Owners {
    std::set<std::string> classes;
    std::map<std::string, std::string> of_file, of_namespace; ///< contexts of the functions
};

Owners owners_in(const std::map<std::string, std::string>& files) {
    Owners out;
    static const std::regex with_object(R"(class (\w+)[^;{]*\{\s*Q_OBJECT)"), inner(R"(namespace gradus::(\w+) \{)"),
        function(R"x(QString tr\(const char\* text\) \{ return QCoreApplication::translate\("(\w+)", text\))x"),
        taken(R"(using (\w+)::tr;)");
    std::smatch found;
    for (const auto& [name, text] : files) {
        for (auto at = text.cbegin(); std::regex_search(at, text.cend(), found, with_object); at = found.suffix().first)
            out.classes.insert(found[1]);
        if (!std::regex_search(text, found, function)) continue;
        out.of_file[name] = found[1];
        if (std::smatch inside; std::regex_search(text, inside, inner)) out.of_namespace[inside[1]] = found[1];
    }
    for (const auto& [name, text] : files)
        if (std::regex_search(text, found, taken)) out.of_file[name] = out.of_namespace[found[1]];
    return out;
}

/// The class whose member is defined at each line, from 1; empty where none is.
std::vector<std::string> members_by_line(const std::string& text, const std::set<std::string>& classes) {
    std::vector<std::string> out{""};
    static const std::regex member(R"((\w+)::~?\w+\()");
    std::string now, line;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        line = text.substr(from, end - from);
        if (!line.empty() && (is_word(line[0]) || line[0] == '~') && !line.starts_with("using ")) {
            now.clear();
            for (std::sregex_iterator at(line.begin(), line.end(), member), none; at != none && now.empty(); ++at)
                if (classes.contains((*at)[1])) now = (*at)[1];
        }
        out.push_back(now);
        from = end + 1;
    }
    return out;
}

class Reader {
public:
    Reader(const std::string& file, const std::string& text, const Owners& owners)
        : file_(file), owners_(owners), tokens_(Lexer(text).read()), members_(members_by_line(text, owners.classes)) {}

    void read(std::vector<TranslatedWord>& out) {
        for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.kind != Token::Kind::name || tokens_[i + 1].text != "(") continue;
            const std::string place = file_ + ":" + std::to_string(token.line);
            std::size_t at = i + 2;
            if (token.text == "translate" || token.text == "QT_TRANSLATE_NOOP") {
                const std::string context = literals(at);
                if (context.empty() || tokens_[at++].text != ",") continue;
                const std::string source = literals(at);
                if (!source.empty()) out.push_back({context, source, place});
            } else if (token.text == "tr" && (i == 0 || tokens_[i - 1].text != "QString")) { // else it is defined there
                out.push_back({context_of(i), literals(at), place});
            }
        }
    }

private:
    std::string literals(std::size_t& at) const {
        std::string text;
        for (; at < tokens_.size() && tokens_[at].kind == Token::Kind::text; ++at) text += tokens_[at].text;
        return text;
    }
    std::string context_of(std::size_t i) const {
        if (i >= 3 && tokens_[i - 1].text == ":" && tokens_[i - 2].text == ":") {
            const std::string& owner = tokens_[i - 3].text;
            const auto function = owners_.of_namespace.find(owner);
            return function != owners_.of_namespace.end() ? function->second : "gradus::" + owner;
        }
        const auto line = static_cast<std::size_t>(tokens_[i].line);
        if (const std::string& member = members_[line]; !member.empty()) return "gradus::" + member;
        const auto function = owners_.of_file.find(file_);
        return function == owners_.of_file.end() ? "" : function->second;
    }

    const std::string& file_;
    const Owners& owners_;
    std::vector<Token> tokens_;
    std::vector<std::string> members_;
};

std::string without_entities(std::string text) {
    for (const auto& [entity, letter] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}})
        for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) text.replace(at, std::string(entity).size(), letter);
    return text;
}

} // namespace

std::vector<TranslatedWord> translated_words(const fs::path& root) {
    std::map<std::string, std::string> files;
    for (const char* folder : {"app", "views"}) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
                files[fs::relative(entry.path(), root).string()] = contents(entry.path());
    }
    const Owners owners = owners_in(files);
    std::vector<TranslatedWord> out;
    for (const auto& [name, text] : files) Reader(name, text, owners).read(out);
    return out;
}

std::vector<Translation> translations_in(const fs::path& file) {
    const std::string text = contents(file);
    static const std::regex part(R"(<(name|source|translation)([^>]*)>([^<]*)</)");
    std::vector<Translation> out;
    std::string context;
    for (std::sregex_iterator at(text.begin(), text.end(), part), none; at != none; ++at) {
        const std::string tag = (*at)[1], value = without_entities((*at)[3]);
        if (tag == "name") context = value;
        else if (tag == "source")
            out.push_back({context, value, "", false, static_cast<int>(1 + std::count(text.begin(), text.begin() + at->position(), '\n'))});
        else if (!out.empty()) {
            out.back().text = value;
            out.back().finished = (*at)[2].str().find("type=") == std::string::npos;
        }
    }
    return out;
}

std::vector<std::string> places_in(const std::string& text) {
    static const std::regex place("%([1-9n])");
    std::vector<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), place), none; at != none; ++at) out.push_back(at->str());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace gradus::test
