import Testing

@testable import ReliabilityKit

/// Histories made by hand: each rule is found broken where it is, and only there.
struct CheckerTests {
    typealias Rule = HistoryViolation.Rule

    @Test func `a history that could have run in a row is accepted`() {
        let history = [
            done(1, 1, 4, [.read(register, [0]), .write(register, 11), .write(x, 12)]),
            done(2, 2, 5, [.read(x, []), .read(register, [0])]),
            done(3, 3, 6, [.write(x, 31), .write(x, 32), .read(x, [12, 31, 32])]),
            done(4, 7, 8, [.read(x, [12, 31, 32]), .read(register, [11])]),
        ]
        #expect(HistoryChecker.violations(of: history) == [])
    }

    @Test func `a lost update is found`() {
        let found = violations([
            done(1, 1, 3, [.read(register, [0]), .write(register, 11)]),
            done(2, 2, 4, [.read(register, [0]), .write(register, 21)]),
        ])
        #expect(found.map(\.rule) == [.lostUpdate])
        #expect(found.first?.explanation.contains("replaced it by 11 and 21") == true)
    }

    @Test func `write skew is found`() {
        let found = violations([
            done(1, 1, 3, [.read(x, []), .write(y, 11)]),
            done(2, 2, 4, [.read(y, []), .write(x, 21)]),
            done(3, 5, 6, [.read(x, [21]), .read(y, [11])]),
        ])
        #expect(found.map(\.rule) == [.writeSkew])
        #expect(found.first?.explanation.contains("whose 21 in list 1 it did not see") == true)
    }

    @Test func `a stale read is found`() {
        let found = violations([
            done(1, 1, 2, [.write(x, 11)]), done(2, 3, 4, [.read(x, [])]),
            done(3, 5, 6, [.read(x, [11])]),
        ])
        #expect(found.map(\.rule) == [.realTime])
        #expect(found.first?.explanation.contains("called after it had returned") == true)
    }

    @Test func `a later read that sees less than an earlier one is found`() {
        let found = violations([
            done(1, 1, 9, [.write(x, 11)]), done(2, 2, 3, [.read(x, [11])]),
            done(3, 4, 5, [.read(x, [])]),
        ])
        #expect(found.map(\.rule) == [.realTime])
    }

    @Test func `a torn read of two keys is found`() {
        let found = violations([
            done(1, 1, 3, [.write(x, 11), .write(y, 12)]),
            done(2, 2, 4, [.read(x, []), .read(y, [12])]),
            done(3, 5, 6, [.read(x, [11])]),
        ])
        #expect(found.map(\.rule) == [.readSkew])
    }

    @Test func `a read in the middle of a write is found`() {
        let lists = violations([
            done(1, 1, 3, [.write(x, 11), .write(x, 12)]), done(2, 2, 4, [.read(x, [11])]),
            done(3, 5, 6, [.read(x, [11, 12])]),
        ])
        #expect(lists.first?.rule == .intermediateRead)
        let registers = violations([
            done(1, 1, 3, [.read(register, [0]), .write(register, 11), .write(register, 12)]),
            done(2, 2, 4, [.read(register, [11])]),
        ])
        #expect(registers.map(\.rule) == [.intermediateRead])
    }

    @Test func `a read of what was rolled back is found`() {
        var failed = done(1, 1, 3, [.write(x, 11)])
        failed.outcome = .notDone
        #expect(
            violations([failed, done(2, 2, 4, [.read(x, [11])])]).map(\.rule) == [.abortedRead])
        #expect(violations([failed, done(2, 2, 4, [.read(x, [])])]).isEmpty)
        let nested = done(1, 1, 3, [.undone(register, 11)])
        let found = violations([nested, done(2, 2, 4, [.read(register, [11])])])
        #expect(found.map(\.rule) == [.abortedRead])
    }

    @Test func `a write that may have failed may be seen or not`() {
        var open = done(1, 1, 2, [.write(x, 11)])
        open.outcome = .unknown
        open.returned = .max
        #expect(violations([open, done(2, 3, 4, [.read(x, [])])]).isEmpty)
        #expect(violations([open, done(2, 3, 4, [.read(x, [11])])]).isEmpty)
    }

    @Test func `a failed closure must have seen a version that fits as well`() {
        var failed = done(2, 3, 4, [.read(x, []), .write(y, 21)])
        failed.outcome = .notDone
        let found = violations([
            done(1, 1, 2, [.write(x, 11)]), failed, done(3, 5, 6, [.read(x, [11])]),
        ])
        #expect(found.map(\.rule) == [.realTime])
    }

    @Test func `reads of a list that do not continue each other are found`() {
        let writers = [done(1, 1, 3, [.write(x, 11)]), done(2, 2, 4, [.write(x, 21)])]
        let swapped = [done(3, 5, 8, [.read(x, [11, 21])]), done(4, 6, 7, [.read(x, [21, 11])])]
        #expect(violations(writers + swapped).map(\.rule) == [.notAPrefix])
        let hole = [done(3, 5, 8, [.read(x, [11, 21])]), done(4, 6, 7, [.read(x, [21])])]
        #expect(violations(writers + hole).map(\.rule) == [.notAPrefix])
        let twice = [done(3, 5, 8, [.read(x, [11, 21, 11])])]
        #expect(violations(writers + twice).first?.rule == .duplicate)
    }

    @Test func `a lost write is found`() {
        let found = violations([done(1, 1, 2, [.write(x, 11)]), done(2, 3, 4, [.read(x, [])])])
        #expect(found.map(\.rule) == [.lostWrite])
        #expect(found.first?.explanation.contains("11 to list 1") == true)
    }

    @Test func `a value that no write has written is found`() {
        #expect(violations([done(1, 1, 2, [.read(x, [99])])]).map(\.rule) == [.unknownValue])
        #expect(violations([done(1, 1, 2, [.read(register, [-1])])]).map(\.rule) == [.unknownValue])
    }
}
