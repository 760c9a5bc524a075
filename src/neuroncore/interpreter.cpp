// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/interpreter.h"

#include "neuroncore/execute.h"
#include "neuroncore/npy.h"

#include <QDir>
#include <QElapsedTimer>
#include <algorithm>
#include <atomic>
#include <cblas.h>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

/// Runs the same job on every worker and on the caller; workers wait between jobs.
class Crew {
public:
    explicit Crew(int workers)
    {
        for (int n = 0; n < workers; ++n)
            m_threads.emplace_back([this, n] { work(n + 1); });
    }
    ~Crew()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_wake.notify_all();
        for (std::thread &t : m_threads)
            t.join();
    }
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;
    [[nodiscard]] int size() const { return int(m_threads.size()) + 1; }
    void run(const std::function<void(int)> &job)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_job = &job;
            m_left = int(m_threads.size());
            ++m_round;
        }
        m_wake.notify_all();
        job(0);
        std::unique_lock lock(m_mutex);
        m_done.wait(lock, [this] { return m_left == 0; });
        m_job = nullptr;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    const std::function<void(int)> *m_job = nullptr;
    int m_left = 0;
    quint64 m_round = 0;
    bool m_stop = false;
    std::vector<std::thread> m_threads;

    void work(int self)
    {
        quint64 seen = 0;
        for (;;) {
            const std::function<void(int)> *job = nullptr;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, [&] { return m_stop || m_round != seen; });
                if (m_stop)
                    return;
                seen = m_round;
                job = m_job;
            }
            (*job)(self);
            {
                const std::lock_guard lock(m_mutex);
                --m_left;
            }
            m_done.notify_one();
        }
    }
};

class Interpreter {
public:
    Interpreter(const Program &program, const RunOptions &options)
        : m_program(program)
        , m_options(options)
        , m_layout(makeLayout(program))
        , m_crew(std::clamp(options.threads, 1, 64) - 1)
    {
    }

    Checked<RunOutcome> run()
    {
        QElapsedTimer timer;
        timer.start();
        openblas_set_num_threads(1);
        if (auto ready = openTensors(); !ready)
            return std::unexpected(ready.error());
        for (int t : m_layout.fresh)
            refill(m_contexts[0], t);
        for (const Step &step : m_layout.body) {
            perform(step, 0);
            if (m_contexts[0].fault)
                return std::unexpected(*m_contexts[0].fault);
        }
        RunOutcome outcome;
        outcome.parallelLoops = m_parallelLoops;
        for (auto &[tensor, output] : m_outputs) {
            outcome.finite = outcome.finite && finite(output.data(), output.size());
            if (auto done = output.finish(); !done)
                return std::unexpected(done.error());
        }
        for (const auto &[tensor, index] : m_returnedInputs) {
            auto copy = NpyOutput::create(outputPath(index), m_program.tensors[tensor]);
            if (!copy)
                return std::unexpected(copy.error());
            std::copy_n(m_contexts[0].base[size_t(tensor)], copy->size(), copy->data());
            outcome.finite = outcome.finite && finite(copy->data(), copy->size());
            if (auto done = copy->finish(); !done)
                return std::unexpected(done.error());
        }
        outcome.seconds = double(timer.nsecsElapsed()) * 1e-9;
        return outcome;
    }

private:
    const Program &m_program;
    const RunOptions &m_options;
    Layout m_layout;
    Crew m_crew;
    std::vector<Context> m_contexts;
    std::vector<Executor> m_executors;
    std::vector<std::vector<std::vector<float>>> m_memory; ///< per thread and tensor
    std::vector<NpyInput> m_inputs;
    std::vector<std::pair<int, NpyOutput>> m_outputs;
    std::vector<std::pair<int, int>> m_returnedInputs;
    int m_parallelLoops = 0;

    [[nodiscard]] QString outputPath(int index) const
    {
        return QDir(m_options.outputs).filePath(u"out%1.npy"_s.arg(index));
    }

