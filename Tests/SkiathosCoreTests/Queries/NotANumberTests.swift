import Skiathos
import SkiathosStore
import Testing

@Entity private struct Scale {
    var name = ""

    var weighings: ToMany<Weighing> { ToMany(\.scale, of: id) }
}

@Entity private struct Weighing {
    var weight = 0.0
    var tare: Double?
    var scale: Scale.ID?
}

/// Sums and means that are not a number are errors wherever they are computed, and never no value.
struct NotANumberTests {
    private enum Aggregate: CaseIterable {
        case sum
        case average

        /// The result in plain Swift; `nil` is the mean of no values.
        func value(of numbers: [Double]) -> Double? {
            let sum = numbers.reduce(0, +)
            switch self {
            case .sum: return sum
            case .average: return numbers.isEmpty ? nil : sum / Double(numbers.count)
            }
        }
    }

    /// A place where the aggregate of all weighings of the first scale is computed.
    private struct Place: CustomTestStringConvertible {
        let testDescription: String
        var ofNoRowsIsMissing = false
        let values: @Sendable (Aggregate, ReadContext) throws -> [Double?]
    }

    private static let places = [
        Place(testDescription: "a query") { aggregate, context in
            switch aggregate {
            case .sum: [try Weighing.sum(of: { $0.weight }, in: context)]
            case .average: [try Weighing.average(of: { $0.weight }, in: context)]
            }
        },
        Place(testDescription: "a query of an optional column") { aggregate, context in
            switch aggregate {
            case .sum: [try Weighing.query.sum(of: { $0.tare ?? 0 }, in: context)]
            case .average: [try Weighing.query.average(of: { $0.tare ?? 0 }, in: context)]
            }
        },
        Place(testDescription: "a group", ofNoRowsIsMissing: true) { aggregate, context in
            let groups = Weighing.grouped { $0.scale }
            return switch aggregate {
            case .sum: try groups.select { $0.weight.sum }.all(in: context).map(\.value)
            case .average: try groups.select { $0.weight.average }.all(in: context).map(\.value)
            }
        },
        Place(testDescription: "having", ofNoRowsIsMissing: true) { aggregate, context in
            let groups = Weighing.grouped { $0.scale }.having {
                aggregate == .sum ? $0.weight.sum >= -.infinity : $0.weight.average >= -.infinity
            }
            let count = try groups.select { $0.weight.max }.all(in: context).count
            return count == 0 ? [] : try value(aggregate, in: context)
        },
        Place(testDescription: "the order of groups", ofNoRowsIsMissing: true) {
            aggregate, context in
            _ = try Weighing.grouped { $0.scale }
                .order { aggregate == .sum ? $0.weight.sum.ascending : $0.weight.average.ascending }
                .select { $0.weight.max }.all(in: context)
            return try value(aggregate, in: context)
        },
        Place(testDescription: "a window", ofNoRowsIsMissing: true) { aggregate, context in
            let rows =
                switch aggregate {
                case .sum:
                    try Weighing.select { $0.weight.sum.total().optional }.all(in: context)
                case .average: try Weighing.select { $0.weight.average.total() }.all(in: context)
                }
            return Array(rows.prefix(1))
        },
        Place(testDescription: "the rows so far", ofNoRowsIsMissing: true) { aggregate, context in
            let rows =
                switch aggregate {
                case .sum:
                    try Weighing.order { $0.id }
                        .select { $0.weight.sum.running(by: $0.id.ascending).optional }
                        .all(in: context)
                case .average:
                    try Weighing.order { $0.id }
                        .select { $0.weight.average.running(by: $0.id.ascending) }.all(in: context)
                }
            return Array(rows.suffix(1))
        },
        Place(testDescription: "a relation") { aggregate, context in
            switch aggregate {
            case .sum:
                try Scale.select { $0.weighings.sum { $0.weight }.optional }.all(in: context)
            case .average:
                try Scale.select { $0.weighings.average { $0.weight } }.all(in: context)
            }
        },
        Place(testDescription: "a condition on a relation") { aggregate, context in
            _ = try Scale.count(
                where: {
                    aggregate == .sum
                        ? $0.weighings.sum { $0.weight } > 0
                        : $0.weighings.average { $0.weight } > 0
                }, in: context)
            return try value(aggregate, in: context)
        },
        Place(testDescription: "a value of a query") { aggregate, context in
            let all = Weighing.query
            return switch aggregate {
            case .sum:
                try Scale.select { _ in all.value(for: Scale.self) { $0.weight.sum }.optional }
                    .all(in: context)
            case .average:
                try Scale.select { _ in
                    all.value(for: Scale.self) { $0.weight.average }.optional
                }.all(in: context)
            }
        },
    ]

    private static func value(_ aggregate: Aggregate, in context: ReadContext) throws -> [Double?] {
        let numbers = try Weighing.all(in: context).map(\.weight)
        return [aggregate.value(of: numbers)]
    }

    @Test(arguments: places)
    private func `an aggregate is a number, no value of no rows, or an error`(
        _ place: Place
    ) async throws {
        let infinity = Double.infinity
        for numbers in [
            [], [1], [1, 2, 4], [infinity], [infinity, 1], [-infinity, -infinity],
            [infinity, -infinity], [1, infinity, 2, -infinity], [.greatestFiniteMagnitude, 1],
        ] {
            let dal = try await DataAccessLayer.open(
                .inMemory, entities: Scale.self, Weighing.self)
            try await dal.write { context -> Void in
                let scale = try Scale.create(in: context).id
                for number in numbers {
                    _ = try Weighing.create(in: context) {
                        $0.weight = number
                        $0.tare = number
                        $0.scale = scale
                    }
                }
            }
            for aggregate in Aggregate.allCases {
                let expected = aggregate.value(of: numbers)
                let found: String
                do {
                    found = "\(try await dal.read { try place.values(aggregate, $0) })"
                } catch let error as StoreError {
                    found = error.code.rawValue
                }
                if expected?.isNaN == true {
                    #expect(found == "invalidValue", "\(aggregate) of \(numbers)")
                } else if numbers.isEmpty, place.ofNoRowsIsMissing, found == "[]" {
                    continue
                } else {
                    #expect(found == "\([expected])", "\(aggregate) of \(numbers)")
                }
            }
            try await dal.close()
        }
    }
}
