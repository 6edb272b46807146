import ArgumentParser

/// Who takes part, the one that others are measured by first.
enum ContestantKind: String, CaseIterable, ExpressibleByArgument {
    case raw
    case grdb
    case codable
    case skiathos
    case lmdb

    /// Those of the comparison; the others are anchors, which need a library that may be missing.
    static let compared: [ContestantKind] = [.raw, .grdb, .codable, .skiathos]
    /// Those that are compared with anchors, and the anchor.
    static let anchored: [ContestantKind] = [.raw, .lmdb, .skiathos]

    var type: any Contestant.Type {
        switch self {
        case .raw: RawContestant.self
        case .grdb: GRDBContestant<FastUser>.self
        case .codable: GRDBContestant<CodableUser>.self
        case .skiathos: SkiathosContestant.self
        case .lmdb: LMDBContestant.self
        }
    }

    var name: String { type.name }
}
