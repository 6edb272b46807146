import ArgumentParser
import BenchmarkReports

/// What grows around a unit of work.
enum ScalingDimension: String, CaseIterable, ExpressibleByArgument {
    case rows
    case entities
    case objects
    case listeners

    /// Ascending.
    func sizes(upTo rows: Int) -> [Int] {
        switch self {
        case .rows: Array(sequence(first: 1_000) { $0 < rows ? min($0 * 10, rows) : nil })
        case .entities: [2, 4, 16, 64]
        case .objects: [1, 10, 100, 1_000, 10_000]
        case .listeners: [0, 1, 10, 100, 1_000]
        }
    }

    var tables: [ScalingTable] {
        switch self {
        case .rows: [Self.byRows]
        case .entities: [Self.byEntities]
        case .objects: [Self.byObjects]
        case .listeners: [Self.byListeners]
        }
    }

    private static let single: [ScalingUnit] = [
        .read, .readWarm, .query, .insertAlone, .changeAlone,
    ]

    private static var byRows: ScalingTable {
        let compared = single.filter { $0 != .readWarm }
        return ScalingTable(
            title: "By the number of rows in the store", size: "rows",
            columns: single.map { unit in
                // A row that is held already needs no B-tree.
                let isHeld = unit == .readWarm
                return .init(
                    unit, allowed: isHeld ? .none : .logarithmic, hasPeer: !isHeld
                ) { ScalingSetting(rows: $0) }
            }
                + compared.map { unit in
                    .init(unit, .raw, allowed: .logarithmic) { ScalingSetting(rows: $0) }
                })
    }

    private static var byEntities: ScalingTable {
        ScalingTable(
            title: "By the number of entities in the schema", size: "entities",
            columns: single.map { unit in
                .init(unit, allowed: .none) { ScalingSetting(entities: $0) }
            })
    }

    private static var byObjects: ScalingTable {
        ScalingTable(
            title: "By the number of objects in a write, for each object", size: "objects",
            columns: [ScalingUnit.insert, .change].flatMap { unit in
                [
                    .init(unit, allowed: .none, hasPeer: true) {
                        ScalingSetting(rows: 10_000, objects: $0)
                    },
                    .init(unit, .raw, allowed: .none) {
                        ScalingSetting(rows: 10_000, objects: $0)
                    },
                ]
            })
    }

    private static var byListeners: ScalingTable {
        ScalingTable(
            title: "An insert of a user alone, by the number of listeners", size: "listeners",
            columns: Listening.allCases.map { listening in
                .init(
                    .insertAlone, title: listening.title,
                    allowed: listening == .feedsOfSame ? .linear : .none
                ) { ScalingSetting(listeners: $0, listening: listening) }
            })
    }
}

/// A table with the costs of several units by one size.
struct ScalingTable {
    struct Column {
        let unit: ScalingUnit
        let kind: ContestantKind
        let title: String
        let allowed: AllowedGrowth
        /// The title of the column with the same in raw C.
        let peer: String?
        /// Where the unit is done at a size.
        let setting: (Int) -> ScalingSetting

        init(
            _ unit: ScalingUnit, _ kind: ContestantKind = .skiathos, title: String? = nil,
            allowed: AllowedGrowth, hasPeer: Bool = false,
            setting: @escaping (Int) -> ScalingSetting
        ) {
            let rawTitle = "raw C: \(unit.title)"
            self.unit = unit
            self.kind = kind
            self.title = title ?? (kind == .raw ? rawTitle : unit.title)
            self.allowed = allowed
            peer = hasPeer ? rawTitle : nil
            self.setting = setting
        }
    }

    let title: String
    let size: String
    let columns: [Column]
}

/// What a unit of work is done in.
struct ScalingSetting: Equatable {
    var rows = 1_000
    /// Users and companies are two of them.
    var entities = 2
    var objects = 1
    var listeners = 0
    var listening = Listening.feedsOfOther

    var arguments: [String] {
        [
            "--rows", "\(rows)", "--entities", "\(entities)", "--objects", "\(objects)",
            "--listeners", "\(listeners)", "--listening", listening.rawValue,
        ]
    }
}
