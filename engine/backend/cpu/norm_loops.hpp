#pragma once

#include <cstdint>

namespace gradus::cpu {

/// One row that is normalised: y_i = (x_i - mean) · rstd · w_i + b_i.
template <class T> struct NormRow {
    const T* x = nullptr;
    const T* w = nullptr;
    const T* b = nullptr; ///< or null for none
    T* y = nullptr;
    std::int64_t count = 0;
    double eps = 0;
    bool centers = true;   ///< else the mean is taken for 0
    bool streamed = false; ///< y is too large to stay in a cache
    double mean = 0, rstd = 0; ///< written
};

/// Loops over one stretch of `count` entries of normalisations, in double precision whatever T is, but for long fp32 rows. Every sum
/// goes into the same lanes, which are added in the same order, on every path; so all paths give the same bits.
template <class T> struct NormLoops {
    double (*sum)(const T* x, std::int64_t count);
    /// Σ (x_i - center)².
    double (*squares)(const T* x, std::int64_t count, double center);
    /// s_i = x_i + r_i, and Σ s_i.
    double (*add_and_sum)(const T* x, const T* r, T* s, std::int64_t count);
    /// The statistics of a row and what comes of it. fp32 rows of 128 and more are summed in 64 lanes of fp32, at most 16 terms a
    /// lane before these are added in double precision, around a center near the mean.
    void (*row)(NormRow<T>&);
    /// y_i = (x_i - mean) · rstd · w_i + b_i; b may be null.
    void (*normalize)(const T* x, const T* w, const T* b, T* y, std::int64_t count, double mean, double rstd);
    /// y_i = (x_i - mean) · scale + shift.
    void (*scale_and_shift)(const T* x, T* y, std::int64_t count, double mean, double scale, double shift);

    /// With d_i = x_i - mean and g_i = ∂y_i · w_i (w null: ∂y_i): {Σ g_i, Σ g_i · d_i, Σ d_i} into sums[0], [1] and [2].
    void (*moments)(const T* dy, const T* x, const T* w, std::int64_t count, double mean, double* sums);
    /// ∂x_i = (∂y_i · w_i - a - x̂_i · b) · rstd + more_i, where more may be null; dw_i += ∂y_i · x̂_i and db_i += ∂y_i.
    void (*row_gradient)(const T* dy, const T* x, const T* w, const T* more, T* dx, std::int64_t count, double mean, double rstd,
                         double a, double b, double* dw, double* db);
    /// ∂x_i = ∂y_i · scale - a - x̂_i · b.
    void (*gradient)(const T* dy, const T* x, T* dx, std::int64_t count, double mean, double rstd, double scale, double a,
                     double b);
};

} // namespace gradus::cpu
