#if RANDOM_PAUSES
import SkiathosPlatformLibC
import Synchronization

/// A value that one thread at a time can use, whose users pause before or after they have it.
///
/// A thread may lose its processor at any time, but on an idle machine it hardly ever does, and never
/// twice at one place. Between the use of one lock and that of the next the state of a program is
/// visible to others, so this is where pauses show what relies on their absence.
package struct Lock<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        Pauses.pass(file, line, isAfter: false)
        defer { Pauses.pass(file, line, isAfter: true) }
        return try mutex.withLock(body)
    }

    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        Pauses.pass(file, line, isAfter: false)
        defer { Pauses.pass(file, line, isAfter: true) }
        return try mutex.withLockIfAvailable(body)
    }
}

/// Pauses of threads at a few places, others with each seed; none without `SKIATHOS_PAUSES`.
///
/// The idea is that of probabilistic concurrency testing (Burckhardt et al., 2010): few places chosen at
/// random find most errors of order, and a seed repeats the choice.
private enum Pauses {
    /// One in so many places pauses.
    private static let places: UInt64 = 16
    /// Nanoseconds between two pauses at one place.
    private static let interval: UInt64 = 200_000_000
    /// Microseconds of the longest pause.
    private static let longest: UInt64 = 20_000

    private static let seed = getenv("SKIATHOS_PAUSES").flatMap { UInt64(String(cString: $0)) }

    /// The time from which each place may pause again.
    private static let next = Mutex<[UInt64: UInt64]>([:])

    static func pass(_ file: StaticString, _ line: UInt, isAfter: Bool) {
        guard let seed else { return }
        // The place of a name in its page is the same in each process of a program.
        let name = UInt64(UInt(bitPattern: file.utf8Start) & 0xfff)
        let place = mix(seed ^ mix(name << 32 | UInt64(line) << 1 | (isAfter ? 1 : 0)))
        guard place % places == 0 else { return }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        let isDue = next.withLock {
            guard $0[place, default: 0] <= now else { return false }
            $0[place] = now + interval
            return true
        }
        if isDue { usleep(UInt32(1_000 + mix(place ^ now) % longest)) }
    }

    /// The finalizer of SplitMix64 (Steele et al., 2014).
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
#endif
