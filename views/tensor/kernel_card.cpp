#include "views/tensor/kernel_card.hpp"

#include "engine/trace/derive/written_element.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_words.hpp"

#include <QStringList>
#include <algorithm>
#include <bit>
#include <cmath>

namespace gradus {

namespace {

using tensor_words::tr;

constexpr std::size_t most_terms = 6;

/// "Q[0, 1, 0–15]"; of shared memory the variable alone.
QString source_text(const WrittenElement::Source& source) {
    QString out = name_of_tensor(source.name);
    if (source.first.empty()) return out;
    std::int64_t box = 1;
    QStringList axes;
    for (std::size_t axis = 0; axis < source.first.size(); ++axis) {
        box *= source.last[axis] - source.first[axis] + 1;
        axes << (source.first[axis] == source.last[axis] ? QString::number(source.first[axis]) : QStringLiteral("%1–%2").arg(source.first[axis]).arg(source.last[axis]));
    }
    out += '[' + axes.join(QStringLiteral(", ")) + ']';
    return box == source.elements ? out : out + ' ' + tr("(%1 of them)").arg(grouped(source.elements));
}

double number(std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); }

void tell_products(ElementCard& card, const WrittenElement& made) {
    std::vector<ElementTerm> terms;
    for (const KernelLog::Fma& fma : made.products) terms.push_back({static_cast<Dim>(terms.size()), number(fma.a), number(fma.b)});
    std::stable_sort(terms.begin(), terms.end(), [](const ElementTerm& a, const ElementTerm& b) { return std::abs(a.product()) > std::abs(b.product()); });
    ElementSum sum;
    sum.right = "b"; // each term has two factors
    for (const ElementTerm& term : std::span(terms).first(std::min(terms.size(), most_terms))) {
        card.products.push_back(product_text(sum, term));
        card.terms.push_back(card.products.back() + QStringLiteral(" = ") + three_digits(term.product()));
    }
    card.all_terms = card.products.size() == terms.size() && made.products.front().c << 1 == 0;
    card.remaining = QStringLiteral("… ") + tr("(%1 terms)").arg(grouped(static_cast<qint64>(terms.size())));
    card.heading = tr("largest of %1 terms").arg(grouped(static_cast<qint64>(terms.size())));
    if (!made.is_sum) card.total = three_digits(number(made.products.back().result)) + QStringLiteral(" → ") + card.value;
}

} // namespace

void tell_writer(ElementCard& card, const TensorModel& model, const std::vector<Dim>& index) {
    if (!model.kernels) return;
    const KernelTrace& trace = *model.kernels;
    const auto made = written_element(trace, model.recorded.name, index);
    if (!made) return;
    QStringList sources;
    for (const WrittenElement::Source& source : made->sources) {
        sources << source_text(source);
        card.sources.push_back(source.name);
    }
    const QString from = sources.join(QStringLiteral(", "));
    if (made->products.size() > 1) card.formula = tr("Σ of %1 products, from %2").arg(grouped(static_cast<qint64>(made->products.size())), from);
    else if (!from.isEmpty()) card.formula = tr("from %1").arg(from);
    if (!made->products.empty()) tell_products(card, *made);
    const KernelLog::Block& block = trace.log.blocks[trace.block_of(made->step)];
    card.maker = tr("%1, block %2, thread %3, %4")
                     .arg(QString::fromStdString(trace.launches[block.launch].kernel), QString::number(block.number), QString::number(trace.log.warp[made->step] * 32 + made->lane),
                          QString::fromUtf8(name_of(model.tensor().dtype()).data()));
}

} // namespace gradus
