import Foundation
import Testing

@testable import SkiathosCore

/// What an access does that finds a slot taken.
@Suite struct SlotTurnTests {
    private static let hasSeveralCores = ProcessInfo.processInfo.activeProcessorCount > 1
    private let turn = SlotTurn()

    @Test(.enabled(if: hasSeveralCores))
    func `a slot that becomes free is reserved without the queue`() {
        #expect(turn.reserve())
        var isFreed = false
        let isReserved = turn.reserveSoon {
            // Another access ends while this one waits.
            if !isFreed { isFreed = !turn.endReservation() }
            return false
        }
        #expect(isReserved)
        #expect(turn.isReserved)
        #expect(!turn.endReservation())
    }

    @Test func `a slot for which accesses are queued is left to them`() {
        #expect(turn.claim())
        #expect(!turn.reserveSoon { false })
        turn.free()
        #expect(turn.reserve())
        #expect(turn.awaitEnd())
        #expect(!turn.reserveSoon { false })
        // The access that had it gives it back to the gate.
        #expect(turn.endReservation())
    }

    @Test func `a free slot is not reserved once the gate is closed`() {
        #expect(!turn.reserveSoon { true })
        #expect(!turn.isReserved)
    }

    @Test func `waiting for a slot ends although none becomes free`() {
        #expect(turn.reserve())
        #expect(!turn.reserveSoon { false })
        #expect(!turn.endReservation())
    }
}
