import SkiathosCore

/// One operation that a client will carry out.
struct PlannedOperation: Sendable, Equatable {
    /// How it is called.
    enum Form: String, Sendable, Equatable {
        case read, write
        /// `write(_:completion:)`; the client continues without waiting for it.
        case completion
        /// The same, but the client waits.
        case awaitedCompletion = "awaited completion"
        case enqueue
        case flush
    }

    /// When the task of an operation is cancelled, if it is.
    enum Cancellation: String, Sendable, Equatable {
        case never
        /// While it waits or runs, whatever comes first.
        case soon = "cancelled soon"
        /// Before the last step of its closure.
        case inside = "cancelled inside"
        /// From another thread, about when its closure ends.
        case ending = "cancelled at its end"
    }

    enum Step: Sendable, Equatable {
        case readList(Int)
        /// All at once, by their IDs.
        case readRegisters([Int])
        case append(Int, Int)
        /// Appends in a nested scope that throws.
        case undo(Int, Int)
        /// Reads a register and sets it.
        case replace(Int, Int)
        /// Sets a register without reading it.
        case overwrite(Int, Int)
    }

    var number: Int
    var client: Int
    var form: Form
    var steps: [Step] = []
    /// The level that is asked for, or `nil` for that of the configuration.
    var level: Acknowledgement?
    /// Whether the closure throws at its end.
    var isRefused = false
    /// Whether what it appends refers to no register, so that the store refuses it.
    var isDangling = false
    var cancellation = Cancellation.never
    /// Whether it takes a place among the writes, or asks for the last one.
    var isCounted = false

    var isRead: Bool { form == .read }
    var isAwaited: Bool { form != .enqueue && form != .completion }

    /// The form in words, for messages.
    var formText: String {
        var parts = [form.rawValue]
        if let level { parts.append(String(describing: level)) }
        if isRefused { parts.append("that throws") }
        if isDangling { parts.append("that refers to nothing") }
        if cancellation != .never { parts.append(cancellation.rawValue) }
        return parts.joined(separator: " ")
    }
}

/// What a closure throws to undo its write.
struct RefusedOperation: Error {
    let number: Int
}
