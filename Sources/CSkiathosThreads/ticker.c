#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CSkiathosThreads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000

struct skiathos_ticker {
    pthread_mutex_t mutex;
    /// Signalled when the thread has to end. Measured by the monotonic clock where its wait takes a
    /// moment, so that setting the time of the system neither delays nor hastens a tick.
    pthread_cond_t stop;
    /// Guarded by the mutex.
    bool is_stopped;
    /// The thread and the owner, while they use this. Guarded by the mutex.
    int users;
    // The others never change.
    pid_t process;
    char name[16];
    int64_t interval;
    void (*tick)(void *);
    void (*release)(void *);
    void *context;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)SECOND + time.tv_nsec;
}

/// Ends a use; called with the mutex held, which it releases.
static void leave(skiathos_ticker *ticker) {
    bool is_last = --ticker->users == 0;
    pthread_mutex_unlock(&ticker->mutex);
    if (!is_last) return;
    pthread_cond_destroy(&ticker->stop);
    pthread_mutex_destroy(&ticker->mutex);
    free(ticker);
}

static int make_condition(pthread_cond_t *condition) {
#if defined(__APPLE__)
    return pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t attributes;
    int code = pthread_condattr_init(&attributes);
    if (code != 0) return code;
    code = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (code == 0) code = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return code;
#endif
}

/// Waits until a moment or until the ticker is stopped; called with the mutex held.
static void wait_until(skiathos_ticker *ticker, int64_t moment) {
#if defined(__APPLE__)
    // This system's condition variables know only the clock that can be set, or a span.
    int64_t rest = moment - now();
    if (rest <= 0) return;
    struct timespec span = {rest / SECOND, rest % SECOND};
    pthread_cond_timedwait_relative_np(&ticker->stop, &ticker->mutex, &span);
#else
    struct timespec deadline = {moment / SECOND, moment % SECOND};
    pthread_cond_timedwait(&ticker->stop, &ticker->mutex, &deadline);
#endif
}

static void *run(void *argument) {
    skiathos_ticker *ticker = argument;
#if defined(__APPLE__)
    pthread_setname_np(ticker->name);
#else
    pthread_setname_np(pthread_self(), ticker->name);
#endif
    int64_t due = now() + ticker->interval;
    pthread_mutex_lock(&ticker->mutex);
    while (!ticker->is_stopped) {
        // Also after a wake-up without a reason.
        int64_t moment = now();
        if (moment < due) {
            wait_until(ticker, due);
            continue;
        }
        pthread_mutex_unlock(&ticker->mutex);
        ticker->tick(ticker->context);
        // Ticks that were missed are not made up for.
        due = due + ticker->interval > moment ? due + ticker->interval : moment + ticker->interval;
        pthread_mutex_lock(&ticker->mutex);
    }
    pthread_mutex_unlock(&ticker->mutex);
    ticker->release(ticker->context);
    pthread_mutex_lock(&ticker->mutex);
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

int skiathos_start_ticker(
    const char *name, int64_t nanoseconds, void (*tick)(void *), void (*release)(void *),
    void *context, skiathos_ticker **result) {
    skiathos_ticker *ticker = calloc(1, sizeof *ticker);
    if (!ticker) return ENOMEM;
    ticker->users = 2;
    ticker->process = getpid();
    for (size_t i = 0; i < sizeof ticker->name - 1 && name[i]; i++) ticker->name[i] = name[i];
    ticker->interval = nanoseconds;
    ticker->tick = tick;
    ticker->release = release;
    ticker->context = context;
    int code = pthread_mutex_init(&ticker->mutex, NULL);
    if (code == 0) {
        code = make_condition(&ticker->stop);
        if (code == 0) {
            code = start_thread(ticker);
            if (code != 0) pthread_cond_destroy(&ticker->stop);
        }
        if (code != 0) pthread_mutex_destroy(&ticker->mutex);
    }
    if (code != 0) {
        free(ticker);
        return code;
    }
    *result = ticker;
    return 0;
}

void skiathos_stop_ticker(skiathos_ticker *ticker) {
    // A child of a fork has no such thread, and the mutex may be held by it for ever.
    if (getpid() != ticker->process) return;
    pthread_mutex_lock(&ticker->mutex);
    ticker->is_stopped = true;
    pthread_cond_signal(&ticker->stop);
    leave(ticker);
}
