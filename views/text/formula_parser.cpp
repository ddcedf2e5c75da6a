#include "views/text/formula_symbols.hpp"
#include "views/text/tex_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace gradus {

namespace {

using Kind = FormulaNode::Kind;
using Atom = FormulaNode::Atom;
using Letter = FormulaNode::Letter;

/// Recursive descent; every refusal is thrown within this file and becomes a sentence at its end.
class Parser : private TexReader {
public:
    using TexReader::TexReader;

    FormulaNode whole() { return row_until(End::text); }

private:
    enum class End : std::uint8_t { text, brace, right, cell };
    static constexpr int deepest = 60; // more would be a mistake, and could exhaust the stack

    bool at_end(End end) const {
        if (done()) return true;
        const char32_t c = peek();
        if (end == End::cell && (c == U'&' || command_here() == "\\" || command_here() == "end")) return true;
        return (end == End::brace && c == U'}') || (end == End::right && command_here() == "right");
    }

    FormulaNode row_until(End end) {
        FormulaNode row;
        for (skip_spaces(); !at_end(end); skip_spaces()) {
            if (peek() == U'^' || peek() == U'_' || peek() == U'\'') script(row);
            else row.parts.push_back(atom());
        }
        return row;
    }

    void script(FormulaNode& row) {
        const std::size_t place = at_;
        if (row.parts.empty() || row.parts.back().kind != Kind::scripts) {
            FormulaNode scripts;
            scripts.kind = Kind::scripts;
            scripts.parts.resize(3);
            if (!row.parts.empty()) {
                scripts.parts[0] = std::move(row.parts.back());
                scripts.atom = scripts.parts[0].atom;
                row.parts.pop_back();
            }
            row.parts.push_back(std::move(scripts));
        }
        FormulaNode& scripts = row.parts.back();
        const char32_t mark = in_[at_++];
        FormulaNode& target = scripts.parts[mark == U'_' ? 1 : 2];
        if (mark == U'\'') {
            FormulaNode prime;
            prime.kind = Kind::symbol;
            prime.text = U"′";
            target.parts.push_back(std::move(prime));
            return;
        }
        if (!target.parts.empty() && target.parts.back().text != U"′")
            throw TexRefusal{place, mark == U'_' ? "a second subscript" : "a second superscript"};
        if (nothing_here()) throw TexRefusal{place, fmt::format("{} needs what it raises or lowers after it", mark == U'_' ? "_" : "^")};
        FormulaNode script = atom();
        target.parts.push_back(std::move(script));
    }

    /// True where neither a group in braces nor a sign can begin.
    bool nothing_here() {
        skip_spaces();
        return done() || peek() == U'}' || peek() == U'&' || peek() == U'^' || peek() == U'_';
    }

    FormulaNode argument(const std::string& command, const char* how_many, std::size_t place) {
        if (nothing_here()) throw TexRefusal{place, fmt::format("\\{} needs {}", command, how_many)};
        return atom();
    }

    FormulaNode group() {
        const std::size_t place = at_++;
        FormulaNode row = row_until(End::brace);
        if (done()) throw TexRefusal{place, "this { is never closed"};
        ++at_;
        return row;
    }

    FormulaNode symbol(const FormulaSymbol& what) const {
        FormulaNode node;
        node.kind = Kind::symbol;
        node.atom = what.atom;
        node.letter = what.letter;
        const bool is_text = is_latin(what.character) || (what.character >= U'0' && what.character <= U'9') ||
                             (what.character >= 0x391 && what.character <= 0x3f5);
        if (letter_ && is_text) node.letter = *letter_;
        node.text = what.character;
        return node;
    }

    FormulaNode atom() {
        if (++depth_ > deepest) throw TexRefusal{at_, "this is nested too deeply"};
        FormulaNode node = part();
        --depth_;
        return node;
    }

    FormulaNode part() {
        const char32_t c = peek();
        const std::size_t place = at_;
        if (c == U'{') return group();
        if (c == U'}') throw TexRefusal{place, "this } closes nothing"};
        if (c == U'&') throw TexRefusal{place, "& stands outside a matrix"};
        if (c == U'\\') return command();
        ++at_;
        if (c == U'~') return space(6);
        return symbol(symbol_of(c));
    }

    static FormulaNode space(double mu) {
        FormulaNode node;
        node.kind = Kind::space;
        node.amount = mu;
        return node;
    }

    FormulaNode in_letters(const std::string& name, Letter letter, std::size_t place) {
        const auto before = letter_;
        letter_ = letter;
        FormulaNode node = argument(name, "one argument", place);
        letter_ = before;
        return node;
    }

    FormulaNode with(Kind kind, FormulaNode part) {
        FormulaNode node;
        node.kind = kind;
        node.parts.push_back(std::move(part));
        return node;
    }

