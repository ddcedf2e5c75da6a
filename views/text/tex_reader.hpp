#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// Why a formula cannot be read. Thrown and caught within the parser.
struct TexRefusal {
    std::size_t at; ///< characters before the place
    std::string why;
};

/// The characters of a formula, and where one is in them.
class TexReader {
public:
    explicit TexReader(std::string_view tex) : in_(from_utf8(tex)) {}

    static bool is_latin(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
    /// What is no UTF-8 becomes U+FFFD.
    static std::u32string from_utf8(std::string_view text);

protected:
    bool done() const { return at_ >= in_.size(); }
    char32_t peek() const { return done() ? 0 : in_[at_]; }
    void skip_spaces();
    /// The name of the command at the place, without moving there: "frac", ",", or empty.
    std::string command_here() const;
    void skip_command();
    /// {…} as it stands, for names and words.
    std::u32string raw(const std::string& command);

    std::u32string in_;
    std::size_t at_ = 0;
};

} // namespace gradus
