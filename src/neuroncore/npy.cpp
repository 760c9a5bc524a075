// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/npy.h"

#include <QRegularExpression>
#include <cmath>
#include <cstring>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

struct Header {
    QString type; ///< NumPy's descr, such as <f4
    std::vector<int64_t> shape;
    qint64 offset = 0;
};

std::unexpected<Fault> unreadable(const QString &path, const QString &why)
{
    return fault(u"infrastructure"_s, {}, u"The array %1 cannot be used: %2."_s.arg(path, why));
}

Checked<Header> readHeader(QFile &file)
{
    const QByteArray start = file.read(12);
    if (start.size() < 12 || !start.startsWith("\x93NUMPY"))
        return unreadable(file.fileName(), u"it is not a .npy file"_s);
    const auto byte = [&start](int i) { return quint32(uchar(start[i])); };
    const int major = int(byte(6));
    const qint64 length =
        major == 1 ? qint64(byte(8) | byte(9) << 8) : qint64(byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24);
    const qint64 begin = major == 1 ? 10 : 12;
    if (major < 1 || major > 3 || length > 65536)
        return unreadable(file.fileName(), u"its header is of an unknown version"_s);
    file.seek(begin);
    const QString text = QString::fromLatin1(file.read(length));
    static const QRegularExpression descr(u"'descr'\\s*:\\s*'([<|=]?[a-zA-Z]\\d{1,2})'"_s),
        fortran(u"'fortran_order'\\s*:\\s*(True|False)"_s), dims(u"'shape'\\s*:\\s*\\(([0-9, ]*)\\)"_s);
    const auto d = descr.match(text), f = fortran.match(text), s = dims.match(text);
    if (!d.hasMatch() || !f.hasMatch() || !s.hasMatch())
        return unreadable(file.fileName(), u"its header is not understood"_s);
    Header header{d.captured(1), {}, begin + length};
    if (header.type[0] == u'|' || header.type[0] == u'=')
        header.type[0] = u'<';
    if (header.type[0] != u'<')
        header.type.prepend(u'<');
    int64_t elements = 1;
    for (const QString &part : s.captured(1).split(u',', Qt::SkipEmptyParts)) {
        if (part.trimmed().isEmpty())
            continue;
        bool ok = false;
        const qint64 n = part.trimmed().toLongLong(&ok);
        if (!ok || n < 0 || n > (int64_t(1) << 40) || (n > 0 && elements > (int64_t(1) << 40) / n))
            return unreadable(file.fileName(), u"its shape is out of range"_s);
        header.shape.push_back(n);
        elements *= n;
    }
    if (f.captured(1) == u"True"_s && header.shape.size() > 1)
        return unreadable(file.fileName(), u"it is in Fortran order; save it in C order"_s);
    return header;
}

float halfToFloat(quint16 h)
{
    const int exponent = h >> 10 & 31, mantissa = h & 1023;
    const float sign = h & 0x8000 ? -1.0F : 1.0F;
    if (exponent == 31)
        return mantissa ? std::nanf("") : sign * INFINITY;
    return sign
        * (exponent == 0 ? std::ldexp(float(mantissa), -24) : std::ldexp(float(mantissa + 1024), exponent - 25));
}

quint16 floatToHalf(float x)
{
    const quint16 sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isnan(x))
        return sign | 0x7e00;
    const float magnitude = std::fabs(x);
    if (magnitude > 65504.0F)
        return sign | 0x7c00;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    if (magnitude == 0 || exponent < -13)
        return sign | quint16(std::lrint(std::ldexp(magnitude, 24)));
    return sign | quint16((exponent + 14) * 1024 + std::lrint(std::ldexp(magnitude, 11 - exponent)) - 1024);
}

template <typename T> T at(const uchar *bytes, int64_t i)
{
    T value;
    std::memcpy(&value, bytes + i * int64_t(sizeof(T)), sizeof(T));
    return value;
}

/// False when an integer does not fit float32 exactly.
template <typename T> bool convert(const uchar *bytes, std::vector<float> &out)
{
    for (size_t i = 0; i < out.size(); ++i) {
        const T value = at<T>(bytes, int64_t(i));
        out[i] = float(value);
        if constexpr (std::is_integral_v<T> && sizeof(T) >= 4)
            if (std::fabs(double(value)) > 16777216.0)
                return false;
    }
    return true;
}

} // namespace

