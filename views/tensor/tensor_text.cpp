#include "views/tensor/tensor_text.hpp"

#include "views/theme/numbers.hpp"

#include <charconv>
#include <cmath>

namespace gradus {

namespace {

/// Over examples one counts with n, over anything else with k.
QChar letter_of(const ElementSum& sum) {
    return sum.axis == "B" || sum.axis == "N" || (sum.axis.empty() && sum.right.empty()) ? QChar('n') : QChar('k');
}

template <class T> QString shortest(T value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return QString::fromLatin1(text, static_cast<qsizetype>(end - text));
}

} // namespace

QString index_text(std::span<const Dim> index, QChar letter) {
    QString text;
    for (const Dim at : index) text += (text.isEmpty() ? QString() : QString(", ")) + (at < 0 ? QString(letter) : QString::number(at));
    return '[' + text + ']';
}

QString all_digits(double value, DType dtype) {
    if (!std::isfinite(value)) return three_digits(value);
    if (dtype == DType::f32 || is_half(dtype)) return with_minus(shortest(static_cast<float>(value)));
    if (dtype == DType::f64) return with_minus(shortest(value));
    return with_minus(QString::number(static_cast<qint64>(value)));
}

QString name_of_tensor(const std::string& name) {
    const bool gradient = name.size() > 1 && name[0] == 'd' && name != "data";
    return written_name(name, gradient);
}

QString sum_text(const ElementSum& sum) {
    const QChar letter = letter_of(sum);
    QString text = QChar(0x03A3) + QString(letter == 'n' ? QChar(0x2099) : QChar(0x2096)) + ' ' +
                   name_of_tensor(sum.left) + index_text(sum.left_index, letter);
    if (!sum.right.empty())
        text += QString(" ") + QChar(0x00B7) + ' ' + name_of_tensor(sum.right) + index_text(sum.right_index, letter);
    return text;
}

QString term_text(const ElementSum& sum, const ElementTerm& term) {
    const QString at = QString("%1 = %2:  ").arg(letter_of(sum)).arg(term.at);
    if (sum.right.empty()) return at + three_digits(term.left);
    return at + QString("%1 %2 %3 = %4").arg(three_digits(term.left), QString(QChar(0x00B7)), three_digits(term.right), three_digits(term.product()));
}

QString product_text(const ElementSum& sum, const ElementTerm& term) {
    const auto written = [](double number) {
        const QString digits = three_digits(number);
        return digits.startsWith(QChar(0x2212)) || digits.startsWith('-') ? '(' + digits + ')' : digits;
    };
    return sum.right.empty() ? written(term.left) : written(term.left) + QStringLiteral(" · ") + written(term.right);
}

} // namespace gradus
