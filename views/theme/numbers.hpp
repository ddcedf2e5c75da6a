#pragma once

#include <QString>
#include <string_view>

namespace gradus {

/// A number as it is printed: the minus sign is as wide as a digit, which a hyphen is not. "-1e-5" -> "−1e−5".
QString with_minus(QString text);

/// What a number that is printed so says.
double number_of(QString text);

/// A number with three significant digits in the C locale: "0.448", "12.3", "1.23e−5"; from 1000 to a million all
/// its whole digits. Not finite: "NaN", "inf", "−inf".
QString three_digits(double value);

/// A power of ten beside an axis, written as the numbers are: -12 -> "1e−12", -2 -> "0.01", 3 -> "1000".
QString decade_label(int exponent);

/// A count on average: "5", "5.5".
QString count_text(double each);

/// "2 560", in groups of three with thin spaces.
QString grouped(qint64 number);

/// With an SI prefix and a unit: 327680, "FLOP" -> "328 kFLOP"; 1.23e-5, "s" -> "12.3 µs".
QString with_prefix(double value, const QString& unit);
/// With no digit that a clock or a scale of such steps cannot tell: "40 ns" where it counts in 10 ns.
QString with_prefix(double value, const QString& unit, double step);

/// A tensor's name as a person writes it: "dW1" -> "∂W₁" for a gradient, "z12" -> "z₁₂".
QString written_name(std::string_view name, bool gradient = false);

} // namespace gradus
