#include "views/text/formula.hpp"

namespace gradus {

std::string to_utf8(std::u32string_view text) {
    std::string out;
    for (const char32_t c : text) {
        if (c < 0x80) {
            out += static_cast<char>(c);
        } else if (c < 0x800) {
            out += static_cast<char>(0xc0 | c >> 6);
            out += static_cast<char>(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            out += static_cast<char>(0xe0 | c >> 12);
            out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
            out += static_cast<char>(0x80 | (c & 0x3f));
        } else {
            out += static_cast<char>(0xf0 | c >> 18);
            out += static_cast<char>(0x80 | (c >> 12 & 0x3f));
            out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
            out += static_cast<char>(0x80 | (c & 0x3f));
        }
    }
    return out;
}

std::string outline(const FormulaNode& node) {
    using Kind = FormulaNode::Kind;
    const auto parts = [&](const std::string& name) {
        std::string out = "(" + name;
        for (const FormulaNode& part : node.parts) out += " " + outline(part);
        return out + ")";
    };
    switch (node.kind) {
    case Kind::row: {
        if (node.parts.empty()) return "-";
        if (node.parts.size() == 1) return outline(node.parts[0]);
        std::string out = "[";
        for (const FormulaNode& part : node.parts) out += (out.size() > 1 ? " " : "") + outline(part);
        return out + "]";
    }
    case Kind::symbol: {
        const std::string text = to_utf8(node.text);
        if (node.letter == FormulaNode::Letter::bold) return "*" + text;
        if (node.letter == FormulaNode::Letter::bold_italic) return "*/" + text;
        return node.letter == FormulaNode::Letter::italic ? "/" + text : text;
    }
    case Kind::large:
    case Kind::function: return to_utf8(node.text);
    case Kind::words: return "\"" + to_utf8(node.text) + "\"";
    case Kind::fraction: return parts("frac");
    case Kind::root: return parts("root");
    case Kind::accent: return parts("accent " + to_utf8(node.text));
    case Kind::scripts: return parts("scripts");
    case Kind::matrix: return parts("matrix " + std::to_string(node.columns));
    case Kind::fenced: return parts("fenced " + to_utf8(node.text));
    case Kind::space: return "_";
    case Kind::live: return "{" + to_utf8(node.text) + "}";
    case Kind::meaning: {
        const char* name = node.role == Role::data        ? "data"
                           : node.role == Role::gradient  ? "grad"
                           : node.role == Role::parameter ? "param"
                                                          : "state";
        return parts(name);
    }
    }
    return {};
}

} // namespace gradus
