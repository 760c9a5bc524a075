// SPDX-License-Identifier: GPL-3.0-or-later
// The trusted half: stands between the runner and the command, enforces what the kernel cannot be asked to (wall clock,
// size of a folder, death of the runner), and returns only when no descendant is left.
#include "monitor.h"

#include "confine.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace accelopt::sandbox {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int setupFailed = 125;
constexpr std::uint64_t mostEntries = 1000; ///< files and folders that a job may make

[[noreturn]] void runCommand(const Options &options, int errors)
{
    const auto leave = [&](const std::string &message) {
        [[maybe_unused]] const ssize_t written = write(errors, message.data(), message.size());
        _exit(setupFailed);
    };
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGPIPE, SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGXFSZ, SIGXCPU})
        signal(number, SIG_DFL);
    umask(077);
    if (chdir(options.folder.c_str()) != 0)
        leave(options.folder + ": " + std::strerror(errno));
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
        for (int descriptor = 3; descriptor < 4096; ++descriptor)
            fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    std::vector<std::string> environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + options.folder,
        "TMPDIR=" + options.folder, "LANG=C.UTF-8", "LC_ALL=C.UTF-8"};
    environment.insert(environment.end(), options.environment.begin(), options.environment.end());
    std::vector<char *> variables, arguments;
    for (std::string &entry : environment)
        variables.push_back(entry.data());
    variables.push_back(nullptr);
    std::vector<std::string> command = options.command;
    for (std::string &entry : command)
        arguments.push_back(entry.data());
    arguments.push_back(nullptr);
    if (const std::string failure = confine(options); !failure.empty())
        leave(failure);
    execvpe(arguments[0], arguments.data(), variables.data());
    leave(command[0] + ": " + std::strerror(errno));
    _exit(setupFailed);
}

/// Every process below this one: the command's own children, and those it orphaned, which become ours (child
/// subreaper).
std::vector<pid_t> descendants()
{
    std::vector<std::pair<pid_t, pid_t>> parents;
    if (DIR *folder = opendir("/proc")) {
        while (const dirent *entry = readdir(folder)) {
            const pid_t pid = std::atoi(entry->d_name);
            if (pid <= 0)
                continue;
            char path[64], text[512];
            std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
            const int file = open(path, O_RDONLY | O_CLOEXEC);
            if (file < 0)
                continue;
            const ssize_t length = read(file, text, sizeof text - 1);
            close(file);
            if (length <= 0)
                continue;
            text[length] = 0;
            const char *name = std::strrchr(text, ')'); // the name itself may hold anything
            pid_t parent = 0;
            char state = 0;
            if (name && std::sscanf(name + 1, " %c %d", &state, &parent) == 2 && state != 'Z')
                parents.emplace_back(pid, parent);
        }
        closedir(folder);
    }
    std::vector<pid_t> found, level = {getpid()};
    while (!level.empty()) {
        std::vector<pid_t> next;
        for (const auto &[pid, parent] : parents) {
            for (const pid_t above : level) {
                if (parent == above)
                    next.push_back(pid);
            }
        }
        found.insert(found.end(), next.begin(), next.end());
        level = std::move(next);
    }
    return found;
}

void reap()
{
    while (waitpid(-1, nullptr, WNOHANG) > 0) { }
}

/// Stops all first, so that a bomb cannot outrun the killing, then kills, until nothing is left or half a second is
/// over without progress.
void killAll(pid_t child)
{
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    for (int round = 0; round < 100; ++round) {
        const std::vector<pid_t> left = descendants();
        if (left.empty())
            break;
        for (const pid_t pid : left)
            kill(pid, SIGSTOP);
        for (const pid_t pid : left)
            kill(pid, SIGKILL);
        usleep(5000);
        reap();
    }
    reap();
}

std::uint64_t countedBytes, countedEntries;

int count(const char *, const struct stat *info, int, FTW *)
{
    countedBytes += static_cast<std::uint64_t>(info->st_blocks) * 512;
    return ++countedEntries > mostEntries ? 1 : 0;
}

bool folderTooBig(const Options &options)
{
    countedBytes = countedEntries = 0;
    nftw(options.folder.c_str(), count, 16, FTW_PHYS);
    return countedBytes > options.files || countedEntries > mostEntries;
}

