#pragma once

namespace gradus::test {

/// The functions of engine/core/portable_math.hpp and portable_special.hpp as one kind of processor computes them.
struct MathTable {
    const char* name;
    float (*exp_f)(float);
    double (*exp_d)(double);
    float (*expm1_negative_f)(float);
    double (*expm1_negative_d)(double);
    float (*log_f)(float);
    double (*log_d)(double);
    float (*log1p_unit_f)(float);
    double (*log1p_unit_d)(double);
    float (*tanh_f)(float);
    double (*tanh_d)(double);
    float (*sigmoid_f)(float);
    double (*sigmoid_d)(double);
    double (*normal_cdf_d)(double, double&);
    float (*normal_cdf_f)(float, float&);
    float (*gelu_f)(float);
    float (*exp_of_negative_f)(float);
    double (*power_d)(double, double);
    void (*sin_cos_d)(double, double&, double&);
};
MathTable baseline_math();
MathTable fused_math(); ///< with fused multiply-adds, as the vector paths; only where the processor has them

} // namespace gradus::test

/// Defined by math_baseline.cpp and math_fused.cpp for the namespace that each has opened.
#define GRADUS_MATH_TABLE(space, title)                                                                                \
    {                                                                                                                  \
        title, [](float x) { return space::exp(x); }, [](double x) { return space::exp(x); },                          \
            [](float x) { return space::expm1_negative(x); }, [](double x) { return space::expm1_negative(x); },       \
            [](float x) { return space::log(x); }, [](double x) { return space::log(x); },                             \
            [](float x) { return space::log1p_unit(x); }, [](double x) { return space::log1p_unit(x); },               \
            [](float x) { return space::tanh(x); }, [](double x) { return space::tanh(x); },                           \
            [](float x) { return space::sigmoid(x); }, [](double x) { return space::sigmoid(x); },                     \
            [](double x, double& density) { return space::normal_cdf(x, density); },                                   \
            [](float x, float& density) { return space::normal_cdf(x, density); },                                     \
            [](float x) { return space::gelu_of(x); }, [](float x) { return space::exp_of_negative(x); },              \
            [](double x, double p) { return space::power(x, p); },                                                     \
            [](double x, double& s, double& c) { space::sin_cos(x, s, c); }                                            \
    }
