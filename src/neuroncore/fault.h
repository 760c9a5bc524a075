// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <expected>

namespace accelopt::neuroncore {

/// What is wrong with a kernel, in the words of the runner protocol: kind (`rule`, `compile`, `memory`, `nonfinite`…),
/// the NKI error id where one exists, one sentence that says what to do, and the kernel's line (0: none).
struct Fault {
    QString kind;
    QString id;
    QString message;
    int line = 0;
};

template <typename T> using Checked = std::expected<T, Fault>;

[[nodiscard]] inline std::unexpected<Fault> fault(
    const QString &kind, const QString &id, const QString &message, int line = 0)
{
    return std::unexpected(Fault{kind, id, message, line});
}

} // namespace accelopt::neuroncore
