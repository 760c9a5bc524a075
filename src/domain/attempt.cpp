// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/attempt.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QString verdictName(const Attempt &attempt)
{
    switch (attempt.state) {
    case Attempt::State::Pending:
        return u"pending"_s;
    case Attempt::State::Evaluating:
        return u"evaluating"_s;
    case Attempt::State::Done:
        break;
    }
    if (attempt.evaluation.quarantined)
        return u"quarantined"_s;
    if (attempt.evaluation.status == Evaluation::Status::Failed)
        return errorKindName(attempt.evaluation.error.kind);
    if (attempt.duplicateOf != 0)
        return u"same"_s;
    return attempt.evaluation.status == Evaluation::Status::Skipped ? u"estimated"_s : u"correct"_s;
}

} // namespace accelopt
