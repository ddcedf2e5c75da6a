#include "views/derive/fan_words.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>

namespace gradus {

QString setting_symbol(const Fan& fan) { return fan.setting == "lr" ? QStringLiteral("η") : QString::fromStdString(fan.setting); }

QString future_name(const Fan& fan, std::size_t future) {
    const QString name = setting_symbol(fan) + ' ' + three_digits(fan.futures[future].value);
    return fan.is_now(future) ? QCoreApplication::translate("Fan", "now %1").arg(name) : name;
}

QString futures_name(const Fan& fan, std::size_t first, std::size_t last) {
    if (first == last) return future_name(fan, first);
    const auto digits = [&](std::size_t future) { return three_digits(fan.futures[future].value); };
    return setting_symbol(fan) + ' ' + digits(first) + QStringLiteral("–") + digits(last);
}

} // namespace gradus
