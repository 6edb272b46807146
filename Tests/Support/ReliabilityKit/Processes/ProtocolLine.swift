package import SkiathosCore
import SkiathosPlatformLibC

/// The messages of a child to its parent, one line each.
package enum ProtocolLine: Sendable, Hashable {
    /// It has come to a point.
    case reached(Point)
    /// A call was acknowledged: the ledger's write of a number is as far as a level.
    case done(Form, Acknowledgement, Int)
    /// A call has failed, and nothing of it was done.
    case refused(Form, String)
    /// How many writes it has asked for in all, and how many completions were called only after
    /// the store had been stopped.
    case issued(Int, late: Int)
    /// What a shutdown has come to.
    case report(isClosed: Bool, isDurable: Bool, refused: Int, unfinished: Int)

    /// Points that a parent may wait for.
    package enum Point: String, Sendable, Hashable {
        /// Signals do not end the process by themselves any more.
        case trapped
        /// The store is being opened now.
        case opening
        /// It is open.
        case open
        /// All writes that the plan wants to have waiting are waiting.
        case queued
        /// The operation of a file that the plan names is about to be done.
        case held
        /// A signal has arrived.
        case signalled
        /// A signal was taken up by what stops the store.
        case noticed
        /// An incomplete shutdown was logged.
        case reported
        /// Reads are refused, since the work or the store is stopping.
        case stopping
    }

    /// Ways to ask for a write, and to learn what is stored.
    package enum Form: String, Sendable, Hashable, CaseIterable {
        /// `await write { }`.
        case awaited
        /// `write { }`, which blocks a thread.
        case blocking
        /// `write(_:completion:)`.
        case completed
        /// `enqueue`, acknowledged when its closure has ended.
        case enqueued
        /// `enqueue` and then `flush(to:)`.
        case flushed
        /// A read, which shows nothing that is not committed.
        case seen

        /// Whether it is a write, which was counted when it was issued.
        package var isWrite: Bool { self != .flushed && self != .seen }

        /// Whether the store calls a completion when it is done or refused, and no task waits.
        package var hasCompletion: Bool { self == .completed || self == .enqueued }
    }

    /// Reads a line; `nil` if it is none of these.
    package init?(_ text: some StringProtocol) {
        let words = text.split(whereSeparator: { $0 == " " }).map { String($0) }
        switch (words.first, words.count) {
        case ("reached", 2):
            guard let point = Point(rawValue: words[1]) else { return nil }
            self = .reached(point)
        case ("done", 4):
            guard let form = Form(rawValue: words[1]), let number = Int(words[3]),
                let level = Int(words[2]).flatMap(Acknowledgement.init)
            else { return nil }
            self = .done(form, level, number)
        case ("refused", 3):
            guard let form = Form(rawValue: words[1]) else { return nil }
            self = .refused(form, words[2])
        case ("issued", 3):
            guard let count = Int(words[1]), let late = Int(words[2]) else { return nil }
            self = .issued(count, late: late)
        case ("report", 5):
            let numbers = words.compactMap { Int($0) }
            guard numbers.count == 4 else { return nil }
            self = .report(
                isClosed: numbers[0] == 1, isDurable: numbers[1] == 1, refused: numbers[2],
                unfinished: numbers[3])
        default: return nil
        }
    }

    private var text: String {
        switch self {
        case .reached(let point): "reached \(point.rawValue)"
        case .done(let form, let level, let number):
            "done \(form.rawValue) \(level.rawValue) \(number)"
        case .refused(let form, let reason): "refused \(form.rawValue) \(reason)"
        case .issued(let count, let late): "issued \(count) \(late)"
        case .report(let isClosed, let isDurable, let refused, let unfinished):
            "report \(isClosed ? 1 : 0) \(isDurable ? 1 : 0) \(refused) \(unfinished)"
        }
    }

    /// Writes the line to the standard output at once, with one call of the system: it is there as
    /// a whole or not at all, and there before this returns.
    package func say() {
        let bytes = Array((text + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else {
            _exit(ChildProcess.codeOfOrphans)
        }
    }
}