    Checked<void> openTensors()
    {
        const size_t count = m_program.tensors.size(), threads = size_t(m_crew.size());
        m_contexts.resize(threads);
        m_memory.resize(threads);
        for (size_t t = 0; t < threads; ++t) {
            m_contexts[t].values.assign(m_program.loops.size(), 0);
            m_contexts[t].base.assign(count, nullptr);
            m_memory[t].resize(count);
            m_executors.emplace_back(m_program, m_layout, m_contexts[t]);
        }
        qint64 bytes = 0;
        for (const Tensor &t : m_program.tensors) {
            if (!m_layout.accessed[size_t(t.id)] && t.kind != TensorKind::Output && t.outputIndex < 0)
                continue;
            float *&base = m_contexts[0].base[size_t(t.id)];
            if (t.kind == TensorKind::Input || t.kind == TensorKind::Constant) {
                const QString path = t.kind == TensorKind::Input
                    ? QDir(m_options.inputs).filePath(u"in%1.npy"_s.arg(t.index))
                    : QDir(m_options.constants).filePath(t.file);
                auto input = NpyInput::open(path, t);
                if (!input)
                    return std::unexpected(input.error());
                m_inputs.push_back(std::move(*input));
                base = m_inputs.back().data();
                if (t.outputIndex >= 0)
                    m_returnedInputs.emplace_back(t.id, t.outputIndex);
            } else if (t.kind == TensorKind::Output) {
                auto output = NpyOutput::create(outputPath(t.index), t);
                if (!output)
                    return std::unexpected(output.error());
                m_outputs.emplace_back(t.id, std::move(*output));
                base = m_outputs.back().second.data();
            } else {
                const qint64 elements = m_layout.storage[size_t(t.id)].elements;
                bytes +=
                    elements * qint64(sizeof(float)) * (m_layout.storage[size_t(t.id)].scope < 0 ? 1 : qint64(threads));
                if (bytes > m_options.memoryLimit || elements > m_options.memoryLimit)
                    return fault(u"memory"_s, {},
                        u"The kernel's tiles need more than %1 GiB on this desk. Declare buffers inside the loops that use them."_s
                            .arg(m_options.memoryLimit >> 30),
                        t.line);
                base = allocate(0, t.id);
            }
        }
        return {};
    }

    float *allocate(size_t thread, int tensor)
    {
        std::vector<float> &memory = m_memory[thread][size_t(tensor)];
        if (memory.empty())
            memory.assign(size_t(m_layout.storage[size_t(tensor)].elements), std::numeric_limits<float>::quiet_NaN());
        return memory.data();
    }

    void refill(Context &context, int tensor) const
    {
        const float value = m_program.tensors[size_t(tensor)].lazyZero ? 0.0F : std::numeric_limits<float>::quiet_NaN();
        if (float *const base = context.base[size_t(tensor)])
            kernels().fill(base, value, size_t(m_layout.storage[size_t(tensor)].elements));
    }

    static bool finite(const float *x, int64_t n) { return kernels().allFinite(x, size_t(n)); }

    void iterate(const Step &step, int64_t n, size_t thread)
    {
        Context &context = m_contexts[thread];
        context.values[size_t(step.loop)] = m_program.loopValue(step.loop, n);
        for (int t : step.fresh)
            refill(context, t);
        for (const Step &child : step.body)
            perform(child, thread);
    }

    void perform(const Step &step, size_t thread)
    {
        if (m_contexts[thread].fault)
            return;
        if (step.loop < 0) {
            m_executors[thread].execute(step.instruction);
            return;
        }
        const int64_t trip = m_program.loops[size_t(step.loop)].trip;
        if (step.parallel && thread == 0 && m_crew.size() > 1) {
            share(step, trip);
            return;
        }
        for (int64_t n = 0; n < trip && !m_contexts[thread].fault; ++n)
            iterate(step, n, thread);
    }

    [[nodiscard]] bool isPrivate(int tensor, int loop) const
    {
        for (int l = m_layout.storage[size_t(tensor)].scope; l >= 0; l = m_program.loops[size_t(l)].parent)
            if (l == loop)
                return true;
        return false;
    }

    /// The iterations of an independent loop over all threads, in small portions so that an uneven one does not wait.
    void share(const Step &step, int64_t trip)
    {
        ++m_parallelLoops;
        std::atomic<int64_t> next = 0;
        std::atomic<bool> stop = false;
        const int64_t portion = std::max<int64_t>(1, trip / (int64_t(m_crew.size()) * 16));
        const std::function<void(int)> job = [&](int worker) {
            const size_t thread = size_t(worker);
            Context &context = m_contexts[thread];
            if (thread != 0) {
                context.values = m_contexts[0].values;
                context.accumulators = m_contexts[0].accumulators;
                for (size_t t = 0; t < context.base.size(); ++t)
                    context.base[t] = m_contexts[0].base[t] && m_program.tensors[t].kind == TensorKind::Temporary
                            && isPrivate(int(t), step.loop)
                        ? allocate(thread, int(t))
                        : m_contexts[0].base[t];
            }
            for (;;) {
                const int64_t first = next.fetch_add(portion);
                if (first >= trip)
                    return;
                for (int64_t n = first; n < std::min(first + portion, trip); ++n) {
                    if (stop)
                        return;
                    iterate(step, n, thread);
                    if (context.fault)
                        stop = true;
                }
            }
        };
        m_crew.run(job);
        for (Context &context : m_contexts)
            if (context.fault && !m_contexts[0].fault)
                m_contexts[0].fault = context.fault;
    }
};

} // namespace

Checked<RunOutcome> runProgram(const Program &program, const RunOptions &options)
{
    return Interpreter(program, options).run();
}

} // namespace accelopt::neuroncore
