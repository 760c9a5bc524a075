// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/ir.h"

#include <QFile>
#include <memory>
#include <vector>

namespace accelopt::neuroncore {

/// The values of a .npy file as float32: mapped where the file already holds them, converted otherwise. Integers beyond
/// 2^24 that float32 cannot hold are refused, never rounded silently.
class NpyInput {
public:
    [[nodiscard]] static Checked<NpyInput> open(const QString &path, const Tensor &tensor);
    /// Private pages: a kernel that writes to a mutable parameter does not change the file.
    [[nodiscard]] float *data() { return m_values.empty() ? m_mapped : m_values.data(); }
    [[nodiscard]] int64_t size() const { return m_count; }

private:
    std::unique_ptr<QFile> m_file;
    float *m_mapped = nullptr;
    std::vector<float> m_values;
    int64_t m_count = 0;
};

/// A .npy file being written: float32 results are computed in the mapped file itself, others converted at finish().
/// bfloat16, tfloat32 and the 8-bit floats, which NumPy has no type for, are written as float32.
class NpyOutput {
public:
    [[nodiscard]] static Checked<NpyOutput> create(const QString &path, const Tensor &tensor);
    [[nodiscard]] float *data() { return m_values.empty() ? m_mapped : m_values.data(); }
    [[nodiscard]] int64_t size() const { return m_count; }
    [[nodiscard]] Checked<void> finish();

private:
    std::unique_ptr<QFile> m_file;
    uchar *m_map = nullptr;
    qint64 m_header = 0;
    float *m_mapped = nullptr;
    std::vector<float> m_values;
    int64_t m_count = 0;
    DType m_dtype = DType::Float32;
};

} // namespace accelopt::neuroncore
