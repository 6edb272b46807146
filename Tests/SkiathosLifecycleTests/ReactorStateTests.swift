#if Lifecycle
import Testing

@testable import SkiathosLifecycle

/// What a reactor does next, without doing it.
struct ReactorStateTests {
    @Test func `work that ends by itself has the stores closed`() {
        var state = ReactorState()
        #expect(state.handle(.workEnded(.success(()))) == [.closeStores])
        #expect(!state.wasStopped)
        #expect(state.handle(.storesClosed) == [])
        #expect(state.phase == .closed)
    }

    @Test func `a request stops the work, and the stores are closed when it has ended`() {
        var state = ReactorState()
        #expect(state.handle(.stopRequested(endsProcess: true)) == [.stopWork])
        #expect(state.phase == .stopping)
        #expect(state.handle(.workEnded(.success(()))) == [.closeStores])
        #expect(state.wasStopped)
        // Its time has no meaning any more.
        #expect(state.handle(.workTimePassed) == [])
        #expect(state.handle(.storesClosed) == [.watchPool])
    }

    @Test func `work that does not end in its time is left behind`() {
        var state = ReactorState()
        #expect(state.handle(.stopRequested(endsProcess: false)) == [.stopWork])
        #expect(state.handle(.workTimePassed) == [.closeStores])
        #expect(state.work == nil)
        #expect(state.handle(.workEnded(.success(()))) == [])
        // The caller was cancelled, and the process may continue.
        #expect(state.handle(.storesClosed) == [])
    }

    @Test func `a hurried stop closes the stores at once, whatever it waits for`() {
        var state = ReactorState()
        #expect(state.handle(.stopRequested(endsProcess: true)) == [.stopWork])
        #expect(state.handle(.hurried) == [.hurryStores, .closeStores])
        #expect(state.handle(.hurried) == [.hurryStores])
        #expect(state.phase == .closing)
    }

    @Test func `a second request changes nothing but whether the process ends`() {
        var state = ReactorState()
        #expect(state.handle(.stopRequested(endsProcess: false)) == [.stopWork])
        #expect(state.handle(.stopRequested(endsProcess: true)) == [])
        #expect(state.handle(.workEnded(.success(()))) == [.closeStores])
        #expect(state.handle(.stopRequested(endsProcess: true)) == [])
        #expect(state.handle(.storesClosed) == [.watchPool])
    }

    @Test func `a signal after the stores were closed has the threads watched once`() {
        var state = ReactorState()
        #expect(state.handle(.workEnded(.success(()))) == [.closeStores])
        #expect(state.handle(.storesClosed) == [])
        #expect(state.handle(.stopRequested(endsProcess: false)) == [])
        #expect(state.handle(.stopRequested(endsProcess: true)) == [.watchPool])
        #expect(state.handle(.stopRequested(endsProcess: true)) == [])
    }

    @Test func `the stores have what the work leaves of the deadline, and a quarter at least`() {
        let budget = StopBudget(deadline: .seconds(8))
        #expect(budget.work == .seconds(6))
        #expect(budget.stores(after: .zero) == .seconds(8))
        #expect(budget.stores(after: .seconds(1)) == .seconds(7))
        #expect(budget.stores(after: .seconds(6)) == .seconds(2))
        #expect(budget.stores(after: .seconds(60)) == .seconds(2))
        #expect(StopBudget(deadline: .seconds(-1)).work == .zero)
        #expect(StopBudget(deadline: .seconds(Int64.max)).deadline == .seconds(3_155_760_000))
    }
}
#endif
