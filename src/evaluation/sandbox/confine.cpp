// SPDX-License-Identifier: GPL-3.0-or-later
// The walls, each on its own enough for most of what a kernel could try: Landlock for files, seccomp for system calls,
// resource limits for greed, no capabilities for a process that is root. See landlock(7), seccomp(2), capabilities(7).
#include "confine.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef LANDLOCK_SCOPE_SIGNAL
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)
#endif

namespace accelopt::sandbox {

namespace {

// The attribute as of Landlock 6; older headers know only its beginning, older kernels are given only that.
struct RulesetAttribute {
    __u64 files;
    __u64 network;
    __u64 scoped;
};

std::string systemError(const char *what)
{
    return std::string(what) + ": " + std::strerror(errno);
}

std::string allow(int ruleset, const std::string &path, __u64 access)
{
    const int descriptor = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT || errno == ENOTDIR ? std::string() : systemError(path.c_str());
    struct stat info{};
    if (fstat(descriptor, &info) == 0 && !S_ISDIR(info.st_mode))
        access &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE
            | LANDLOCK_ACCESS_FS_TRUNCATE;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = descriptor;
    const long status = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    std::string failure = status == 0 ? std::string() : systemError("landlock_add_rule");
    close(descriptor);
    return failure;
}

std::string restrictFiles(const Options &options)
{
    const int version = landlockVersion();
    if (version == 0)
        return {};
    __u64 all = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // version 1: execute … make symbolic link
    if (version >= 2)
        all |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= 3)
        all |= LANDLOCK_ACCESS_FS_TRUNCATE;
    if (version >= 5)
        all |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    RulesetAttribute attribute{};
    attribute.files = all;
    size_t size = sizeof(__u64);
    if (version >= 4) {
        attribute.network = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
        size = 2 * sizeof(__u64);
    }
    if (version >= 6) {
        attribute.scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
        size = sizeof attribute;
    }
    const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attribute, size, 0));
    if (ruleset < 0)
        return systemError("landlock_create_ruleset");

    const __u64 read = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    const __u64 run = read | LANDLOCK_ACCESS_FS_EXECUTE;
    const __u64 write = all
        & ~(LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_IOCTL_DEV
            | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_SOCK);
    std::string failure;
    for (const char *path : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
        if (failure.empty())
            failure = allow(ruleset, path, run);
    }
    for (const char *path : {"/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/dev/urandom", "/dev/zero",
             "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"}) {
        if (failure.empty())
            failure = allow(ruleset, path, read);
    }
    if (failure.empty())
        failure = allow(ruleset, "/dev/null", read | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (const std::string &path : options.read) {
        if (failure.empty())
            failure = allow(ruleset, path, run);
    }
    for (const std::string &path : options.write) {
        if (failure.empty())
            failure = allow(ruleset, path, write);
    }
    if (failure.empty())
        failure = allow(ruleset, options.folder, write);
    if (failure.empty() && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
        failure = systemError("landlock_restrict_self");
    close(ruleset);
    return failure;
}

std::string filterCalls(const Options &options)
{
    if (!haveSeccomp())
        return {};
    // Everything else is needed by some interpreter or library on some day, and harmless behind the other walls.
    static const char *const refused[] = {
        // network (all families; local sockets too)
        "socket",
        "socketpair",
        "bind",
        "connect",
        "listen",
        "accept",
        "accept4",
        "sendto",
        "sendmsg",
        "sendmmsg",
        // other processes
        "ptrace",
        "process_vm_readv",
        "process_vm_writev",
        "kcmp",
        "pidfd_open",
        "pidfd_getfd",
        "pidfd_send_signal",
        "tkill",
        "rt_sigqueueinfo",
        "rt_tgsigqueueinfo",
        "setpriority",
        "ioprio_set",
        "sched_setscheduler",
        "sched_setparam",
        "sched_setattr",
        "setrlimit",
        "process_madvise",
        "migrate_pages",
        "move_pages",
        // mounts, name spaces, handles
        "mount",
        "umount2",
        "umount",
        "pivot_root",
        "chroot",
        "unshare",
        "setns",
        "move_mount",
        "open_tree",
        "fsopen",
        "fsconfig",
        "fsmount",
        "fspick",
        "mount_setattr",
        "name_to_handle_at",
        "open_by_handle_at",
        // what Landlock does not look at: attributes of files anywhere
        "chmod",
        "fchmod",
        "fchmodat",
        "fchmodat2",
        "chown",
        "fchown",
        "lchown",
        "fchownat",
        "utime",
        "utimes",
        "utimensat",
        "futimesat",
        "setxattr",
        "lsetxattr",
        "fsetxattr",
        "setxattrat",
        "removexattr",
        "lremovexattr",
        "fremovexattr",
        "removexattrat",
        "mknod",
        "mknodat",
        "fanotify_init",
        "inotify_init",
        "inotify_init1",
        "quotactl",
        "quotactl_fd",
        // the kernel itself
        "bpf",
        "perf_event_open",
        "userfaultfd",
        "io_uring_setup",
        "io_uring_enter",
        "io_uring_register",
        "keyctl",
        "add_key",
        "request_key",
        "kexec_load",
        "kexec_file_load",
        "init_module",
        "finit_module",
        "delete_module",
        "reboot",
        "swapon",
        "swapoff",
        "sethostname",
        "setdomainname",
        "settimeofday",
        "clock_settime",
        "clock_adjtime",
        "adjtimex",
        "acct",
        "syslog",
        "ioperm",
        "iopl",
        "modify_ldt",
        "vhangup",
        "personality",
        "lookup_dcookie",
        "nfsservctl",
        "shmget",
        "shmat",
        "shmctl",
        "msgget",
        "semget",
        "mq_open",
        "mq_unlink",
        "memfd_secret",
    };
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return "seccomp_init failed";
    int status = 0;
    for (const char *name : refused) {
        const int number = seccomp_syscall_resolve_name(name);
        if (number != __NR_SCMP_ERROR && status == 0)
            status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
    // A newer clone hides its flags from filters; without it the C library falls back to the older one.
    if (status == 0)
        status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    const auto refuse = [&](int number, scmp_arg_cmp argument) {
        if (status == 0)
            status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 1, argument);
    };
    refuse(SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_NE, 0)); // reading a limit is fine
    if (options.processes <= 1) {
        refuse(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
        if (status == 0)
            status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fork), 0);
        if (status == 0)
            status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(vfork), 0);
        // abort() and pthread_kill reach only the process itself.
        const auto self = static_cast<scmp_datum_t>(getpid());
        refuse(SCMP_SYS(kill), SCMP_A0(SCMP_CMP_NE, self));
        refuse(SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_NE, self));
    }
    for (const unsigned long flag :
        {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
        refuse(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
    for (const unsigned long request : {static_cast<unsigned long>(TIOCSTI), static_cast<unsigned long>(TIOCLINUX)}) {
        if (status == 0)
            status = seccomp_rule_add(
                filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffUL, request));
    }
    if (status == 0)
        status = seccomp_load(filter);
    seccomp_release(filter);
    return status == 0 ? std::string() : std::string("seccomp: ") + std::strerror(-status);
}

std::string limitResources(const Options &options)
{
    const auto limit = [](auto resource, std::uint64_t soft, std::uint64_t hard) {
        const rlimit value{static_cast<rlim_t>(soft), static_cast<rlim_t>(hard)};
        return setrlimit(resource, &value) == 0;
    };
    bool good = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_NOFILE, 256, 256) && limit(RLIMIT_MEMLOCK, 0, 0)
        && limit(RLIMIT_MSGQUEUE, 0, 0);
    if (options.memory)
        good = good && limit(RLIMIT_AS, options.memory, options.memory);
    if (options.files)
        good = good && limit(RLIMIT_FSIZE, options.files, options.files);
    if (options.cpu)
        good = good && limit(RLIMIT_CPU, options.cpu, options.cpu + 1); // SIGXCPU, a second later SIGKILL
    // Deep recursion ends as an error of the interpreter, not of the stack.
    limit(RLIMIT_STACK, 64U << 20, 64U << 20);
    return good ? std::string() : systemError("setrlimit");
}

std::string dropCapabilities()
{
    for (int capability = 0; capability <= 63; ++capability) {
        if (prctl(PR_CAPBSET_READ, capability) == 1)
            prctl(PR_CAPBSET_DROP, capability, 0, 0, 0); // needs CAP_SETPCAP; without it there is nothing to drop
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    return syscall(SYS_capset, &header, data) == 0 ? std::string() : systemError("capset");
}

} // namespace

int landlockVersion()
{
    const long version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, static_cast<unsigned>(LANDLOCK_CREATE_RULESET_VERSION));
    return version > 0 ? static_cast<int>(version) : 0;
}

bool haveSeccomp()
{
    // EFAULT: the mode is known and the missing filter was looked for.
    return prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, nullptr, 0, 0) != 0 && errno == EFAULT;
}

std::string confine(const Options &options)
{
    // The limits first: the filter takes setrlimit away.
    std::string failure = limitResources(options);
    if (failure.empty())
        failure = dropCapabilities();
    if (failure.empty() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        failure = systemError("no_new_privs");
    if (failure.empty())
        failure = restrictFiles(options);
    if (failure.empty())
        failure = filterCalls(options);
    return failure;
}

} // namespace accelopt::sandbox
