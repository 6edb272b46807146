import SkiathosLocks
import Synchronization

/// The threads of the process that are inside a store's closure and wait for another store.
///
/// Two stores whose closures use each other wait for ever once each has its own permit and
/// wants the other's. The last thread that begins to wait finds that here.
final class NestedWaits: Sendable {
    private struct Wait {
        /// How many slots of each gate the thread has.
        let held: [ObjectIdentifier: Int]
        let wanted: ObjectIdentifier
        /// How many slots the wanted gate has.
        let capacity: Int
    }

    private struct State {
        var waits: [Int: Wait] = [:]
        var next = 0
    }

    static let shared = NestedWaits()

    private let state = Lock(State())

    private init() {}

    /// Registers a thread that is about to wait.
    ///
    /// - Returns: The number for ``end(_:)``, or `nil` if the wait would never end.
    func begin(holding held: [AdmissionGate], wanting gate: AdmissionGate) -> Int? {
        let wait = Wait(
            held: Dictionary(held.map { (ObjectIdentifier($0), 1) }, uniquingKeysWith: +),
            wanted: ObjectIdentifier(gate), capacity: gate.capacity)
        return state.withLock { state in
            let number = state.next
            state.next += 1
            state.waits[number] = wait
            guard Self.isStuck(number, in: state.waits) else { return number }
            state.waits[number] = nil
            return nil
        }
    }

    /// Removes a thread that no longer waits.
    func end(_ number: Int) { state.withLock { $0.waits[number] = nil } }

    /// Whether a wait never ends.
    ///
    /// Removes, repeatedly, the waits that can end because not all slots that they want are
    /// held by others that wait.
    private static func isStuck(_ number: Int, in waits: [Int: Wait]) -> Bool {
        var stuck = waits
        while true {
            var held: [ObjectIdentifier: Int] = [:]
            for wait in stuck.values { held.merge(wait.held, uniquingKeysWith: +) }
            let remaining = stuck.filter { held[$0.value.wanted, default: 0] >= $0.value.capacity }
            guard remaining[number] != nil else { return false }
            if remaining.count == stuck.count { return true }
            stuck = remaining
        }
    }
}
