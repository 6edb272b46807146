#if Macros && Requests && Lifecycle && Hummingbird
import TestSupport
import Testing

/// A number that a caller passes in ends no process, whatever it is.
@Suite(.generousTimeLimit) struct PassedNumbersTests {
    @Test func `each number of the public interface is tried at both ends`() throws {
        let tried = (StoreNumbers.uses + RequestNumbers.uses + QueueNumbers.uses)
            .reduce(into: Set<String>()) { $0.formUnion($1.names) }
        let all = try PassedNumbers.all()
        #expect(all.subtracting(tried).sorted() == [], "They are tried by no use.")
        #expect(tried.subtracting(all).sorted() == [], "They are in no public declaration.")
    }

    @Test(arguments: StoreNumbers.uses)
    func `numbers of the store are taken or refused`(_ use: NumberUse) async {
        #expect(await use.run() == [])
    }

    @Test(arguments: RequestNumbers.uses)
    func `numbers of requests are taken or refused`(_ use: NumberUse) async {
        #expect(await use.run() == [])
    }

    @Test(arguments: QueueNumbers.uses)
    func `numbers of queues and syncs are taken or refused`(_ use: NumberUse) async {
        #expect(await use.run() == [])
    }
}
#endif
