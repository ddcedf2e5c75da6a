#pragma once

#include "engine/data/dataset.hpp"

#include <QImage>
#include <QString>
#include <map>
#include <memory>

namespace gradus {

/// The test images that the options of a check name, each made once: a story is compared with the one before in each frame.
class OptionPictures {
public:
    /// Null as long as the data are not there, and where they have no such image.
    QImage of(const std::shared_ptr<const Dataset>& data, Dim image);

private:
    std::shared_ptr<const Dataset> data_;
    std::map<Dim, QImage> made_;
};

/// Why data that are there have no such image, in one sentence; empty where they have it.
QString picture_problem(const Dataset& data, Dim image);

} // namespace gradus