    FormulaNode command() {
        const std::size_t place = at_;
        const std::string name = command_here();
        if (name.empty()) throw TexRefusal{place, "a \\ needs a command after it"};
        skip_command();
        if (const auto known = symbol_named(name)) return symbol(*known);
        if (const auto mu = space_named(name)) return space(*mu);
        FormulaNode node;
        if (is_function(name, node.limits)) {
            node.kind = Kind::function;
            node.atom = Atom::large;
            node.text = from_utf8(name);
            return node;
        }
        if (name == "sum" || name == "prod") {
            node.kind = Kind::large;
            node.atom = Atom::large;
            node.limits = true;
            node.text = name == "sum" ? U"∑" : U"∏";
            return node;
        }
        if (name == "frac") {
            node.kind = Kind::fraction;
            node.atom = Atom::inner;
            for (int i = 0; i < 2; ++i) node.parts.push_back(argument(name, "two arguments", place));
            return node;
        }
        if (name == "sqrt") return with(Kind::root, argument(name, "one argument", place));
        if (name == "hat" || name == "bar" || name == "tilde" || name == "dot" || name == "overline") {
            node = with(Kind::accent, argument(name, "one argument", place));
            node.text = name == "hat" ? U"^" : name == "tilde" ? U"~" : name == "dot" ? U"." : U"-";
            return node;
        }
        if (name == "mathbf") return in_letters(name, Letter::bold, place);
        if (name == "boldsymbol" || name == "bm") return in_letters(name, Letter::bold_italic, place);
        if (name == "mathrm") return in_letters(name, Letter::upright, place);
        if (name == "mathit") return in_letters(name, Letter::italic, place);
        if (name == "text" || name == "operatorname" || name == "live") {
            node.kind = name == "text" ? Kind::words : name == "live" ? Kind::live : Kind::function;
            if (name == "operatorname") {
                node.atom = Atom::large;
                if (peek() == U'*') {
                    node.limits = true;
                    ++at_;
                }
            }
            node.text = raw(name);
            if (name == "live" && node.text.empty()) throw TexRefusal{place, "\\live needs the name of a number"};
            return node;
        }
        if (name == "data" || name == "grad" || name == "param" || name == "state") {
            node = with(Kind::meaning, argument(name, "one argument", place));
            node.atom = node.parts[0].atom;
            node.role = name == "data"    ? Role::data
                        : name == "grad"  ? Role::gradient
                        : name == "param" ? Role::parameter
                                          : Role::optimizer_state;
            return node;
        }
        if (name == "left") return fenced(place);
        if (name == "begin") return matrix(place);
        if (name == "right") throw TexRefusal{place, "\\right without \\left"};
        if (name == "end") throw TexRefusal{place, "\\end without \\begin"};
        if (name == "\\") throw TexRefusal{place, "\\\\ stands outside a matrix"};
        throw TexRefusal{place, fmt::format("\\{} is not known here", name)};
    }

    char32_t delimiter(const char* side) {
        skip_spaces();
        const std::size_t place = at_;
        const std::string name = command_here();
        const std::string written = name.empty() ? to_utf8(in_.substr(at_, 1)) : "\\" + name;
        const char32_t found = done() ? 0 : delimiter_named(written);
        if (!found) throw TexRefusal{place, fmt::format("{} needs a delimiter after it, such as ( or .", side)};
        if (name.empty()) ++at_;
        else skip_command();
        return found;
    }

    FormulaNode fenced(std::size_t place) {
        std::u32string fences(1, delimiter("\\left"));
        FormulaNode node = with(Kind::fenced, row_until(End::right));
        if (done()) throw TexRefusal{place, "this \\left has no \\right"};
        skip_command();
        fences += delimiter("\\right");
        node.atom = Atom::inner;
        node.text = fences;
        return node;
    }

    FormulaNode matrix(std::size_t place) {
        const std::u32string kind = raw("begin");
        const bool known = kind == U"matrix" || kind == U"pmatrix" || kind == U"bmatrix" || kind == U"vmatrix";
        if (!known) throw TexRefusal{place, fmt::format("\\begin{{{}}} is not known here", to_utf8(kind))};
        std::vector<std::vector<FormulaNode>> rows(1);
        while (true) {
            rows.back().push_back(row_until(End::cell));
            if (done()) throw TexRefusal{place, "this \\begin has no \\end"};
            if (peek() == U'&') {
                ++at_;
                continue;
            }
            const bool next_row = command_here() == "\\";
            skip_command();
            if (!next_row) break;
            rows.emplace_back();
        }
        const std::size_t ended = at_;
        if (raw("end") != kind) throw TexRefusal{ended, fmt::format("\\end must be \\end{{{}}}", to_utf8(kind))};
        if (rows.back().size() == 1 && rows.back()[0].parts.empty() && rows.size() > 1) rows.pop_back(); // after a last "\\"
        FormulaNode cells;
        cells.kind = Kind::matrix;
        for (const auto& row : rows) cells.columns = std::max(cells.columns, static_cast<int>(row.size()));
        for (auto& row : rows) {
            row.resize(static_cast<std::size_t>(cells.columns));
            for (FormulaNode& cell : row) cells.parts.push_back(std::move(cell));
        }
        if (kind == U"matrix") return cells;
        FormulaNode node = with(Kind::fenced, std::move(cells));
        node.atom = Atom::inner;
        node.text = kind == U"pmatrix" ? U"()" : kind == U"bmatrix" ? U"[]" : U"||";
        return node;
    }

    int depth_ = 0;
    std::optional<Letter> letter_;
};

} // namespace

Formula parse_formula(std::string_view tex) {
    Formula formula;
    try {
        formula.root = Parser(tex).whole();
    } catch (const TexRefusal& refusal) {
        formula.error = fmt::format("at character {}: {}", refusal.at + 1, refusal.why);
    }
    return formula;
}

} // namespace gradus
