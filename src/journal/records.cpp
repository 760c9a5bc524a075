// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/records.h"

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

QString runStateName(RunState state)
{
    switch (state) {
    case RunState::Ready:
        return u"ready"_s;
    case RunState::Running:
        return u"running"_s;
    case RunState::Paused:
        return u"paused"_s;
    case RunState::Draining:
        return u"draining"_s;
    case RunState::Stopped:
        return u"stopped"_s;
    case RunState::BudgetReached:
        return u"budget-reached"_s;
    case RunState::Interrupted:
        return u"interrupted"_s;
    case RunState::Finished:
        return u"finished"_s;
    case RunState::Failed:
        return u"failed"_s;
    }
    return {};
}

QJsonObject FrozenFacts::toJson() const
{
    QJsonObject json{{u"prices"_s, prices.toJson()}, {u"hosts"_s, hosts}};
    if (peaks != HardwarePeaks()) // unset ones would be no valid peaks when read back
        json.insert("peaks"_L1, peaks.toJson());
    return json;
}

Result<FrozenFacts> FrozenFacts::fromJson(const QJsonObject &json)
{
    FrozenFacts facts;
    if (const QJsonObject peaks = json.value("peaks"_L1).toObject(); !peaks.isEmpty()) {
        Result<HardwarePeaks> read = HardwarePeaks::fromJson(peaks);
        if (!read)
            return std::unexpected(read.error());
        facts.peaks = *read;
    }
    if (const QJsonObject prices = json.value("prices"_L1).toObject(); !prices.isEmpty()) {
        Result<PriceTable> read = PriceTable::fromJson(prices);
        if (!read)
            return std::unexpected(read.error());
        facts.prices = *read;
    }
    facts.hosts = json.value("hosts"_L1).toObject();
    return facts;
}

} // namespace accelopt
