import Testing

@testable import ReliabilityKit

/// The rules that concern an operation's own view, cycles of writes, places and acknowledgements.
struct CycleTests {
    @Test func `an operation that does not see itself, or two versions, is found`() {
        let blind = violations([done(1, 1, 2, [.write(x, 11), .read(x, [])])])
        #expect(blind.first?.rule == .inconsistentView)
        let changing = violations([
            done(1, 1, 3, [.write(x, 11)]), done(2, 2, 4, [.read(x, []), .read(x, [11])]),
        ])
        #expect(changing.contains { $0.rule == .inconsistentView })
        let own = [done(1, 1, 2, [.read(x, []), .write(x, 11), .read(x, [11])])]
        #expect(violations(own).isEmpty)
    }

    @Test func `writes in opposite orders are found`() {
        let found = violations([
            done(1, 1, 3, [.write(x, 11), .write(y, 12)]),
            done(2, 2, 4, [.write(x, 21), .write(y, 22)]),
            done(3, 5, 6, [.read(x, [11, 21])]), done(4, 7, 8, [.read(y, [22, 12])]),
        ])
        #expect(found.map(\.rule) == [.writeCycle])
    }

    @Test func `operations that read from each other are found`() {
        let found = violations([
            done(1, 1, 3, [.write(x, 11), .read(y, [21])]),
            done(2, 2, 4, [.write(y, 21), .read(x, [11])]),
        ])
        #expect(found.map(\.rule) == [.circularFlow])
    }

    @Test func `a cycle over many operations is found and reported in its shortest form`() {
        var history = (1...200).map { number in
            done(number, number * 2, number * 2 + 1, [.write(.list(number), number)])
        }
        history.append(done(201, 500, 501, [.read(.list(1), []), .read(.list(2), [2])]))
        history.append(done(202, 502, 503, [.read(.list(1), [1])]))
        let found = violations(history)
        #expect(found.map(\.rule) == [.realTime])
        #expect(found.first?.explanation.contains(";") == true)
        #expect((found.first?.explanation.split(separator: ";").count ?? 9) == 2)
    }

    @Test func `places that are taken twice, left out or contradicted are found`() {
        let first = placed(done(1, 1, 4, [.write(x, 11)]), 1)
        let good = [first, placed(done(2, 2, 5, [.read(x, [11]), .write(x, 21)]), 2)]
        #expect(violations(good).isEmpty)
        let twice = [first, placed(done(2, 2, 5, [.write(x, 21)]), 1)]
        #expect(violations(twice).map(\.rule) == [.serialOrder])
        let hole = [first, placed(done(2, 2, 5, [.write(x, 21)]), 3)]
        #expect(violations(hole).map(\.rule) == [.serialOrder])
        let wrong = [first, placed(done(2, 2, 5, [.read(x, []), .write(x, 21)]), 2)]
        #expect(violations(wrong).contains { $0.rule == .serialOrder })
        let behind = [first, placed(done(2, 5, 6, [.read(y, [])]), 0, taking: false)]
        #expect(violations(behind).map(\.rule) == [.realTime])
    }

    @Test func `registers that are set blindly are ordered by their places`() {
        let writes = [
            placed(done(1, 1, 4, [.write(register, 11)]), 2),
            placed(done(2, 2, 5, [.write(register, 21)]), 1),
        ]
        #expect(violations(writes + [done(3, 6, 7, [.read(register, [11])])]).isEmpty)
        let stale = violations(writes + [done(3, 6, 7, [.read(register, [21])])])
        #expect(stale.map(\.rule) == [.realTime])
    }

    @Test func `an acknowledgement before its commit or sync is found`() {
        func history(durable: Int, committed: Int) -> [HistoryOperation] {
            var operation = placed(done(1, 1, 2, []), 1)
            operation.evidence = HistoryOperation.Evidence(
                committed: 1, durable: 1, committedInStore: committed, durableInStore: durable)
            return [operation]
        }
        #expect(violations(history(durable: 1, committed: 1)).isEmpty)
        #expect(
            violations(history(durable: 0, committed: 1)).map(\.rule) == [.earlyAcknowledgement])
        #expect(
            violations(history(durable: 1, committed: 0)).map(\.rule) == [.earlyAcknowledgement])
    }

    /// The second is acknowledged first as durable, and with it the first, which is not
    /// synced.
    @Test func `durable acknowledgements in another order than the commits are found`() {
        var first = placed(done(1, 1, 4, [.write(x, 11)]), 1)
        var second = placed(done(2, 2, 3, [.write(x, 21)]), 2)
        second.evidence = HistoryOperation.Evidence(
            committed: 2, durable: 2, committedInStore: 2, durableInStore: 0)
        first.evidence = HistoryOperation.Evidence(
            committed: 1, durable: 1, committedInStore: 2, durableInStore: 2)
        let found = violations([first, second, done(3, 5, 6, [.read(x, [11, 21])])])
        #expect(found.map(\.rule) == [.earlyAcknowledgement])
        #expect(found.first?.explanation.contains("#2") == true)
    }
}
