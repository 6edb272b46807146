/// What an operation of a history reads and writes: a list that grows at its end, or a register.
package enum HistoryKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    case list(Int)
    case register(Int)

    /// The key in words.
    package var description: String {
        switch self {
        case .list(let number): "list \(number)"
        case .register(let number): "register \(number)"
        }
    }
}

/// One step of an operation, as its closure saw it.
package enum HistoryAccess: Sendable, Hashable {
    /// The elements of a list in order, or the one value of a register; a register that was
    /// never written holds 0.
    case read(HistoryKey, [Int])
    /// A value that no other step of the history writes: appended to a list, or set.
    case write(HistoryKey, Int)
    /// The same inside a nested scope that threw.
    case undone(HistoryKey, Int)
}

/// One transaction of a history: when it was called and had returned, and what it saw and did.
package struct HistoryOperation: Sendable {
    /// The outcome reported to the caller.
    package enum Outcome: String, Sendable {
        /// It is done.
        case done
        /// Nothing of it remains.
        case notDone = "not done"
        /// Either may be the case.
        case unknown
    }

    /// How far the writes were in the store when an acknowledgement arrived.
    package struct Evidence: Sendable, Hashable {
        /// The place that the acknowledgement promises as committed.
        package var committed: Int?
        /// The place that it promises as safe from the loss of power.
        package var durable: Int?
        /// The last place that the store had committed by then.
        package var committedInStore: Int
        /// The last place that was committed before a sync which had ended by then.
        package var durableInStore: Int
    }

    package var number: Int
    package var client = 0
    /// How it was called, for messages.
    package var form = ""
    package var outcome = Outcome.done
    /// Whether it was a read, which cannot write.
    package var isRead = false
    /// Whether its client did nothing else before it had returned.
    package var isAwaited = true
    /// When it was called and when its result was there, by a counter that all share.
    ///
    /// Without a result the end is `Int.max`.
    package var called: Int
    package var returned: Int
    package var accesses: [HistoryAccess]
    /// The place among all writes that it took, or for a read the last place that it saw.
    package var place: Int?
    /// Whether it took the place.
    package var takesPlace = false
    package var evidence: Evidence?

    package init(_ number: Int, called: Int, returned: Int, _ accesses: [HistoryAccess]) {
        self.number = number
        self.called = called
        self.returned = returned
        self.accesses = accesses
    }
}

extension HistoryOperation: CustomStringConvertible {
    /// The operation by its number, client and form.
    package var description: String {
        "#\(number) (client \(client)\(form.isEmpty ? "" : ", \(form)"))"
    }
}
