#include "views/derive/engine_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <vector>

namespace gradus {

namespace {

/// Sentences as the engine writes them, with %1, %2, … where it puts names and numbers; a more special form stands
/// before a more general one.
constexpr const char* forms[] = {
    // parameters of an experiment
    QT_TRANSLATE_NOOP("Engine", "%1: %2 must be a whole number from %3 to %4, not '%5'"),
    QT_TRANSLATE_NOOP("Engine", "%1: %2 must be a number from %3 to %4, not '%5'"),
    QT_TRANSLATE_NOOP("Engine", "%1: %2 must be one of %3, not '%4'"),
    QT_TRANSLATE_NOOP("Engine", "%1: %2 must be 2 to 64 widths from 1 to 65536 with commas between, such as 784,256,10, not '%3'"),
    QT_TRANSLATE_NOOP("Engine", "%1: %2 must be whole numbers from %3 to %4 with commas between, such as 3,5,9, not '%5'"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: layers must begin with %1, the width of %2, not %3"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: %1 has %2 classes, so layers must end with at least %3, not %4"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: loss bce needs layers that end with 1, not %1"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: loss mse on %1 needs layers that end with 1 or %2, not %3"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: layers that end with 1 tell two classes apart, but %1 has %2"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: batch must be at most %1, the size of %2, not %3"),
    QT_TRANSLATE_NOOP("Engine", "train_cnn: channels must be at most %1 widths, after which an image of 28 × 28 is one pixel, not %2"),
    QT_TRANSLATE_NOOP("Engine", "train_cnn: %1 channels do not divide into %2 groups"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: workers make batches of images, and %1 is a set of points"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: matmul_source stands in for the text of one kernel: say with matmul_rung of which"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: matmul_source is the text of a CUDA kernel, which --device simt runs, not %1"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: watch must be none or one of layer1 to layer%1, not '%2'"),
    QT_TRANSLATE_NOOP("Engine", "train_mlp: watch records the lanes of a CUDA kernel, which --device simt runs, not %1"),
    QT_TRANSLATE_NOOP("Engine", "%1: accumulate must be at most %2, the number of steps, or nothing is ever trained, not %3"),
    QT_TRANSLATE_NOOP("Engine", "train_gpt: a sequence has 1 to %1 digits, not %2"),
    QT_TRANSLATE_NOOP("Engine", "train_gpt: there are 2 to 1000 symbols, not %1"),
    QT_TRANSLATE_NOOP("Engine", "train_gpt: %1 channels cannot be shared by %2 heads"),
    QT_TRANSLATE_NOOP("Engine", "train_gpt: grouped-query attention has half as many key heads as heads, and %1 is odd"),
    QT_TRANSLATE_NOOP("Engine", "train_gpt: rotary positions (latent attention has them always) turn pairs of numbers, and half of a head's %1 must be even"),
    QT_TRANSLATE_NOOP("Engine", "train_gpt: a token cannot go to %1 of %2 experts"),
    QT_TRANSLATE_NOOP("Engine", "linear_stack: a bias stands in front of what follows chosen layers; choose them with after"),
    QT_TRANSLATE_NOOP("Engine", "linear_stack: after must be at most %1, so that a layer follows, not %2"),
    QT_TRANSLATE_NOOP("Engine", "logits: with %1 classes the label must be 0 to %2, not %3"),
    QT_TRANSLATE_NOOP("Engine", "run_kernel: %1 has no rung '%2'; it has first, last, %3"),
    QT_TRANSLATE_NOOP("Engine", "run_kernel: %1 must be 0 to %2, not %3"),
    QT_TRANSLATE_NOOP("Engine", "run_kernel: block must be usual or sizes such as 256 or 32x8, not '%1'"),
    QT_TRANSLATE_NOOP("Engine", "run_kernel: sizes must be usual or such as rows=64,columns=32, not '%1'"),
    QT_TRANSLATE_NOOP("Engine", "%1 has no size \"%2\"; it has %3"),
    QT_TRANSLATE_NOOP("Engine", "run_kernel: a kernel's run has nothing that can be edited; set its parameters instead"),
    QT_TRANSLATE_NOOP("Engine", "climb_ladder: rungs names %1 twice"),
    QT_TRANSLATE_NOOP("Engine", "climb_ladder: a ladder's run has nothing that can be edited; set its parameters instead"),
    QT_TRANSLATE_NOOP("Engine", "a seed is a whole number from 1"),
    // edits
    QT_TRANSLATE_NOOP("Engine", "'%1' is no edit; write NAME = VALUE, PARAMETER[ROW, COLUMN] = NUMBER, point N = X, Y, or "
                                "break nan, break iteration N, break gradient_norm NUMBER"),
    QT_TRANSLATE_NOOP("Engine", "'%1': there is no such breakpoint"),
    QT_TRANSLATE_NOOP("Engine", "'%1' is fixed when a run starts; lr and momentum can be edited"),
    QT_TRANSLATE_NOOP("Engine", "there is no setting '%1'; lr and momentum can be edited"),
    QT_TRANSLATE_NOOP("Engine", "'%1' cannot be edited in a run; what can be is %2"),
    QT_TRANSLATE_NOOP("Engine", "'%1' counts steps and cannot be edited"),
    QT_TRANSLATE_NOOP("Engine", "%1 must be a number, 0 or more"),
    QT_TRANSLATE_NOOP("Engine", "%1 must be a number"),
    QT_TRANSLATE_NOOP("Engine", "%1 has nothing to act on: %2 is left out"),
    QT_TRANSLATE_NOOP("Engine", "momentum has nothing to act on: the optimizer is sgd"),
    QT_TRANSLATE_NOOP("Engine", "momentum must be a number from 0 to 1"),
    QT_TRANSLATE_NOOP("Engine", "points can be moved only in data sets of points"),
    QT_TRANSLATE_NOOP("Engine", "matmul_source: %1"),
    QT_TRANSLATE_NOOP("Engine", "%1, as it was edited, %2: %3, line %4: %5"),
    QT_TRANSLATE_NOOP("Engine", "%1, as it was edited, %2"),
    QT_TRANSLATE_NOOP("Engine", "this experiment has no points to move"),
    QT_TRANSLATE_NOOP("Engine", "there is no parameter '%1'; there are %2"),
    QT_TRANSLATE_NOOP("Engine", "%1[%2] is outside its shape %3"),
    QT_TRANSLATE_NOOP("Engine", "%1[%2] does not fit its shape %3: one number per axis"),
    QT_TRANSLATE_NOOP("Engine", "an edit after the last step (%1) would change nothing"),
    // what cannot be computed again
    QT_TRANSLATE_NOOP("Engine", "iteration %1 kept no gradient of '%2'"),
    QT_TRANSLATE_NOOP("Engine", "this run has no forward pass that could be computed again"),
    QT_TRANSLATE_NOOP("Engine", "the forward pass cannot be computed again: its op '%1' in %2 is not among those that can be"),
    QT_TRANSLATE_NOOP("Engine", "the forward pass cannot be computed again: '%1' in %2 gives %3 instead of the recorded %4"),
    QT_TRANSLATE_NOOP("Engine", "'%1' of iteration %2 is not at hand, so its forward pass cannot be computed again"),
    QT_TRANSLATE_NOOP("Engine", "'%1' is not at hand, so the forward pass cannot be computed again"),
    QT_TRANSLATE_NOOP("Engine", "this run has no layer of neurons that reads its data"),
    QT_TRANSLATE_NOOP("Engine", "%1 has %2 rows, so examples %3 cannot be multiplied with it"),
    QT_TRANSLATE_NOOP("Engine", "the points of this run are not kept"),
    QT_TRANSLATE_NOOP("Engine", "what this run makes small is no function of one or two parameters that could be drawn"),
    QT_TRANSLATE_NOOP("Engine", "the data are no points in the plane: %1"),
    QT_TRANSLATE_NOOP("Engine", "a point of the plane is two numbers wide, but this net reads %1"),
    // why a run failed
    QT_TRANSLATE_NOOP("Engine", "Fashion-MNIST is not whole: there is no %1; install the package dataset-fashion-mnist again"),
    QT_TRANSLATE_NOOP("Engine", "Fashion-MNIST is not in %1: install the package dataset-fashion-mnist"),
    QT_TRANSLATE_NOOP("Engine", "GRADUS_FASHION_MNIST is '%1', which is no folder: name the folder of the four IDX files there, or unset "
                                "it to use the package dataset-fashion-mnist"),
    QT_TRANSLATE_NOOP("Engine", "%1: the gzip data is damaged or cut off"),
    QT_TRANSLATE_NOOP("Engine", "there is not enough memory for this net"),
    // what is found in a kernel that somebody has written
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) writes %5, which thread (%6) of block (%7) reads at %8, line %9, and nothing orders the two"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) reads %5, which thread (%6) of block (%7) writes at %8, line %9, and nothing orders the two"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) writes %5, which thread (%6) of block (%7) writes at %8, line %9, and nothing orders the two"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) reads %5, which no thread of the block has written"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) reads %5 bytes at byte %6 of %7, which has %8"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) reads 1 byte at byte %5 of %6, which has %7"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) writes %5 bytes at byte %6 of %7, which has %8"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) writes 1 byte at byte %5 of %6, which has %7"),
    QT_TRANSLATE_NOOP("Engine", "%1, line %2: thread (%3) of block (%4) is still at work after %5"),
    QT_TRANSLATE_NOOP("Engine", "%1: the kernel was still at work after %2 s"),
    QT_TRANSLATE_NOOP("Engine", "%1: the kernel tried to %2"),
    QT_TRANSLATE_NOOP("Engine", "device '%1' cannot be used: %2"),
};

