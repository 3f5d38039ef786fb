// SPDX-License-Identifier: Apache-2.0
// Physical quantities as thin wrappers on double, in SI base units, with only the operators that
// make sense. Scaling to ms, GB/s or TFLOP/s happens once, when text is made (report/units.hpp).
#pragma once

#include <compare>

namespace uplift {

template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return a * k; }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value_ / k); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }

 private:
  double value_ = 0.0;
};

using Seconds = Quantity<struct SecondsTag>;
using Bytes = Quantity<struct BytesTag>;
using Flops = Quantity<struct FlopsTag>;  ///< a count; one fused multiply-add is two
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;
using FlopsPerByte = Quantity<struct FlopsPerByteTag>;
using Hertz = Quantity<struct HertzTag>;
using Watts = Quantity<struct WattsTag>;
using Joules = Quantity<struct JoulesTag>;

constexpr Seconds operator/(Bytes b, BytesPerSecond r) { return Seconds(b.value() / r.value()); }
constexpr Seconds operator/(Flops f, FlopsPerSecond r) { return Seconds(f.value() / r.value()); }
constexpr BytesPerSecond operator/(Bytes b, Seconds s) {
  return BytesPerSecond(b.value() / s.value());
}
constexpr FlopsPerSecond operator/(Flops f, Seconds s) {
  return FlopsPerSecond(f.value() / s.value());
}
constexpr FlopsPerByte operator/(Flops f, Bytes b) { return FlopsPerByte(f.value() / b.value()); }
/// The ridge point of a roofline: the intensity at which compute and memory take equally long.
constexpr FlopsPerByte operator/(FlopsPerSecond f, BytesPerSecond b) {
  return FlopsPerByte(f.value() / b.value());
}
constexpr Joules operator*(Watts w, Seconds s) { return Joules(w.value() * s.value()); }

/// Trace clocks are kept exact in integer nanoseconds; this is the only way out of them.
constexpr Seconds from_nanoseconds(long long ns) { return Seconds(static_cast<double>(ns) * 1e-9); }

}  // namespace uplift
