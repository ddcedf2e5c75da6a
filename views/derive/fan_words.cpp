#include "views/derive/fan_words.hpp"

namespace gradus {

QString future_name(const Fan& fan, std::size_t future) {
    const QString setting = fan.setting == "lr" ? QStringLiteral("η") : QString::fromStdString(fan.setting);
    return setting + ' ' + QString::number(fan.futures[future].value, 'g', 3);
}

} // namespace gradus
