// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/runsettings.h"

#include <QJsonObject>
#include <QMap>
#include <QString>
#include <optional>

namespace accelopt {

/// Tokens of one call. Cached tokens are a part of the input tokens here, whatever a provider's own schema says.
struct Usage {
    qint64 inputTokens = 0;
    qint64 cachedTokens = 0;
    qint64 outputTokens = 0;
    qint64 reasoningTokens = 0; ///< a part of the output tokens
    QJsonObject raw; ///< the provider's own object

    bool operator==(const Usage &) const = default;
};

/// Dollars per million tokens.
struct Price {
    double input = 0, cachedInput = 0, output = 0;
    QString source, date; ///< where and when the figures were read

    bool operator==(const Price &) const = default;
    [[nodiscard]] double cost(const Usage &usage) const;
};

/// Model name -> price. Unknown models cost "?" and never 0; the rules provider costs exactly 0.
class PriceTable {
public:
    [[nodiscard]] std::optional<Price> find(const ModelChoice &model) const;
    /// Nothing where the price is unknown.
    [[nodiscard]] std::optional<double> cost(const ModelChoice &model, const Usage &usage) const;
    void insert(const QString &model, const Price &price) { m_prices.insert(model, price); }
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static Result<PriceTable> fromJson(const QJsonObject &json);
    /// resources/prices.json
    [[nodiscard]] static Result<PriceTable> bundled();

private:
    QMap<QString, Price> m_prices;
};

/// Sums of ledger rows.
struct LedgerTotals {
    qint64 calls = 0, inputTokens = 0, cachedTokens = 0, outputTokens = 0;
    double costUsd = 0; ///< of the calls whose price is known
    qint64 unpricedCalls = 0;
    double inFlightUsd = 0; ///< the most that running and interrupted calls may have cost

    bool operator==(const LedgerTotals &) const = default;
};

} // namespace accelopt
