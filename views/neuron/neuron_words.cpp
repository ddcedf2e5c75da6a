#include "views/neuron/neuron_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <cmath>

namespace gradus::neuron_words {

QString tr(const char* text) { return QCoreApplication::translate("Neuron", text); }

QString number(double value) { return std::isfinite(value) ? three_digits(value) : QStringLiteral("✕ ") + three_digits(value); }

QString image_name(const NeuronPicture& picture, Dim example) {
    const QString image = tr("test image %1").arg(example);
    const Tensor& y = picture.field->wish.data->test_y;
    return y.defined() && example < y.elements() ? image + QStringLiteral(", ") + tr("class %1").arg(static_cast<qint64>(y.at(example))) : image;
}

QString neuron_name(Dim neuron) { return tr("neuron %1").arg(neuron); }

QString answer_lines(const NeuronPicture& picture, Dim example, Dim neuron) {
    const NeuronAnswers& answers = picture.answers();
    QString out = written_name(answers.layer.z) + ' ' + number(answers.z_of(example, neuron));
    if (!answers.a.empty()) out += QStringLiteral("   ") + written_name(answers.layer.a) + ' ' + number(answers.a_of(example, neuron));
    return out;
}

QString weights_heading(const NeuronPicture& picture) {
    return tr("weights %1").arg(written_name(picture.answers().layer.weight) + QStringLiteral("[:, %1]").arg(picture.neuron));
}

QString images_heading(const NeuronPicture& picture) {
    return tr("largest %1 of the first %2 test images").arg(written_name(picture.answers().layer.z)).arg(picture.answers().examples);
}

QString images_heading_in_brief(const NeuronPicture& picture) { return tr("largest %1").arg(written_name(picture.answers().layer.z)); }

QString bars_heading(const NeuronPicture& picture) {
    const NeuronGeometry& g = picture.geometry;
    const QString what = tr("%1 of all neurons on test image %2").arg(written_name(picture.answers().layer.z)).arg(picture.example);
    if (g.shown == picture.answers().neurons) return what;
    return what + QStringLiteral("; ") + tr("here %1 to %2 of %3").arg(g.first).arg(g.first + g.shown - 1).arg(picture.answers().neurons);
}

QString bars_heading_in_brief(const NeuronPicture& picture) { return tr("%1 of all neurons").arg(written_name(picture.answers().layer.z)); }

std::vector<ValueCardLine> weight_card(const NeuronPicture& picture, Dim pixel) {
    const int columns = picture.field->wish.data->image_columns;
    return {{written_name(picture.answers().layer.weight) + QStringLiteral("[%1, %2]").arg(pixel).arg(picture.neuron)},
            value_line(number(picture.weight(pixel))),
            {tr("of the pixel in row %1, column %2").arg(pixel / columns).arg(pixel % columns)}};
}

std::vector<ValueCardLine> image_card(const NeuronPicture& picture, Dim example) {
    return {{image_name(picture, example)},
            {neuron_name(picture.neuron)},
            value_line(answer_lines(picture, example, picture.neuron)),
            {tr("Click: what all neurons say of it")}};
}

std::vector<ValueCardLine> bar_card(const NeuronPicture& picture, Dim neuron) {
    return {{neuron_name(neuron)},
            {image_name(picture, picture.example)},
            value_line(answer_lines(picture, picture.example, neuron)),
            {tr("Click: its weights and its images")}};
}

} // namespace gradus::neuron_words