Checked<NpyInput> NpyInput::open(const QString &path, const Tensor &tensor)
{
    NpyInput input;
    input.m_file = std::make_unique<QFile>(path);
    QFile &file = *input.m_file;
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, file.errorString());
    const auto header = readHeader(file);
    if (!header)
        return std::unexpected(header.error());
    int64_t count = 1;
    for (int64_t d : header->shape)
        count *= d;
    if (count != tensor.elements())
        return unreadable(path,
            u"it has %1 elements, the kernel's \"%2\" has %3"_s.arg(count).arg(tensor.name).arg(tensor.elements()));
    const QString type = header->type.mid(1);
    const int width = type.mid(1).toInt();
    if (width < 1 || width > 8 || file.size() < header->offset + count * width)
        return unreadable(path, u"it is shorter than its header says"_s);
    input.m_count = count;
    uchar *bytes = count == 0 ? nullptr : file.map(header->offset, count * width, QFile::MapPrivateOption);
    if (!bytes)
        return unreadable(path, u"it cannot be mapped into memory"_s);
    if (type == u"f4"_s && reinterpret_cast<quintptr>(bytes) % alignof(float) == 0) {
        input.m_mapped = reinterpret_cast<float *>(bytes);
        return input;
    }
    std::vector<float> &values = input.m_values;
    values.resize(size_t(count));
    bool exact = true;
    if ((type == u"u2"_s || type == u"V2"_s) && tensor.dtype == DType::BFloat16) {
        for (int64_t i = 0; i < count; ++i) {
            const quint32 bits = quint32(at<quint16>(bytes, i)) << 16;
            std::memcpy(&values[size_t(i)], &bits, 4);
        }
    } else if (type == u"f2"_s) {
        for (int64_t i = 0; i < count; ++i)
            values[size_t(i)] = halfToFloat(at<quint16>(bytes, i));
    } else if (type == u"f4"_s)
        exact = convert<float>(bytes, values);
    else if (type == u"f8"_s)
        exact = convert<double>(bytes, values);
    else if (type == u"i1"_s)
        exact = convert<qint8>(bytes, values);
    else if (type == u"u1"_s || type == u"b1"_s)
        exact = convert<quint8>(bytes, values);
    else if (type == u"i2"_s)
        exact = convert<qint16>(bytes, values);
    else if (type == u"u2"_s)
        exact = convert<quint16>(bytes, values);
    else if (type == u"i4"_s)
        exact = convert<qint32>(bytes, values);
    else if (type == u"u4"_s)
        exact = convert<quint32>(bytes, values);
    else if (type == u"i8"_s)
        exact = convert<qint64>(bytes, values);
    else
        return unreadable(path, u"the element type %1 is not supported"_s.arg(type));
    file.unmap(bytes);
    if (!exact)
        return fault(u"compile"_s, {},
            u"The input \"%1\" holds integers beyond 2^24, which the simulator's float32 arithmetic cannot represent."_s
                .arg(tensor.name),
            tensor.line);
    return input;
}

Checked<NpyOutput> NpyOutput::create(const QString &path, const Tensor &tensor)
{
    NpyOutput output;
    output.m_dtype = tensor.dtype;
    output.m_count = tensor.elements();
    QString type = u"<f4"_s;
    int width = 4;
    switch (tensor.dtype) {
    case DType::Float16:
        type = u"<f2"_s, width = 2;
        break;
    case DType::Int8:
        type = u"|i1"_s, width = 1;
        break;
    case DType::UInt8:
        type = u"|u1"_s, width = 1;
        break;
    case DType::Bool:
        type = u"|b1"_s, width = 1;
        break;
    case DType::Int16:
        type = u"<i2"_s, width = 2;
        break;
    case DType::UInt16:
        type = u"<u2"_s, width = 2;
        break;
    case DType::Int32:
        type = u"<i4"_s;
        break;
    case DType::UInt32:
        type = u"<u4"_s;
        break;
    default:
        break;
    }
    QString dims;
    for (int64_t d : tensor.shape)
        dims += QString::number(d) + u", "_s;
    QByteArray header =
        u"{'descr': '%1', 'fortran_order': False, 'shape': (%2), }"_s.arg(type, dims.trimmed()).toLatin1();
    while ((header.size() + 11) % 64 != 0)
        header += ' ';
    header += '\n';
    QByteArray start("\x93NUMPY\x01\x00", 8);
    start += char(header.size() & 255);
    start += char(header.size() >> 8 & 255);
    start += header;
    output.m_file = std::make_unique<QFile>(path);
    QFile &file = *output.m_file;
    if (!file.open(QIODevice::ReadWrite | QIODevice::Truncate) || file.write(start) != start.size()
        || !file.resize(start.size() + output.m_count * width))
        return fault(u"infrastructure"_s, {}, u"The result %1 cannot be written: %2."_s.arg(path, file.errorString()));
    file.flush();
    output.m_header = start.size();
    output.m_map = file.map(start.size(), output.m_count * width);
    if (!output.m_map)
        return fault(u"infrastructure"_s, {}, u"The result %1 cannot be mapped: %2."_s.arg(path, file.errorString()));
    if (type == u"<f4"_s)
        output.m_mapped = reinterpret_cast<float *>(output.m_map);
    else
        output.m_values.resize(size_t(output.m_count));
    return output;
}

Checked<void> NpyOutput::finish()
{
    const auto put = [this]<typename T>(T) {
        for (int64_t i = 0; i < m_count; ++i) {
            const float v = m_values[size_t(i)];
            const T value = std::isfinite(v) ? T(int64_t(v)) : T(0);
            std::memcpy(m_map + i * int64_t(sizeof(T)), &value, sizeof(T));
        }
    };
    switch (m_dtype) {
    case DType::Float16:
        for (int64_t i = 0; i < m_count; ++i) {
            const quint16 value = floatToHalf(m_values[size_t(i)]);
            std::memcpy(m_map + i * 2, &value, 2);
        }
        break;
    case DType::Int8:
        put(qint8{});
        break;
    case DType::UInt8:
    case DType::Bool:
        put(quint8{});
        break;
    case DType::Int16:
        put(qint16{});
        break;
    case DType::UInt16:
        put(quint16{});
        break;
    case DType::Int32:
        put(qint32{});
        break;
    case DType::UInt32:
        put(quint32{});
        break;
    default:
        break;
    }
    m_file->unmap(m_map);
    m_file->close();
    return {};
}

} // namespace accelopt::neuroncore
