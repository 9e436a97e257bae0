#pragma once

namespace regard {

enum class DeviceKind { cpu, cuda };

/// Where a tensor's elements live.
struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace regard
