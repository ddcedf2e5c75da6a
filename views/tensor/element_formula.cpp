#include "views/tensor/element_formula.hpp"

#include "engine/trace/derive/element_origin.hpp"
#include "views/derive/settings.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_words.hpp"

#include <array>

namespace gradus {

namespace {

using tensor_words::tr;

struct Pattern {
    const char* op;
    int output;
    const char* formula; ///< %1, %2, %3: the operands; B rows and n elements of the output
};

constexpr std::array patterns{
    Pattern{"add_bias", 0, "%1 + %2"},
    Pattern{"relu", 0, "max(0, %1)"},
    Pattern{"tanh", 0, "tanh(%1)"},
    Pattern{"sigmoid", 0, "σ(%1)"},
    Pattern{"gelu", 0, "%1 · Φ(%1)"},
    Pattern{"silu", 0, "%1 · σ(%1)"},
    Pattern{"multiply", 0, "%1 · %2"},
    Pattern{"add", 0, "%1 + %2"},
    Pattern{"tanh_backward", 0, "%2 · (1 − %1²)"},
    Pattern{"sigmoid_backward", 0, "%2 · %1 · (1 − %1)"},
    Pattern{"gelu_backward", 0, "%2 · (Φ(%1) + %1 · φ(%1))"},
    Pattern{"silu_backward", 0, "%2 · σ(%1) · (1 + %1 · (1 − σ(%1)))"},
    Pattern{"step_backward", 0, "%2 · 0"},
    Pattern{"softmax_cross_entropy_backward", 0, "(%1 − %2) / B"},
    Pattern{"binary_cross_entropy_backward", 0, "(%1 − %2) / n"},
    Pattern{"mean_squared_error_backward", 0, "2 · (%1 − %2) / n"},
    Pattern{"sgd", 0, "%1 − η · %2"},
    Pattern{"momentum", 0, "%1 − η · (μ · %3 + %2)"},
    Pattern{"momentum", 1, "μ · %3 + %2"},
};

QString pattern_of(const EventSite& site, int output) {
    if (site.name == "relu_backward") return tr("%2 where %1 > 0, else 0");
    if (site.name == "step") return tr("1 where %1 > 0, else 0");
    for (const Pattern& pattern : patterns)
        if (site.name == pattern.op && output == pattern.output) return QString::fromUtf8(pattern.formula);
    return {};
}

/// "x·W₁" is a name of two.
QString place_text(const ElementOperand& operand) {
    const QString name = name_of_tensor(operand.name), index = operand.index.empty() ? QString() : index_text(operand.index);
    return (name.contains(QChar(0x00B7)) ? '(' + name + ')' : name) + index;
}

/// Puts a number where a letter stands; one with a sign in brackets, unless a bracket or nothing is before it.
void put(QString& text, const QString& letter, const QString& number) {
    for (qsizetype at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) {
        const bool sign = number.startsWith(QChar(0x2212)), opens = at == 0 || text[at - 1] == '(' || text.mid(at - 2, 2) == QLatin1String(", ");
        const QString written = sign && !opens ? '(' + number + ')' : number;
        text.replace(at, letter.size(), written);
        at += written.size() - 1;
    }
}

} // namespace

ElementFormula formula_of(const TensorModel& model, const std::vector<Dim>& index) {
    const TensorId id = model.recorded.id;
    if (!model.origin || id.event.iteration < 0) return {};
    const QString pattern = pattern_of(*model.origin, id.output);
    const auto operands = pattern.isEmpty() ? std::vector<ElementOperand>() : operands_behind(*model.run, *model.origin, id.event.iteration, index);
    if (operands.empty()) return {};
    ElementFormula out{pattern, pattern, {}};
    bool kept = true;
    const Shape& shape = model.tensor().shape();
    if (pattern.endsWith('B')) put(out.numbers, QStringLiteral("B"), QString::number(shape[0]));
    if (pattern.endsWith('n')) put(out.numbers, QStringLiteral("n"), QString::number(shape.elements()));
    for (const auto& [letter, setting] : {std::pair{QStringLiteral("η"), "lr"}, {QStringLiteral("μ"), "momentum"}}) {
        if (const auto now = setting_at(*model.run, setting, id.event.iteration)) put(out.numbers, letter, three_digits(*now));
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const QString letter = QStringLiteral("%%1").arg(i + 1);
        out.letters.replace(letter, place_text(operands[i]));
        kept = kept && operands[i].value;
        if (operands[i].value) put(out.numbers, letter, three_digits(*operands[i].value));
    }
    if (!kept) out.numbers.clear();
    if (const auto local = operands[0].value ? local_derivative(model.origin->name, *operands[0].value) : std::nullopt; local && kept && operands.size() > 1) {
        out.local = three_digits(*local);
        // A gate says nothing but its number; of others one sees where it comes from.
        QString product = QStringLiteral("%2 · ") + (out.local.startsWith(QChar(0x2212)) ? '(' + out.local + ')' : out.local);
        put(product, QStringLiteral("%2"), three_digits(*operands[1].value));
        const bool gate = model.origin->name == "relu_backward" || product == out.numbers;
        out.numbers = gate ? product : out.numbers + QStringLiteral(" = ") + product;
    }
    return out;
}

} // namespace gradus
