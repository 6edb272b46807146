#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CSkiathosThreads.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000

struct skiathos_ticker {
    /// A pipe to whose one end the owner writes to stop the thread, which waits at the other.
    int waiting_end;
    int stopping_end;
    atomic_bool is_stopped;
    /// The thread and the owner, while they use this.
    atomic_int users;
    // The others never change.
    pid_t process;
    char name[16];
    int descriptor;
    skiathos_pause first;
    skiathos_pause (*tick)(void *);
    void (*release)(void *);
    void *context;
};

/// Not changed by setting the time of the system, which neither delays nor hastens a tick.
static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)SECOND + time.tv_nsec;
}

/// Ends a use.
static void leave(skiathos_ticker *ticker) {
    if (atomic_fetch_sub(&ticker->users, 1) > 1) return;
    close(ticker->waiting_end);
    free(ticker);
}

/// Waits until a moment, the stop, or until there is something to read from a descriptor; returns
/// whether the wait is over.
static bool wait_until(skiathos_ticker *ticker, int64_t moment, int descriptor) {
    int64_t rest = moment - now();
    if (rest < 0) rest = 0;
    struct pollfd files[] = {{ticker->waiting_end, POLLIN, 0}, {descriptor, POLLIN, 0}};
    nfds_t count = descriptor < 0 ? 1 : 2;
#if defined(__linux__)
    struct timespec span = {rest / SECOND, rest % SECOND};
    int found = ppoll(files, count, &span, NULL);
#else
    // Not before the moment.
    int found = poll(files, count, (int)((rest + 999999) / 1000000));
#endif
    return found > 0 || now() >= moment;
}

static void *run(void *argument) {
    skiathos_ticker *ticker = argument;
#if defined(__APPLE__)
    pthread_setname_np(ticker->name);
#else
    pthread_setname_np(pthread_self(), ticker->name);
#endif
    skiathos_pause pause = ticker->first;
    while (!atomic_load(&ticker->is_stopped)) {
        int64_t start = now(), deaf = start + pause.deaf, end = start + pause.longest;
        // Also after a wake-up without a reason.
        if (pause.deaf > 0)
            while (!wait_until(ticker, deaf < end ? deaf : end, -1)) continue;
        while (!wait_until(ticker, end, ticker->descriptor)) continue;
        if (!atomic_load(&ticker->is_stopped)) pause = ticker->tick(ticker->context);
    }
    ticker->release(ticker->context);
    leave(ticker);
    return NULL;
}

/// Starts a detached thread that gets none of the signals which the process is sent: their handlers
/// run where the program expects them.
static int start_thread(skiathos_ticker *ticker) {
    sigset_t signals, before;
    sigfillset(&signals);
    // The faults of the thread itself.
    const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&signals, faults[i]);
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
    pthread_t thread;
    code = pthread_create(&thread, &attributes, run, ticker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return code;
}

/// Makes a pipe that programs started by this one do not get.
static int make_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#else
    if (pipe(ends) != 0) return errno;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

int skiathos_start_ticker(
    const char *name, skiathos_pause first, int descriptor, skiathos_pause (*tick)(void *),
    void (*release)(void *), void *context, skiathos_ticker **result) {
    int ends[2];
    int code = make_pipe(ends);
    if (code != 0) return code;
    skiathos_ticker *ticker = calloc(1, sizeof *ticker);
    code = ticker ? 0 : ENOMEM;
    if (code == 0) {
        ticker->waiting_end = ends[0];
        ticker->stopping_end = ends[1];
        atomic_init(&ticker->is_stopped, false);
        atomic_init(&ticker->users, 2);
        ticker->process = getpid();
        for (size_t i = 0; i < sizeof ticker->name - 1 && name[i]; i++) ticker->name[i] = name[i];
        ticker->descriptor = descriptor;
        ticker->first = first;
        ticker->tick = tick;
        ticker->release = release;
        ticker->context = context;
        code = start_thread(ticker);
    }
    if (code != 0) {
        free(ticker);
        close(ends[0]);
        close(ends[1]);
        return code;
    }
    *result = ticker;
    return 0;
}

void skiathos_stop_ticker(skiathos_ticker *ticker) {
    // A child of a fork has no such thread.
    if (getpid() != ticker->process) return;
    atomic_store(&ticker->is_stopped, true);
    // Closing the end would not do: a child of a fork has it open, too.
    while (write(ticker->stopping_end, "", 1) < 0 && errno == EINTR) continue;
    close(ticker->stopping_end);
    leave(ticker);
}
