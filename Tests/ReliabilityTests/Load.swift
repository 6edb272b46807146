import Foundation
import ReliabilityKit

/// How much each test does.
///
/// The sanitizers make everything several times as slow.
enum Load {
    #if THREAD_SANITIZER || ADDRESS_SANITIZER
    static let histories = 60
    static let images = 500
    static let faultyImages = 200
    static let faultsOfAKind = 4
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
    static let histories = 500
    static let images = 8_000
    static let faultyImages = 2_000
    static let faultsOfAKind = 40
    static let killedStores = 30
    static let terminations = 30
    static let queued = 10_000
    static let starts = 20
    static let damagedStores = 10
    static let callFaults = 12
    static let imagesPerMoment = 6
    static let usualAccessPairs = 8
    static let mutants = 150
    static let stopCases = StopCase.all
    #endif
    /// One of how many pairs of accesses is tried; all of them with `ACCESS_PAIRS=1` in the environment.
    static var accessPairs: Int {
        ProcessInfo.processInfo.environment["ACCESS_PAIRS"].flatMap { Int($0) } ?? usualAccessPairs
    }

    /// How many processes are killed on each store.
    static let livesPerStore = 5
}
