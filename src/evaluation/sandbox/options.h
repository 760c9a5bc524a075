// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accelopt::sandbox {

/// What the command line of accelopt-sandbox asks for.
struct Options {
    std::string folder; ///< the only place that may be written; working directory, HOME and TMPDIR
    std::vector<std::string> read; ///< files and folders that may be read (beside the system's libraries)
    std::vector<std::string> write; ///< further folders that may be written
    std::vector<std::string> environment; ///< NAME=VALUE, added to the empty environment
    std::uint64_t memory = 0; ///< bytes of address space; 0 = no limit
    std::uint64_t files = 0; ///< bytes in the folder, and per file; 0 = no limit
    std::uint64_t cpu = 0; ///< seconds of processor time; 0 = no limit
    double seconds = 0; ///< wall clock; 0 = no limit
    int processes = 1; ///< 1: no new process can be made at all (threads can)
    int watch = -1; ///< when this descriptor reports a hang-up, everything is killed
    std::string report; ///< a JSON object about the end is written here
    bool facts = false; ///< print what this system can enforce, and leave
    std::vector<std::string> command;
};

/// Returns an empty string, or one sentence about what is wrong.
[[nodiscard]] std::string parseOptions(int argc, char **argv, Options &options);
[[nodiscard]] const char *usage();

} // namespace accelopt::sandbox
