#include "app/window/option_pictures.hpp"

#include "views/derive/test_image.hpp"

#include <QCoreApplication>

namespace gradus {

QImage OptionPictures::of(const std::shared_ptr<const Dataset>& data, Dim image) {
    if (!data) return {};
    if (data != data_) {
        data_ = data;
        made_.clear();
    }
    const auto known = made_.find(image);
    return known != made_.end() ? known->second : made_.emplace(image, test_image(*data, image)).first->second;
}

QString picture_problem(const Dataset& data, Dim image) {
    if (!data.images) return QCoreApplication::translate("OptionPictures", "The choices are pictures, but the examples of this data set are none.");
    const Dim count = data.test_x.shape()[0];
    return image < count ? QString() : QCoreApplication::translate("OptionPictures", "A choice shows test image %1, but this data set has only %2.").arg(image).arg(count);
}

} // namespace gradus
