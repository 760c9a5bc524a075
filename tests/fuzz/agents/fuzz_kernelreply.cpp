// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agents.h"
#include "agents/pythontext.h"

#include <cstdint>
#include <cstdlib>

using namespace accelopt;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size < 1)
        return 0;
    Completion completion;
    completion.finishReason = data[0] & 1 ? QStringLiteral("length") : QStringLiteral("stop");
    const QByteArray bytes(reinterpret_cast<const char *>(data + 1), qsizetype(size) - 1);
    // As UTF-8, or as raw UTF-16 with every lone surrogate that may hold.
    completion.text = data[0] & 2 ? QString(reinterpret_cast<const QChar *>(bytes.constData()), bytes.size() / 2)
                                  : QString::fromUtf8(bytes);
    if (data[0] & 4)
        std::swap(completion.text, completion.reasoning);

    const QString entry = QStringLiteral("kernel");
    const ParsedKernel kernel = parseKernelReply(completion, entry);
    require(kernel.source.isEmpty() == bool(kernel.error));
    require(kernel.source.isEmpty() == kernel.rule.isEmpty());
    require(!kernel.source.contains('\0') && !kernel.source.contains('\r'));
    if (kernel.error) {
        require(kernel.error.kind == ErrorKind::Reply || kernel.error.kind == ErrorKind::Truncated);
        require(kernel.error.message.endsWith(u'.'));
    } else if (!kernel.rule.startsWith(QStringLiteral("fenced-invalid"))) {
        // What was taken as whole is still whole when it is read again.
        const PythonText python = PythonText::analyse(QString::fromUtf8(kernel.source));
        require(python.state == PythonText::State::Complete && python.defines(entry));
    }
    require(parsePlanTitle(completion.text).size() <= 120);
    require(parseSummary(completion.text).summary.size() <= 16 * 1024);
    return 0;
}
