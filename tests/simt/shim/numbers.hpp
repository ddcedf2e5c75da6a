#pragma once

// The shim's arithmetic, from numbers.cpp, which is compiled as kernels are. 16-bit numbers go by their bits.

namespace gradus::shim_test {

float half_to_float(unsigned short);
unsigned short float_to_half(float, int rounding); ///< 0 nearest, 1 zero, 2 up, 3 down
unsigned short double_to_half(double);
float bfloat_to_float(unsigned short);
unsigned short float_to_bfloat(float);
unsigned short double_to_bfloat(double);

/// 0 +, 1 -, 2 ·, 3 ⁄, 4 max, 5 min, 6 √ of a
unsigned short half_operation(int which, unsigned short a, unsigned short b);
unsigned short bfloat_operation(int which, unsigned short a, unsigned short b);
unsigned short half_fma(unsigned short a, unsigned short b, unsigned short c);
unsigned short bfloat_fma(unsigned short a, unsigned short b, unsigned short c);
/// 0 ==, 1 !=, 2 <, 3 <=, 4 >, 5 >=, 6 __heq, 7 __hne, 8 __hltu
bool half_comparison(int which, unsigned short a, unsigned short b);
/// The same operation on pairs and on each, twice over: whether they agree.
bool pairs_agree(unsigned short a, unsigned short b, unsigned short c);

int float_to_int(float, int rounding);
unsigned float_to_unsigned(float, int rounding);
long long double_to_long(double, int rounding);
float int_to_float(int, int rounding);
float long_to_float(long long, int rounding);
float double_to_float(double, int rounding);

struct Words {
    const char* name;
    long long got, wanted;
};
/// Integer functions and layouts with what CUDA's documentation says of them. Returns how many.
constexpr int most_words = 64;
int integer_words(Words (&to)[most_words]);

} // namespace gradus::shim_test
