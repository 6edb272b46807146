import ReliabilityKit
import TestSupport

/// How much each test does.
///
/// The sanitizers make everything several times as slow. The thread sanitizer finds nothing where one
/// thread looks at image after image.
enum Load {
    #if THREAD_SANITIZER
    static let images = 60
    static let faultyImages = 40
    #elseif ADDRESS_SANITIZER
    static let images = 500
    static let faultyImages = 200
    #else
    static let images = 8_000
    static let faultyImages = 2_000
    #endif
    #if THREAD_SANITIZER || ADDRESS_SANITIZER
    static let usualHistories = 60
    static let usualLiveHistories = 60
    static let usualFaultsOfAKind = 4
    static let killedStores = 6
    static let terminations = 3
    static let queued = 1_000
    static let starts = 5
    static let damagedStores = 2
    static let callFaults = 0
    static let imagesPerMoment = 1
    static let usualAccessPairs = 40
    static let mutants = 40
    static let stopCases = StopCase.all.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
    #else
    static let usualHistories = 160
    static let usualLiveHistories = 600
    static let usualFaultsOfAKind = 12
    static let killedStores = 30
    static let terminations = 30
    static let queued = 3_000
    static let starts = 20
    static let damagedStores = 10
    static let callFaults = 12
    static let imagesPerMoment = 6
    static let usualAccessPairs = 8
    static let mutants = 150
    static let stopCases = StopCase.all
    #endif
    /// One of how many pairs of accesses is tried; all of them with `ACCESS_PAIRS=1` in the environment.
    static let accessPairs = setting("ACCESS_PAIRS") ?? usualAccessPairs
    /// How many random histories are run; `HISTORIES=500` in the environment runs more.
    ///
    /// Each planted bug is found by a handful of them.
    static let histories = setting("HISTORIES") ?? usualHistories
    /// How many histories of writes and observations are run; `LIVE_HISTORIES=10000` in the
    /// environment runs more.
    static let liveHistories = setting("LIVE_HISTORIES") ?? usualLiveHistories
    /// How many operations of a kind fail; `FAULTS_OF_A_KIND=1000` in the environment lets each one
    /// fail.
    static let faultsOfAKind = setting("FAULTS_OF_A_KIND") ?? usualFaultsOfAKind

    /// How many processes are killed on each store.
    static let livesPerStore = 5
}