void writeReport(const Options &options, const char *reason, int status, const std::string &message, double seconds)
{
    if (options.report.empty())
        return;
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    std::string text;
    for (const char letter : message)
        text += letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < 32 ? ' ' : letter;
    if (FILE *file = std::fopen(options.report.c_str(), "we")) {
        std::fprintf(file,
            "{\"reason\": \"%s\", \"exit\": %d, \"signal\": %d, \"message\": \"%s\", \"seconds\": %.3f, "
            "\"max_rss_bytes\": %lld}\n",
            reason, WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            text.c_str(), seconds, static_cast<long long>(usage.ru_maxrss) * 1024);
        std::fclose(file);
    }
}

} // namespace

int supervise(const Options &options)
{
    const auto began = Clock::now();
    const auto secondsSince = [](Clock::time_point since) {
        return std::chrono::duration<double>(Clock::now() - since).count();
    };
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    sigset_t mask;
    sigemptyset(&mask);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&mask, number);
    sigprocmask(SIG_BLOCK, &mask, nullptr);
    const int signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    int errors[2];
    if (signals < 0 || pipe2(errors, O_CLOEXEC) != 0) {
        std::fprintf(stderr, "accelopt-sandbox: %s\n", std::strerror(errno));
        return setupFailed;
    }
    const pid_t child = fork();
    if (child < 0) {
        std::fprintf(stderr, "accelopt-sandbox: %s\n", std::strerror(errno));
        return setupFailed;
    }
    if (child == 0)
        runCommand(options, errors[1]);
    close(errors[1]);
    std::string message;
    char buffer[1024];
    for (ssize_t length; (length = read(errors[0], buffer, sizeof buffer)) > 0;) // ends at exec, or with the child
        message.append(buffer, static_cast<size_t>(length));
    close(errors[0]);

    const char *reason = "exited";
    int status = 0;
    bool ended = false;
    Clock::time_point termSent{}, lastLook = began;
    while (!ended) {
        pollfd watched[2] = {{signals, POLLIN, 0}, {options.watch, 0, 0}};
        poll(watched, options.watch >= 0 ? 2 : 1, 100);
        signalfd_siginfo info{};
        bool stop = false;
        while (read(signals, &info, sizeof info) == sizeof info)
            stop = stop || info.ssi_signo != SIGCHLD;
        int one = 0;
        for (pid_t pid; (pid = waitpid(-1, &one, WNOHANG)) > 0;) {
            if (pid == child) {
                status = one;
                ended = true;
            }
        }
        if (ended)
            break;
        if (options.watch >= 0 && (watched[1].revents & (POLLHUP | POLLERR | POLLNVAL))) {
            reason = "terminated";
            break;
        }
        if (options.seconds > 0 && secondsSince(began) > options.seconds && termSent == Clock::time_point{}) {
            reason = "seconds";
            stop = true;
        }
        if (stop && termSent == Clock::time_point{}) {
            if (std::strcmp(reason, "exited") == 0)
                reason = "terminated";
            kill(-child, SIGTERM);
            termSent = Clock::now();
        }
        if (termSent != Clock::time_point{} && secondsSince(termSent) > 0.5)
            break;
        if (options.files && secondsSince(lastLook) > 0.2) {
            lastLook = Clock::now();
            if (folderTooBig(options)) {
                reason = "files";
                break;
            }
        }
    }
    killAll(child);
    if (!ended) {
        // killAll may have reaped it; either way it was our kill that ended it.
        waitpid(child, &status, WNOHANG);
        status = SIGKILL;
    }
    if (!message.empty())
        reason = "setup";
    else if (std::strcmp(reason, "exited") == 0 && WIFSIGNALED(status)) {
        reason = WTERMSIG(status) == SIGXCPU ? "cpu" : WTERMSIG(status) == SIGXFSZ ? "files" : "signal";
        // The hard limit follows the soft one by a second where SIGXCPU is ignored.
        rusage usage{};
        getrusage(RUSAGE_CHILDREN, &usage);
        if (WTERMSIG(status) == SIGKILL && options.cpu
            && static_cast<std::uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) >= options.cpu)
            reason = "cpu";
    }
    writeReport(options, reason, status, message, secondsSince(began));
    if (!message.empty()) {
        std::fprintf(stderr, "accelopt-sandbox: %s\n", message.c_str());
        return setupFailed;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace accelopt::sandbox
