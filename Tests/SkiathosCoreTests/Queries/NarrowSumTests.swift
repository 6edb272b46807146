import Skiathos
import Testing

@Entity private struct Meter {
    var house = 0
    var int8: Int8 = .max
    var int16: Int16 = .max
    var int32: Int32 = .max
    var uint8: UInt8 = .max
    var uint16: UInt16 = .max
    var uint32: UInt32 = .max
    var float: Float = 0x1p127
    var optional: Int8?
    var above: Meter.ID?

    var below: ToMany<Meter> { ToMany(\.above, of: id) }
}

/// A property whose type has fewer than 64 bits, and how it is summed in each way there is.
private struct Narrow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: Double
    let sums: @Sendable (ReadContext) throws -> [Double]

    init<Operand: QueryOperand>(
        _ name: String, _ value: Double,
        _ operand: @escaping @Sendable (Meter.Columns) -> Operand
    )
    where
        Operand.Root == Meter, Operand.Value: SummedColumnValue,
        Operand.Value.Sum: ExpressibleByIntegerLiteral
    {
        @Sendable func number(_ sum: Operand.Value.Sum) -> Double { Double("\(sum)") ?? .nan }
        testDescription = name
        self.value = value
        sums = { context in
            let grouped = try Meter.grouped { $0.house }.select { operand($0).sum }
                .all(in: context)
            let related = try Meter.where { $0.above == nil }
                .select { $0.below.sum { operand($0) } }.all(in: context)
            let running = try Meter.select { operand($0).sum.running(by: $0.id.ascending) }
                .all(in: context)
            let both = try Meter.query
                .aggregate({ ($0.id.count, operand($0).sum) }, in: context)
            return [
                number(try Meter.sum(of: operand, in: context)),
                number(try Meter.query.sum(of: operand, in: context)),
                number(try Meter.query.aggregate({ operand($0).sum }, in: context)),
                number(both.1),
                number(grouped[0].value), number(related[0]) + value, number(running[2]),
            ]
        }
    }
}

/// Sums are as wide as 64 bits allow, whatever the type of the property.
@Suite struct NarrowSumTests {
    private static let properties = [
        Narrow("Int8", Double(Int8.max)) { $0.int8 },
        Narrow("Int16", Double(Int16.max)) { $0.int16 },
        Narrow("Int32", Double(Int32.max)) { $0.int32 },
        Narrow("UInt8", Double(UInt8.max)) { $0.uint8 },
        Narrow("UInt16", Double(UInt16.max)) { $0.uint16 },
        Narrow("UInt32", Double(UInt32.max)) { $0.uint32 },
        Narrow("Float", 0x1p127) { $0.float },
        Narrow("Int8?", 100) { $0.optional },
    ]

    @Test(arguments: properties)
    private func `a sum of narrow numbers is wide`(_ property: Narrow) throws {
        let dal = try DataAccessLayer(.inMemory, entities: Meter.self)
        try dal.write { context -> Void in
            let top = try Meter.create(in: context) { $0.optional = 100 }
            for _ in 0..<2 {
                try Meter.create(in: context) {
                    $0.optional = 100
                    $0.above = top.id
                }
            }
        }
        let sums = try dal.read { try property.sums($0) }
        #expect(sums == Array(repeating: property.value * 3, count: sums.count))
        try dal.close()
    }

    @Test func `an aggregate of one operand is no pack`() throws {
        let dal = try DataAccessLayer(.inMemory, entities: Meter.self)
        let (house, missing): (Int, Int8) = try dal.read { context in
            (
                try Meter.query.aggregate({ $0.house.max }, in: context) ?? -1,
                try Meter.query.aggregate({ $0.optional.min }, in: context) ?? 7
            )
        }
        #expect(house == -1)
        #expect(missing == 7)
        try dal.close()
    }
}
