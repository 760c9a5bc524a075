// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <cstdlib>
#include <cstring>

namespace accelopt::sandbox {

const char *usage()
{
    return "usage: accelopt-sandbox --folder DIR [--read PATH]… [--write DIR]… [--env NAME=VALUE]… [--memory BYTES]\n"
           "         [--files BYTES] [--cpu SECONDS] [--seconds SECONDS] [--processes N] [--watch FD] [--report FILE]\n"
           "         -- COMMAND [ARGUMENTS]\n"
           "       accelopt-sandbox --facts\n"
           "Runs COMMAND so that it can write nothing but DIR, make no connection and leave no process behind.\n"
           "Exit status: the command's; 128+N where signal N ended it; 125 where the sandbox could not be set up.\n";
}

namespace {

bool number(const char *text, double &value)
{
    char *end = nullptr;
    value = std::strtod(text, &end);
    return end != text && *end == '\0' && value >= 0 && value < 1e18;
}

} // namespace

std::string parseOptions(int argc, char **argv, Options &options)
{
    int i = 1;
    for (; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--") {
            ++i;
            break;
        }
        if (name == "--facts") {
            options.facts = true;
            continue;
        }
        if (name.rfind("--", 0) != 0)
            break;
        if (i + 1 >= argc)
            return "The option " + name + " needs a value.";
        const char *value = argv[++i];
        double amount = 0;
        if (name == "--folder")
            options.folder = value;
        else if (name == "--read")
            options.read.emplace_back(value);
        else if (name == "--write")
            options.write.emplace_back(value);
        else if (name == "--report")
            options.report = value;
        else if (name == "--env") {
            if (!std::strchr(value, '=') || value[0] == '=')
                return "The option --env needs NAME=VALUE.";
            options.environment.emplace_back(value);
        } else if (!number(value, amount))
            return "The option " + name + " is unknown or its value is not a number.";
        else if (name == "--memory")
            options.memory = static_cast<std::uint64_t>(amount);
        else if (name == "--files")
            options.files = static_cast<std::uint64_t>(amount);
        else if (name == "--cpu")
            options.cpu = static_cast<std::uint64_t>(amount);
        else if (name == "--seconds")
            options.seconds = amount;
        else if (name == "--processes")
            options.processes = static_cast<int>(amount);
        else if (name == "--watch")
            options.watch = static_cast<int>(amount);
        else
            return "The option " + name + " is unknown.";
    }
    for (; i < argc; ++i)
        options.command.emplace_back(argv[i]);
    if (options.facts)
        return {};
    if (options.folder.empty())
        return "The option --folder is missing.";
    if (options.command.empty())
        return "The command is missing.";
    return {};
}

} // namespace accelopt::sandbox
