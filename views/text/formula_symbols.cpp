#include "views/text/formula_symbols.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gradus {

namespace {

using Atom = FormulaNode::Atom;
using Letter = FormulaNode::Letter;

struct Named {
    std::string_view name;
    char32_t character;
    Atom atom = Atom::ordinary;
    Letter letter = Letter::upright;
};

constexpr auto ord = Atom::ordinary;
constexpr auto bin = Atom::binary;
constexpr auto rel = Atom::relation;
constexpr auto it = Letter::italic;

// As in TeX, small Greek letters lean and capital ones stand.
constexpr Named symbols[] = {
    {"alpha", U'α', ord, it}, {"beta", U'β', ord, it}, {"gamma", U'γ', ord, it}, {"delta", U'δ', ord, it},
    {"epsilon", U'ϵ', ord, it}, {"varepsilon", U'ε', ord, it}, {"zeta", U'ζ', ord, it}, {"eta", U'η', ord, it},
    {"theta", U'θ', ord, it}, {"vartheta", U'ϑ', ord, it}, {"iota", U'ι', ord, it}, {"kappa", U'κ', ord, it},
    {"lambda", U'λ', ord, it}, {"mu", U'μ', ord, it}, {"nu", U'ν', ord, it}, {"xi", U'ξ', ord, it},
    {"omicron", U'ο', ord, it}, {"pi", U'π', ord, it}, {"rho", U'ρ', ord, it}, {"sigma", U'σ', ord, it},
    {"varsigma", U'ς', ord, it}, {"tau", U'τ', ord, it}, {"upsilon", U'υ', ord, it}, {"phi", U'ϕ', ord, it},
    {"varphi", U'φ', ord, it}, {"chi", U'χ', ord, it}, {"psi", U'ψ', ord, it}, {"omega", U'ω', ord, it},
    {"Gamma", U'Γ'}, {"Delta", U'Δ'}, {"Theta", U'Θ'}, {"Lambda", U'Λ'}, {"Xi", U'Ξ'}, {"Pi", U'Π'},
    {"Sigma", U'Σ'}, {"Upsilon", U'Υ'}, {"Phi", U'Φ'}, {"Psi", U'Ψ'}, {"Omega", U'Ω'},
    {"partial", U'∂', ord, it}, {"nabla", U'∇'}, {"infty", U'∞'}, {"top", U'⊤'}, {"bot", U'⊥'}, {"ell", U'ℓ'},
    {"prime", U'′'}, {"emptyset", U'∅'}, {"forall", U'∀'}, {"exists", U'∃'}, {"neg", U'¬'}, {"dots", U'…', Atom::inner},
    {"ldots", U'…', Atom::inner}, {"cdots", U'⋯', Atom::inner}, {"vdots", U'⋮'}, {"ddots", U'⋱'}, {"|", U'‖'},
    {"%", U'%'}, {"$", U'$'}, {"#", U'#'}, {"&", U'&'}, {"_", U'_'}, {"{", U'{', Atom::opening},
    {"}", U'}', Atom::closing}, {"lbrace", U'{', Atom::opening}, {"rbrace", U'}', Atom::closing},
    {"langle", U'⟨', Atom::opening}, {"rangle", U'⟩', Atom::closing}, {"lfloor", U'⌊', Atom::opening},
    {"rfloor", U'⌋', Atom::closing}, {"lceil", U'⌈', Atom::opening}, {"rceil", U'⌉', Atom::closing},
    {"lvert", U'|', Atom::opening}, {"rvert", U'|', Atom::closing}, {"lVert", U'‖', Atom::opening},
    {"rVert", U'‖', Atom::closing}, {"cdot", U'·', bin}, {"times", U'×', bin}, {"div", U'÷', bin}, {"pm", U'±', bin},
    {"mp", U'∓', bin}, {"odot", U'⊙', bin}, {"oplus", U'⊕', bin}, {"otimes", U'⊗', bin}, {"ast", U'∗', bin},
    {"circ", U'∘', bin}, {"bullet", U'∙', bin}, {"cup", U'∪', bin}, {"cap", U'∩', bin}, {"setminus", U'∖', bin},
    {"wedge", U'∧', bin}, {"vee", U'∨', bin}, {"leftarrow", U'←', rel}, {"gets", U'←', rel}, {"to", U'→', rel},
    {"rightarrow", U'→', rel}, {"Rightarrow", U'⇒', rel}, {"Leftarrow", U'⇐', rel}, {"leftrightarrow", U'↔', rel},
    {"Leftrightarrow", U'⇔', rel}, {"iff", U'⇔', rel}, {"mapsto", U'↦', rel}, {"uparrow", U'↑', rel},
    {"downarrow", U'↓', rel}, {"le", U'≤', rel}, {"leq", U'≤', rel}, {"ge", U'≥', rel}, {"geq", U'≥', rel},
    {"ne", U'≠', rel}, {"neq", U'≠', rel}, {"lt", U'<', rel}, {"gt", U'>', rel}, {"ll", U'≪', rel}, {"gg", U'≫', rel},
    {"approx", U'≈', rel}, {"sim", U'∼', rel}, {"simeq", U'≃', rel}, {"equiv", U'≡', rel}, {"propto", U'∝', rel},
    {"in", U'∈', rel}, {"notin", U'∉', rel}, {"subset", U'⊂', rel}, {"subseteq", U'⊆', rel}, {"mid", U'∣', rel},
    {"parallel", U'∥', rel}, {"perp", U'⊥', rel}, {"colon", U':', Atom::punctuation}};

constexpr std::pair<std::string_view, bool> functions[] = {
    {"exp", false}, {"ln", false}, {"log", false}, {"sin", false}, {"cos", false}, {"tan", false}, {"sinh", false},
    {"cosh", false}, {"tanh", false}, {"arg", false}, {"dim", false}, {"max", true}, {"min", true}, {"sup", true},
    {"inf", true}, {"lim", true}, {"det", true}};

constexpr std::pair<std::string_view, double> spaces[] = {
    {",", 3}, {":", 4}, {">", 4}, {";", 5}, {"!", -3}, {" ", 6}, {"quad", 18}, {"qquad", 36}};

template <class List> auto found_in(const List& list, std::string_view name) {
    return std::find_if(std::begin(list), std::end(list), [&](const auto& entry) { return entry.first == name; });
}

} // namespace

