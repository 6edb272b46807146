import Skiathos
import SkiathosCore
import SkiathosStore

/// A small write of a ``JoinedBatchRun``.
struct JoinedWrite: Sendable {
    enum Kind: Sendable, CaseIterable {
        /// A new row.
        case row
        /// A new row whose name is taken.
        case repeated
        /// A new row that refers to no team.
        case dangling
        /// Two new rows.
        case pair
        /// A change of a row.
        case change
        /// A new row, by a task that is cancelled.
        case cancelled
    }

    let number: Int
    let kind: Kind
    let level: Acknowledgement

    /// The rank under which each player is found, if the write was done.
    var effect: [String: Int] {
        switch kind {
        case .row, .cancelled, .repeated, .dangling: ["new \(number)": number]
        case .pair: ["new \(number)": number, "twin \(number)": number]
        case .change: [JoinedBatchBase.name(number): 1_000_000 + number]
        }
    }

    /// Writes, and returns the IDs of new rows.
    func run(in context: WriteContext) throws -> [Player.ID] {
        switch kind {
        case .row: return [try create("new \(number)", in: context)]
        case .repeated:
            // The row would be found by its rank.
            return [try create(JoinedBatchBase.name(number), in: context)]
        case .dangling: return [try create("new \(number)", team: 99, in: context)]
        case .pair:
            return [
                try create("new \(number)", in: context), try create("twin \(number)", in: context),
            ]
        case .change:
            let id = Player.ID(rawValue: Int64(number) + 1)
            try Player.find(id, in: context)?.rank = 1_000_000 + number
            return []
        case .cancelled:
            withUnsafeCurrentTask { $0?.cancel() }
            return [try create("new \(number)", in: context)]
        }
    }

    private func create(
        _ name: String, team: Team.ID = 1, in context: WriteContext
    ) throws -> Player.ID {
        try Player.create(in: context) {
            $0.name = name
            $0.rank = number
            $0.team = team
            $0.text = JoinedBatchBase.text
        }.id
    }

    /// Whether an error is that of a sound store.
    func isExpected(_ error: any Error) -> Bool {
        switch kind {
        case .row, .pair, .change: false
        case .repeated: (error as? StoreError)?.code == .uniqueViolation
        case .dangling: (error as? StoreError)?.code == .foreignKeyViolation
        case .cancelled: error is CancellationError
        }
    }

    /// Whether a sound store does it.
    var isSound: Bool {
        switch kind {
        case .row, .pair, .change: true
        case .repeated, .dangling, .cancelled: false
        }
    }
}
