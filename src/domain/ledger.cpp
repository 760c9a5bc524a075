// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/ledger.h"

#include "domain/paths.h"

#include <QFile>
#include <QJsonDocument>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

double Price::cost(const Usage &usage) const
{
    constexpr double perToken = 1e-6;
    const auto cached = static_cast<double>(usage.cachedTokens);
    return perToken
        * ((static_cast<double>(usage.inputTokens) - cached) * input + cached * cachedInput
            + static_cast<double>(usage.outputTokens) * output);
}

std::optional<Price> PriceTable::find(const ModelChoice &model) const
{
    if (model.provider == u"rules"_s)
        return Price{0, 0, 0, u"runs on this machine"_s, {}};
    // The provider's own price first, then the model's.
    for (const QString &name : {model.name(), model.model}) {
        if (const auto it = m_prices.find(name); it != m_prices.end())
            return *it;
    }
    return std::nullopt;
}

std::optional<double> PriceTable::cost(const ModelChoice &model, const Usage &usage) const
{
    const auto price = find(model);
    return price ? std::optional(price->cost(usage)) : std::nullopt;
}

QJsonObject PriceTable::toJson() const
{
    QJsonObject json;
    for (auto it = m_prices.begin(); it != m_prices.end(); ++it)
        json.insert(it.key(),
            QJsonObject{{u"input"_s, it->input}, {u"cached_input"_s, it->cachedInput}, {u"output"_s, it->output},
                {u"source"_s, it->source}, {u"date"_s, it->date}});
    return json;
}

Result<PriceTable> PriceTable::fromJson(const QJsonObject &json)
{
    PriceTable table;
    for (auto it = json.begin(); it != json.end(); ++it) {
        const QJsonObject entry = it.value().toObject();
        const double input = entry.value("input"_L1).toDouble(-1);
        const double output = entry.value("output"_L1).toDouble(-1);
        if (input < 0 || output < 0)
            return fail(Error::Kind::Invalid,
                u"The price of %1 needs input and output in dollars per million tokens."_s.arg(it.key()));
        table.insert(it.key(),
            {input, entry.value("cached_input"_L1).toDouble(input), output, entry.value("source"_L1).toString(),
                entry.value("date"_L1).toString()});
    }
    return table;
}

Result<PriceTable> PriceTable::bundled()
{
    QFile file(resourcePath(u"prices.json"_s));
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::NotFound, u"The price table cannot be read."_s,
            file.fileName() + u": "_s + file.errorString());
    QJsonParseError error;
    const QJsonObject json = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (error.error != QJsonParseError::NoError)
        return fail(
            Error::Kind::Invalid, u"The price table is not JSON."_s, file.fileName() + u": "_s + error.errorString());
    return fromJson(json);
}

} // namespace accelopt
