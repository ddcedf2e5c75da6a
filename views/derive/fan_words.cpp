#include "views/derive/fan_words.hpp"

namespace gradus {

QString setting_symbol(const Fan& fan) { return fan.setting == "lr" ? QStringLiteral("η") : QString::fromStdString(fan.setting); }

QString future_name(const Fan& fan, std::size_t future) {
    return setting_symbol(fan) + ' ' + QString::number(fan.futures[future].value, 'g', 3);
}

} // namespace gradus
