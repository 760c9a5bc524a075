// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/stream.h"

#include <algorithm>

namespace accelopt::neuroncore {
namespace {

/// For each allocation (root) the last unit that reads or extends it.
std::vector<int32_t> lastReaders(const Stream &stream)
{
    std::vector<int32_t> last(stream.units.size());
    for (size_t k = 0; k < stream.units.size(); ++k) {
        const Unit &u = stream.units[k];
        last[k] = int32_t(k);
        last[size_t(u.root)] = int32_t(k);
        for (int o = 0; o < u.operandCount; ++o)
            last[size_t(stream.units[size_t(stream.operands[size_t(u.firstOperand + o)])].root)] = int32_t(k);
    }
    return last;
}

/// Peaks of SBUF and PSUM in program order.
void measure(Stream &stream, const Hardware &hardware)
{
    const size_t count = stream.units.size();
    const std::vector<int32_t> last = lastReaders(stream);
    std::vector<int32_t> lastExtension(count, -1); // of an accumulation
    for (size_t k = 0; k < count; ++k)
        if (stream.units[k].root != int32_t(k))
            lastExtension[size_t(stream.units[k].root)] = int32_t(k);
    std::vector<int64_t> sbuf(count + 1), banks(count + 1), open(count + 1);
    for (size_t k = 0; k < count; ++k) {
        const Unit &u = stream.units[k];
        if (u.root != int32_t(k) || u.bytes == 0 || u.kind == Unit::Kind::Store)
            continue;
        const size_t end = size_t(last[k]) + 1;
        if (u.buffer == Buffer::Psum) {
            const int64_t n = std::max<int64_t>(1, (u.bytes + hardware.psumBankBytes - 1) / hardware.psumBankBytes);
            banks[k] += n, banks[end] -= n;
            if (lastExtension[k] >= 0)
                open[k] += n, open[size_t(lastExtension[k]) + 1] -= n;
        } else {
            sbuf[k] += u.bytes, sbuf[end] -= u.bytes;
            stream.largestTile = std::max<int64_t>(stream.largestTile, u.bytes);
        }
    }
    int64_t s = 0, b = 0, o = 0;
    stream.peakBytes = 0;
    for (size_t k = 0; k < count; ++k) {
        s += sbuf[k], b += banks[k], o += open[k];
        if (s > stream.peakBytes)
            stream.peakBytes = s, stream.peakAt = stream.units[k].source;
        stream.peakBanks = std::max(stream.peakBanks, int(b));
        if (o > stream.openAccumulators)
            stream.openAccumulators = int(o), stream.openAccumulatorsAt = stream.units[k].source;
    }
}

} // namespace

void placeInMemory(Stream &stream, const Program &, const Hardware &hardware) { measure(stream, hardware); }

} // namespace accelopt::neuroncore
