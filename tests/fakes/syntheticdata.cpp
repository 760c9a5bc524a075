// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakes/syntheticdata.h"

#include "fakes/syntheticproject.h"

using namespace Qt::Literals::StringLiterals;

namespace accelopt::fakes {

namespace {

struct ProblemRow {
    const char *name, *title, *op;
    double m, n, k;
    int vectorOperations; ///< per output element
    bool matmul;
};
constexpr ProblemRow problemRows[] = {
    {"silu", "SiLU (DeepSeek-V3)", "y = x / (1 + exp(-x))", 4096, 7168, 0, 3, false},
    {"rope_single_freq_apply", "RoPE, one frequency table", "y = rotate(x, cos, sin)", 8192, 4096, 0, 6, false},
    {"add_rmsnorm_matmul", "Add, RMSNorm, matmul", "y = rmsnorm(x + r) @ w", 4096, 2048, 1024, 8, true},
    {"matmul", "Matrix product", "y = a @ b", 4096, 2048, 2048, 0, true},
    {"softmax", "Softmax over rows", "y = softmax(x)", 4096, 4096, 0, 5, false},
    {"swiglu", "SwiGLU", "y = silu(x @ a) * (x @ b)", 4096, 3072, 1024, 5, true},
    {"gqa", "Grouped-query attention", "y = softmax(q k^T) v", 4096, 1024, 1024, 6, true},
    {"lora", "LoRA projection", "y = x w + (x a) b", 4096, 2048, 1024, 1, true},
    {"adamw", "AdamW step", "p, m, v = adamw(p, g, m, v)", 8192, 4096, 0, 12, false},
    {"mamba", "Selective scan", "y = scan(a, b x)", 2048, 4096, 0, 7, false},
    {"bmm", "Batched matrix product", "y[i] = a[i] @ b[i]", 4096, 1024, 1024, 0, true},
    {"bmm_softmax", "Batched product and softmax", "y = softmax(a @ b)", 4096, 1024, 512, 5, true},
    {"transpose_matmul", "Transposed matrix product", "y = a^T @ b", 4096, 2048, 2048, 0, true},
    {"matmul_add_rmsnorm", "Matmul, add, RMSNorm", "y = rmsnorm(a @ b + r)", 4096, 2048, 2048, 6, true},
};

constexpr const char *planTitles[] = {
    "Widen the free dimension of the tile to 2048 columns",
    "Hoist the load of the scale out of the inner loop",
    "Fuse multiply and add into one tensor_scalar",
    "Move the exponential to ScalarE with its scale",
    "Keep the weights resident in SBUF",
    "Merge the two elementwise loops",
    "Replace division by reciprocal and multiply",
    "Accumulate in PSUM over the whole contraction",
    "Transpose once, outside of the row loop",
    "Split the store so that it overlaps the next load",
    "Use 128 x 512 matmul tiles",
    "Balance VectorE and GpSimd",
};

constexpr FailureRow failureRows[] = {
    {ErrorKind::Rule, "err_tensor_access_out_of_bound", "The index reaches column 7424 of a tensor with 7168 columns.",
        "check"},
    {ErrorKind::WrongResult, "", "The result differs from the reference: relative error 3.1e-2, allowed 2e-5.",
        "correctness"},
    {ErrorKind::Memory, "err_sbuf_overflow", "The tiles need 236 KiB of SBUF per partition, 192 KiB are there.",
        "compile"},
    {ErrorKind::Syntax, "", "The kernel is not valid Python: '(' was never closed.", "guard"},
    {ErrorKind::Reply, "", "The reply holds no kernel.", ""},
    {ErrorKind::Compile, "err_unsupported", "nl.loop_reduce is not supported by this compiler.", "compile"},
    {ErrorKind::NonFinite, "", "The result holds numbers that are not finite.", "correctness"},
    {ErrorKind::Truncated, "", "The reply was cut off at the token limit.", ""},
};

Problem makeProblem(const ProblemRow &row)
{
    Problem problem;
    problem.name = QString::fromLatin1(row.name);
    problem.title = QString::fromLatin1(row.title);
    problem.operatorText = QString::fromLatin1(row.op);
    problem.values = {{u"M"_s, row.m}, {u"N"_s, row.n}};
    if (row.k > 0)
        problem.values.insert(u"K"_s, row.k);
    problem.work.bytes = 4 * (row.matmul ? row.m * row.k + row.k * row.n + row.m * row.n : 2 * row.m * row.n);
    problem.work.matmulFlops = row.matmul ? 2 * row.m * row.n * row.k : 0;
    problem.work.vectorFlops = row.vectorOperations * row.m * row.n;
    problem.referenceSource = "import numpy as np\n\n\ndef forward(*inputs):\n    \"\"\"" + QByteArray(row.op)
        + "\"\"\"\n    return inputs[0]\n\n\n"
          "def get_inputs(seed):\n    return [np.random.default_rng(seed).standard_normal((16, 16), "
          "dtype=np.float32)]\n";
    problem.kernelSource = syntheticKernel(problem.name, 0);
    QJsonObject values;
    for (auto value = problem.values.cbegin(); value != problem.values.cend(); ++value)
        values.insert(value.key(), value.value());
    problem.json = {{u"version"_s, 1}, {u"name"_s, problem.name}, {u"title"_s, problem.title},
        {u"operator"_s, problem.operatorText}, {u"dtype"_s, problem.dtype}, {u"values"_s, values},
        {u"tolerance"_s, problem.tolerance}, {u"entry"_s, problem.entry}};
    return problem;
}

} // namespace

int syntheticProblemCount()
{
    return int(std::size(problemRows));
}

Problem syntheticProblem(int index)
{
    return makeProblem(problemRows[index]);
}

std::span<const char *const> syntheticPlanTitles()
{
    return planTitles;
}

std::span<const FailureRow> syntheticFailures()
{
    return failureRows;
}

QJsonObject syntheticProfile(const Problem &problem, double ms, double fraction, Random &random)
{
    const double traffic = problem.work.bytes * (1 + (1 - fraction) * 0.4);
    const double spill = std::max(0.0, 0.3 - fraction) * problem.work.bytes;
    return {{u"total_time"_s, ms / 1000}, {u"hbm_read_bytes"_s, std::round(traffic * 0.6)},
        {u"hbm_write_bytes"_s, std::round(traffic * 0.4)}, {u"sbuf_read_bytes"_s, std::round(traffic * 1.7)},
        {u"sbuf_write_bytes"_s, std::round(traffic * 1.6)},
        {u"psum_read_bytes"_s, std::round(problem.work.matmulFlops / 900)},
        {u"psum_write_bytes"_s, std::round(problem.work.matmulFlops / 850)}, {u"spill_save_bytes"_s, std::round(spill)},
        {u"spill_reload_bytes"_s, std::round(spill * 1.2)}, {u"hardware_flops"_s, problem.work.matmulFlops * 1.25},
        {u"transpose_flops"_s, problem.work.matmulFlops * 0.25},
        {u"mm_arithmetic_intensity"_s, problem.work.matmulFlops / traffic},
        {u"peak_flops_bandwidth_ratio"_s, 223.781463973542},
        {u"hfu_estimated_percent"_s, problem.work.matmulFlops > 0 ? 0.9 * fraction : 0},
        {u"tensor_engine_active_time_percent"_s, problem.work.matmulFlops > 0 ? 0.95 * fraction : 0},
        {u"vector_engine_active_time_percent"_s, 0.2 + 0.5 * random.uniform()},
        {u"scalar_engine_active_time_percent"_s, 0.1 + 0.4 * random.uniform()},
        {u"gpsimd_engine_active_time_percent"_s, 0.02 * random.uniform()},
        {u"dma_active_time_percent"_s, 0.4 + 0.5 * fraction}};
}

QByteArray syntheticKernel(const QString &problem, quint32 variant, int lines)
{
    const int columns = 512 << (variant % 3);
    const bool hoisted = variant & 8, fused = variant & 16, scalar = variant & 32, resident = variant & 64;
    QByteArray text =
        "# SPDX-License-Identifier: GPL-3.0-or-later\nimport neuronxcc.nki as nki\nimport neuronxcc.nki.isa as nisa\n"
        "import neuronxcc.nki.language as nl\n\nTILE_ROWS = 128\nTILE_COLUMNS = "
        + QByteArray::number(columns) + "\n\n\n@nki.jit\ndef kernel(x, scale):\n    \"\"\"" + problem.toUtf8()
        + ", one tile at a time.\"\"\"\n    rows, columns = x.shape\n    y = nl.ndarray((rows, columns), "
          "dtype=x.dtype, buffer=nl.shared_hbm)\n"
          "    i_row = nl.arange(TILE_ROWS)[:, None]\n    i_column = nl.arange(TILE_COLUMNS)[None, :]\n";
    if (hoisted)
        text += "    factor = nl.load(scale[i_row, 0])\n";
    if (resident)
        text += "    kept = nl.ndarray((TILE_ROWS, columns), dtype=x.dtype, buffer=nl.sbuf)\n";
    text +=
        "    for r in nl.affine_range(rows // TILE_ROWS):\n        for c in nl.affine_range(columns // TILE_COLUMNS):\n"
        "            x_tile = nl.load(x[r * TILE_ROWS + i_row, c * TILE_COLUMNS + i_column])\n";
    if (!hoisted)
        text += "            factor = nl.load(scale[i_row, 0])\n";
    int line = int(text.count('\n'));
    for (int step = 0; line < lines - 3; ++step) {
        const quint32 bit = (variant >> (step % 24)) & 1;
        const QByteArray name = "t" + QByteArray::number(step),
                         from = step ? "t" + QByteArray::number(step - 1) : QByteArray("x_tile");
        if (fused && bit) {
            text += "            " + name + " = nisa.tensor_scalar(" + from
                + ", np.multiply, factor, op1=np.add, operand1=" + QByteArray::number(step) + ".0)\n";
            line += 1;
        } else if (scalar && bit) {
            text += "            " + name + " = nisa.activation(nl.exp, " + from + ", scale=-"
                + QByteArray::number(1 + step) + ".0)\n";
            line += 1;
        } else {
            text += "            " + name + "_scaled = nl.multiply(" + from + ", factor)\n            " + name
                + " = nl.add(" + name + "_scaled, " + QByteArray::number(step) + ".0)\n";
            line += 2;
        }
        if (line >= lines - 3)
            text += "            nl.store(y[r * TILE_ROWS + i_row, c * TILE_COLUMNS + i_column], " + name + ")\n";
    }
    return text + "    # variant " + QByteArray::number(variant) + "\n    return y\n";
}

} // namespace accelopt::fakes