/// Names of axes that are words; letters (B, N, k, x, y) are the field's in every language.
constexpr const char* axes[] = {
    QT_TRANSLATE_NOOP("Engine", "pixel"), QT_TRANSLATE_NOOP("Engine", "class"), QT_TRANSLATE_NOOP("Engine", "in"),
    QT_TRANSLATE_NOOP("Engine", "out"),   QT_TRANSLATE_NOOP("Engine", "point"), QT_TRANSLATE_NOOP("Engine", "power"),
};

struct Form {
    const char* source;
    QRegularExpression pattern;
};

/// "%1 must be a number" -> ^(.+?) must be a number$. The places are numbered in the order in which they stand.
std::vector<Form> readForms() {
    static const QRegularExpression place(QStringLiteral("%[1-9]"));
    std::vector<Form> out;
    for (const char* source : forms) {
        QStringList parts;
        for (const QString& part : QString::fromUtf8(source).split(place)) parts += QRegularExpression::escape(part);
        out.push_back({source, QRegularExpression('^' + parts.join(QStringLiteral("(.+?)")) + '$',
                                                  QRegularExpression::DotMatchesEverythingOption)});
    }
    return out;
}

} // namespace

QString engine_words(const std::string& sentence) {
    static const std::vector<Form> known = readForms();
    const QString said = QString::fromStdString(sentence);
    for (const Form& form : known) {
        const auto match = form.pattern.match(said);
        if (!match.hasMatch()) continue;
        QString out = QCoreApplication::translate("Engine", form.source);
        for (int i = match.lastCapturedIndex(); i > 0; --i) out.replace('%' + QString::number(i), match.captured(i));
        return out;
    }
    return said;
}

QString axis_word(std::string_view name) {
    for (const char* axis : axes)
        if (name == axis) return QCoreApplication::translate("Engine", axis);
    return written_name(name); // "x1" is x₁
}

QString shape_words(const Shape& shape) {
    return shape.rank() == 0 ? QCoreApplication::translate("Engine", "scalar") : QString::fromStdString(shape.text());
}

QString named_shape_words(const Shape& shape) {
    QStringList axes;
    for (int axis = 0; axis < shape.rank(); ++axis)
        axes << (axis_word(shape.name(axis).view()) + ' ' + QString::number(shape[axis])).trimmed();
    return '(' + axes.join(QStringLiteral(", ")) + ')';
}

} // namespace gradus
