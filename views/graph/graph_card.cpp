#include "views/graph/graph_card.hpp"

#include "views/derive/engine_words.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Graph", text); }

/// A count is a whole number.
QString bytes_words(Dim bytes) { return bytes < 1000 ? QString::number(bytes) + " B" : with_prefix(static_cast<double>(bytes), "B"); }

} // namespace

std::vector<ValueCardLine> card_lines(const GraphModel& model, const GraphValues* values, const GraphItem& item) {
    const std::size_t index = item.node;
    const GraphNode& node = model.nodes[index];
    std::vector<ValueCardLine> lines;
    const QString module = module_word(node.module);
    const QString title = node.words();
    lines.push_back({module.isEmpty() || module == title ? title : title + "  " + module});
    const bool gradient = node.tensor.role == Role::gradient;
    lines.push_back({written_name(node.tensor.name, gradient) + "  " +
                         named_shape_words(node.tensor.shape) + "  " +
                         QString::fromUtf8(name_of(node.tensor.dtype).data()) + "  " +
                         bytes_words(node.tensor.shape.elements() * static_cast<Dim>(size_of(node.tensor.dtype))),
                     true});
    double flops = 0;
    QString implementation;
    for (const GraphOp& op : node.ops) {
        if (!op.formula.empty())
            lines.push_back({QString::fromStdString(op.name) + ":  " + QString::fromStdString(op.formula)});
        flops += op.flops;
        if (!op.implementation.empty()) implementation = QString::fromStdString(op.implementation);
    }
    if (item.updated) lines.push_back({QString::fromStdString(node.update->name) + ":  " + QString::fromStdString(node.update->formula)});
    if (flops > 0) lines.push_back(value_line(with_prefix(flops, "FLOP"), Provenance::counted));
    if (!values || index >= values->value.size()) return lines;
    if (values->seconds[index])
        lines.push_back(value_line(with_prefix(*values->seconds[index], "s", values->clock_step) + (implementation.isEmpty() ? "" : ", " + implementation), Provenance::measured));
    if (values->value[index]) {
        const QString name = written_name(node.tensor.name, gradient);
        const QString what = node.tensor.shape.elements() == 1 ? name : "‖" + name + "‖₂";
        lines.push_back(value_line(what + " = " + three_digits(*values->value[index]) + ", " + tr("step %1").arg(values->iteration)));
        if (item.updated && values->updated[index])
            lines.push_back(value_line(tr("after the update") + "  " + what + " = " + three_digits(*values->updated[index])));
    }
    if (item.kept_its_bits()) lines.push_back({tr("the same bits as without the change")});
    if (item.touched()) {
        const QString before = item.compared->before ? three_digits(*item.compared->before) : QString();
        lines.push_back(value_line(item.compared->elements == 1 ? tr("without the change %1").arg(before)
                                   : before.isEmpty() ? tr("%1 of its %2 numbers changed").arg(item.compared->differing).arg(item.compared->elements)
                                                      : tr("%1 of its %2 numbers changed; without the change %3").arg(item.compared->differing).arg(item.compared->elements).arg(before)));
    }
    return lines;
}

} // namespace gradus