std::optional<FormulaSymbol> symbol_named(std::string_view command) {
    for (const Named& symbol : symbols)
        if (symbol.name == command) return FormulaSymbol{symbol.character, symbol.atom, symbol.letter};
    return std::nullopt;
}

FormulaSymbol symbol_of(char32_t c) {
    const bool latin = (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
    if (latin) return {c, ord, it};
    switch (c) {
    case U'-': return {U'−', bin};
    case U'*': return {U'∗', bin};
    case U'+': return {c, bin};
    case U'=':
    case U'<':
    case U'>':
    case U':': return {c, rel};
    case U'(':
    case U'[': return {c, Atom::opening};
    case U')':
    case U']': return {c, Atom::closing};
    case U',':
    case U';': return {c, Atom::punctuation};
    default: break;
    }
    for (const Named& symbol : symbols) // a character typed as itself is what its command is
        if (c > 0x7f && symbol.character == c) return {c, symbol.atom, symbol.letter};
    return {c, c == U'−' ? bin : ord};
}

bool is_function(std::string_view command, bool& limits) {
    const auto found = found_in(functions, command);
    if (found == std::end(functions)) return false;
    limits = found->second;
    return true;
}

std::optional<double> space_named(std::string_view command) {
    const auto found = found_in(spaces, command);
    if (found == std::end(spaces)) return std::nullopt;
    return found->second;
}

char32_t delimiter_named(std::string_view name) {
    static constexpr std::string_view plain = "()[]|.<>/";
    if (name.size() == 1 && plain.find(name[0]) != std::string_view::npos)
        return name == "<" ? U'⟨' : name == ">" ? U'⟩' : static_cast<char32_t>(name[0]);
    static constexpr std::array<std::string_view, 17> commands{
        "{", "}", "|", "lbrace", "rbrace", "langle", "rangle", "lfloor", "rfloor", "lceil", "rceil", "lvert", "rvert",
        "lVert", "rVert", "uparrow", "downarrow"};
    if (name.size() > 1 && name[0] == '\\' &&
        std::find(commands.begin(), commands.end(), name.substr(1)) != commands.end())
        return symbol_named(name.substr(1))->character;
    return 0;
}

} // namespace gradus
