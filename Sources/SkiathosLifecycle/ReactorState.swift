#if Lifecycle
/// What a running reactor does next, by what has happened so far.
///
/// It decides and does nothing itself; ``RunningReactor`` acts.
struct ReactorState: Sendable {
    enum Phase: Sendable, Equatable {
        /// The work runs. Exits: `.stopping` when it is asked to stop; `.closing` when it has ended.
        case working
        /// The work was asked to stop. Exits: `.closing` when it has ended, when its time has
        /// passed, or when the stop is hurried.
        case stopping
        /// The stores are being shut down. Exit: `.closed` when they are.
        case closing
        /// Only the caller has to continue. No exit.
        case closed
    }

    enum Event: Sendable {
        /// The work has returned or thrown.
        case workEnded(Result<Void, any Error>)
        /// A signal, a state of the app or the cancellation of the caller asks to stop; the process
        /// is about to end in the first two cases.
        case stopRequested(endsProcess: Bool)
        /// A further signal has come.
        case hurried
        /// The work had its share of the deadline.
        case workTimePassed
        /// The stores were shut down.
        case storesClosed
    }

    enum Action: Sendable, Equatable {
        /// Cancel the work, and tell when its time has passed.
        case stopWork
        /// Shut the stores down, within the deadline.
        case closeStores
        /// End the deadlines of the stores.
        case hurryStores
        /// React if the caller gets no thread to continue.
        case watchPool
    }

    private(set) var phase = Phase.working
    /// How the work has ended; `nil` while it runs.
    private(set) var work: Result<Void, any Error>?
    /// Whether the work was asked to stop before it ended.
    private(set) var wasStopped = false
    private var endsProcess = false

    /// Takes an event, and returns what has to be done, in this order.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .workEnded(let result):
            work = result
            return close(from: [.working, .stopping])
        case .workTimePassed: return close(from: [.stopping])
        case .hurried: return [.hurryStores] + close(from: [.working, .stopping])
        case .stopRequested(let endsProcess): return requestStop(endsProcess)
        case .storesClosed:
            phase = .closed
            return endsProcess ? [.watchPool] : []
        }
    }

    private mutating func requestStop(_ endsProcess: Bool) -> [Action] {
        let isNews = endsProcess && !self.endsProcess
        if endsProcess { self.endsProcess = true }
        switch phase {
        case .working:
            phase = .stopping
            wasStopped = true
            return [.stopWork]
        case .stopping, .closing: return []
        case .closed: return isNews ? [.watchPool] : []
        }
    }

    private mutating func close(from phases: [Phase]) -> [Action] {
        guard phases.contains(phase) else { return [] }
        phase = .closing
        return [.closeStores]
    }
}
#endif
