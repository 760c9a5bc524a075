// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulesprovider.h"

#include <QCoroFuture>

namespace accelopt::rules {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Free function, everything by value: it never touches a provider that has gone.
QCoro::Task<Result<Completion>> ask(std::shared_ptr<Pool> pool, CompletionRequest request, CancelToken token)
{
    const auto cancelled = [] { return fail(Error::Kind::Cancelled, u"The call was cancelled."_s); };
    if (token.stop_requested())
        co_return cancelled();
    if (request.role == Role::Fixer)
        co_return fail(Error::Kind::Invalid, u"The rules provider cannot repair kernels: it has no fixer."_s);
    const auto job = pool->submit(roleName(request.role), request.seed, request.context);
    if (!job)
        co_return std::unexpected(job.error());
    const std::stop_callback onStop(token, [job = *job, cancelled] { job->answer(cancelled()); });
    co_return co_await (*job)->future();
}

} // namespace

RulesProvider::RulesProvider(const PoolOptions &options)
    : m_pool(std::make_shared<Pool>(options))
{
}

RulesProvider::~RulesProvider()
{
    m_pool->shutdown();
}

QString RulesProvider::id() const
{
    return u"rules"_s;
}

QCoro::Task<Result<Completion>> RulesProvider::complete(CompletionRequest request, CancelToken token)
{
    return ask(m_pool, std::move(request), std::move(token));
}

QString RulesProviderFactory::id() const
{
    return u"rules"_s;
}

Result<std::unique_ptr<ModelProvider>> RulesProviderFactory::create(const ModelChoice &, const QJsonObject &options)
{
    return std::make_unique<RulesProvider>(PoolOptions::fromJson(options));
}

} // namespace accelopt::rules
