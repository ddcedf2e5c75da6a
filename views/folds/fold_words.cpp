#include "views/folds/fold_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace gradus::fold_words {

QString tr(const char* text) { return QCoreApplication::translate("Folds", text); }

QString step_word(const ChainStep& step) {
    const QString operand = written_name(step.operand);
    switch (step.kind) {
    case ChainStep::Kind::matrix: return operand;
    case ChainStep::Kind::bias: return QStringLiteral("+ ") + operand;
    case ChainStep::Kind::scale: return QStringLiteral("× ") + operand;
    case ChainStep::Kind::shuffle: return QStringLiteral("· ") + operand;
    case ChainStep::Kind::nonlinear:
    case ChainStep::Kind::other: break;
    }
    return QString::fromStdString(step.op);
}

QString step_name(const std::vector<ChainStep>& chain, std::size_t step) {
    if (chain[step].kind == ChainStep::Kind::matrix) return step_word(chain[step]);
    for (std::size_t i = step; i-- > 0;)
        if (chain[i].kind == ChainStep::Kind::matrix) return tr("%1 after %2").arg(step_word(chain[step]), step_word(chain[i]));
    return step_word(chain[step]);
}

QString group_name(const std::vector<ChainStep>& chain, const FoldGroup& group) {
    QString first, last;
    for (std::size_t i = group.first; i <= group.last; ++i) {
        if (chain[i].kind != ChainStep::Kind::matrix) continue;
        if (first.isEmpty()) first = step_word(chain[i]);
        last = step_word(chain[i]);
    }
    return group.matrices < 2 ? first : group.matrices == 2 ? first + QStringLiteral(" · ") + last : first + QStringLiteral("…") + last;
}

QString group_result(const FoldGroup& group, bool full) {
    const QString shape = QStringLiteral("%1×%2").arg(group.rows).arg(group.columns);
    if (!full) return shape;
    return (group.bias ? tr("one %1 matrix and a bias") : tr("one %1 matrix")).arg(shape);
}

QString difference(const FoldedMatrix& matrix, bool full) {
    if (matrix.largest_difference == 0) return tr("the same numbers as the layers");
    const QString number = three_digits(matrix.largest_difference);
    return full ? tr("within %1 of the layers").arg(number) : QStringLiteral("± ") + number;
}

QString count(const LegalFolds& folds) {
    return tr("%1 of %2 matrices left").arg(folds.matrices_left()).arg(folds.matrices());
}

QString sentence(const std::vector<ChainStep>& chain, const LegalFolds& folds) {
    const auto stops = static_cast<std::size_t>(
        std::count_if(folds.barriers.begin(), folds.barriers.end(), [](const FoldBarrier& barrier) { return barrier.changed > 0; }));
    if (folds.barriers.empty()) return tr("Every step is linear, so all of them fold into one.");
    if (folds.barriers.size() > 1) {
        if (stops == 0) return tr("Of %1 steps that are not linear none changes a number: on these inputs they stop no fold.").arg(folds.barriers.size());
        return tr("Of %1 steps that are not linear %2 change numbers: nothing folds across those.").arg(folds.barriers.size()).arg(stops);
    }
    const FoldBarrier& only = folds.barriers.front();
    const QString name = step_name(chain, only.step);
    if (stops == 0) return tr("%1 changes none of %2 numbers: on these inputs it stops no fold.").arg(name, grouped(only.elements));
    return tr("%1 changes %2 of %3 numbers: nothing folds across it.").arg(name, grouped(only.changed), grouped(only.elements));
}

std::vector<ValueCardLine> step_card(const FoldPicture& picture, std::size_t step) {
    const ChainStep& one = (*picture.chain)[step];
    std::vector<ValueCardLine> lines{{step_name(*picture.chain, step)}};
    if (one.shape.rank() > 0) lines.push_back({QString::fromStdString(one.shape.text_with_names()), true});
    if (const FoldBarrier* barrier = picture.barrier(step))
        lines.push_back(value_line(tr("changes %1 of %2 numbers").arg(grouped(barrier->changed), grouped(barrier->elements)), Provenance::counted));
    return lines;
}

std::vector<ValueCardLine> folded_card(const FoldPicture& picture, std::size_t group) {
    const FoldGroup& one = picture.folds()->groups[group];
    std::vector<ValueCardLine> lines{{group_name(*picture.chain, one)}, {group_result(one, true)}};
    if (const FoldedMatrix* matrix = picture.matrix(group); matrix && one.matrices > 1) lines.push_back(value_line(difference(*matrix, true)));
    return lines;
}

} // namespace gradus::fold_words
