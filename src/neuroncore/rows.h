// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/execute.h"

namespace accelopt::neuroncore {

/// Coordinates are those of `shape` only where a mask keeps axes from being merged.
template <typename F>
void Executor::rows(const Instruction &i, const std::vector<int64_t> &shape, std::span<const View *const> views, F f)
{
    constexpr int64_t chunk = 4096; // elements: three rows of it stay in the first-level cache
    constexpr size_t most = 6;
    std::array<Row, 5> row{};
    std::array<int64_t, 5> base{};
    std::array<float *, 5> memory{};
    const size_t count = views.size();
    bool checked = false;
    for (size_t v = 0; v < count; ++v) {
        base[v] = views[v]->tensor < 0 ? views[v]->c : offset(*views[v]);
        memory[v] = views[v]->tensor < 0 ? views[v]->dense : m_context.base[size_t(views[v]->tensor)];
        checked = checked || !views[v]->inBounds;
    }
    std::array<int64_t, most> extent{}, at{};
    std::array<std::array<int64_t, most>, 5> stride{};
    size_t rank = 0;
    const bool simple = i.mask.empty() && !checked;
    for (size_t d = 0; d < shape.size(); ++d) {
        if (simple && shape[d] == 1 && d + 1 < shape.size())
            continue;
        bool merge = simple && rank > 0;
        for (size_t v = 0; v < count && merge; ++v)
            merge = stride[v][rank - 1] == views[v]->strides[d] * shape[d];
        if (merge) {
            extent[rank - 1] *= shape[d];
            for (size_t v = 0; v < count; ++v)
                stride[v][rank - 1] = views[v]->strides[d];
            continue;
        }
        if (simple && rank > 0 && shape[d] == 1)
            continue;
        extent[rank] = shape[d];
        for (size_t v = 0; v < count; ++v)
            stride[v][rank] = views[v]->strides[d];
        ++rank;
    }
    const size_t last = rank - 1;
    std::array<int64_t, most> first{}, end{};
    for (;;) {
        if (m_context.fault)
            return;
        int64_t lo = 0, hi = extent[last];
        at[last] = 0;
        for (const Affine &m : i.mask) {
            // k * x + rest >= 0 for the last axis' coordinate x
            const int64_t k = m.axisCoefficient(int(last)), rest = value(m, at);
            if (k == 0) {
                if (rest < 0)
                    hi = lo;
            } else if (k > 0) {
                lo = std::max(lo, rest >= 0 ? int64_t(0) : (-rest + k - 1) / k);
            } else {
                hi = std::min(hi, rest < 0 ? int64_t(0) : rest / -k + 1);
            }
        }
        if (lo < hi) {
            if (checked) {
                first = end = at;
                first[last] = lo;
                end[last] = hi - 1;
                for (size_t v = 0; v < count; ++v)
                    if (!views[v]->inBounds && !checkBounds(i, *views[v], first, end))
                        return;
            }
            for (int64_t from = lo; from < hi; from += chunk) {
                const int64_t n = std::min(chunk, hi - from);
                for (size_t v = 0; v < count; ++v) {
                    int64_t o = base[v] + stride[v][last] * from;
                    for (size_t d = 0; d < last; ++d)
                        o += stride[v][d] * at[d];
                    row[v] = Row{memory[v] + o, stride[v][last]};
                }
                at[last] = from;
                f(std::span(row.data(), count), n, std::span<const int64_t>(at));
            }
        }
        size_t d = last;
        for (;;) {
            if (d == 0)
                return;
            --d;
            if (++at[d] < extent[d])
                break;
            at[d] = 0;
        }
    }
}

} // namespace accelopt::neuroncore
