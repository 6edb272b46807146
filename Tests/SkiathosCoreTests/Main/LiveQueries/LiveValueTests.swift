#if canImport(Observation)
import Dispatch
import Observation
import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// Observed sequences as objects of the Observation framework.
@Suite(.generousTimeLimit) struct LiveValueTests {
    @Test func `a tracker is notified of each value, on a server without a main actor`()
        async throws
    {
        try await withNotes { dal in
            let live = LiveValue(dal.observe { try User.count(in: $0) })
            await changes(until: true) { live.hasValue }
            #expect(live.value == 0)
            for count in 1...3 {
                try await dal.write { try User.add(in: $0) }
                await changes(until: count) { live.value }
            }
            #expect(live.failure == nil)
            #expect(!live.hasEnded)
        }
    }

    @Test @MainActor func `an object that the main actor has made changes on it`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        let live = LiveValue(dal.observe { try User.count(in: $0) })
        // On Linux any thread may be the main actor's.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        let places = Log<Bool>()
        for count in 0...3 {
            await changes(
                until: count, { places.note(DispatchQueue.getSpecific(key: key) == true) }
            ) { live.value }
            try await dal.write { try User.add(in: $0) }
        }
        #expect(!places.entries.isEmpty)
        #expect(!places.entries.contains(false))
        try await dal.close()
    }

    @Test func `a tracker of another property is not notified`() async throws {
        try await withNotes { dal in
            let live = LiveValue(dal.observe { try User.count(in: $0) })
            await changes(until: true) { live.hasValue }
            let notified = Log<Void>()
            withObservationTracking {
                _ = (live.hasValue, live.failure, live.hasEnded)
            } onChange: {
                notified.note(())
            }
            try await dal.write { try User.add(in: $0) }
            await changes(until: 1) { live.value }
            #expect(notified.entries.isEmpty)
        }
    }

    @Test func `a row that does not exist is a value`() async throws {
        try await withNotes { dal in
            let live = LiveValue(dal.observe(User.ID(rawValue: 404)))
            #expect(!live.hasValue)
            await changes(until: true) { live.hasValue }
            #expect(live.value == .some(nil))
        }
    }

    @Test func `the error of the first read is the failure, and ends the object`() async throws {
        try await withNotes { dal in
            let live = LiveValue(dal.observe { try Country.count(in: $0) })
            await changes(until: true) { live.hasEnded }
            #expect((live.failure as? DataAccessError)?.code == .unknownEntity)
            #expect(live.value == nil)
            #expect(!live.hasValue)
        }
    }

    @Test func `a tracker of the failure alone is notified of it`() async {
        struct Failure: Error {}
        let (values, end) = AsyncThrowingStream.makeStream(of: Int.self)
        let live = LiveValue(values)
        let notified = Log<Void>()
        let hasFailed = withObservationTracking {
            live.failure != nil
        } onChange: {
            notified.note(())
        }
        #expect(!hasFailed)
        end.finish(throwing: Failure())
        // The notification of the end comes after it.
        await changes(until: true) { live.hasEnded }
        #expect(await happens { !notified.entries.isEmpty })
        #expect(live.failure is Failure)
    }

    @Test func `closing the store leaves the last value`() async throws {
        try await withNotes { dal in
            let live = LiveValue(dal.observe { try User.count(in: $0) })
            await changes(until: true) { live.hasValue }
            try await dal.close()
            await changes(until: true) { live.hasEnded }
            #expect(live.value == 0)
            #expect(live.failure == nil)
        }
    }

    @Test func `releasing the object ends the observation`() async throws {
        try await withNotes { dal in
            var live: LiveValue<Int>? = LiveValue(dal.observe { try User.count(in: $0) })
            await changes(until: 0) { [live] in live?.value }
            #expect(dal.coordinator.main.observerCount == 1)
            live = nil
            #expect(await happens { dal.coordinator.main.observerCount == 0 })
            #expect(live == nil)
        }
    }

    /// Waits until a tracked property has a value.
    ///
    /// - Parameter onChange: Called with each notification.
    private func changes<Value: Equatable & Sendable>(
        until expected: Value, isolation: isolated (any Actor)? = #isolation,
        _ onChange: @escaping @Sendable () -> Void = {}, _ property: () -> Value
    ) async {
        while true {
            let (notifications, notify) = AsyncStream<Void>.makeStream()
            let value = withObservationTracking(property) {
                onChange()
                notify.finish()
            }
            if value == expected { return }
            for await _ in notifications {}
        }
    }
}
#endif
