import ReliabilityKit
import TestSupport

/// How much each test does.
enum Load {
    /// How many lives the disk has whose power is cut.
    static let lives = Rounds.isSanitized ? 4 : 10
    static let images = Rounds.of(1_600)
    /// How many disks fail before their power is cut.
    static let faultyRuns = Rounds.isSanitized ? 2 : 4
    static let faultyImages = Rounds.of(600)
    static let imagesPerMoment = Rounds.of(2)
    static let histories = Rounds.of(80, least: 20)
    static let liveHistories = Rounds.of(600)
    /// How many operations of a kind fail.
    static let faultsOfAKind = Rounds.of(5, least: 2)
    /// How many calls of the system fail; a sanitizer has to be loaded before the library that lets them.
    static let callFaults = Rounds.isSanitized ? 0 : Rounds.of(8)
    static let killedStores = Rounds.of(10, least: 3)
    /// How many processes are killed on each store.
    static let livesPerStore = 5
    static let terminations = Rounds.of(10, least: 3)
    static let hurriedShutdowns = Rounds.of(20, least: 8)
    /// How many writes wait when a store is closed.
    static let queued = Rounds.isSanitized ? 1_000 : 3_000
    /// One of how many moments of a store's life its files are photographed.
    static let pictureStep = Rounds.step(5)
    static let starts = Rounds.of(8, least: 3)
    static let damagedStores = Rounds.of(3)
    static let mutants = Rounds.of(60, least: 40)
    /// One of how many pairs of accesses is tried.
    static let accessPairs = Rounds.step(8)
    static let stopCases = Rounds.some(of: StopCase.all)
}
