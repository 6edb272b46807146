import ArgumentParser

/// Who takes part, the one that others are measured by first.
enum ContestantKind: String, CaseIterable, ExpressibleByArgument {
    case raw
    case grdb
    case codable
    case skiathos

    var type: any Contestant.Type {
        switch self {
        case .raw: RawContestant.self
        case .grdb: GRDBContestant<FastUser>.self
        case .codable: GRDBContestant<CodableUser>.self
        case .skiathos: SkiathosContestant.self
        }
    }

    var name: String { type.name }
}
