import Foundation
import Skiathos
import Testing

struct QueryRegressionTests {
    @Test(arguments: Place.allCases)
    func `a choice among decimal numbers is ordered by value`(_ place: Place) async throws {
        try await withStore(place) { dal in
            _ = try await dal.write { context in
                for number in 1...3 {
                    _ = try Specimen.create(in: context) {
                        $0.number = number
                        $0.price = Decimal(number) * 5
                    }
                }
            }
            let query = Specimen.order {
                ($0.number > 1).then(Decimal(9), else: $0.price).ascending
            }
            let chosen = Specimen.where { ($0.number > 1).then(Decimal(9), else: 10) < 10 }
            let found = try await dal.read { context in
                (
                    try query.select { $0.number }.all(in: context), try chosen.count(in: context),
                    try Specimen.query.aggregate(
                        { ($0.number > 1).then(Decimal(9), else: 10).max }, in: context)
                )
            }
            #expect(found.0 == [1, 2, 3])
            #expect(found.1 == 2)
            #expect(found.2 == 10)
        }
    }

    @Test(arguments: Place.allCases)
    func `a condition on a decimal number leaves the order of chosen texts alone`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            _ = try await dal.write { context in
                for text in ["b", "c", "a"] {
                    _ = try Specimen.create(in: context) { $0.text = text }
                }
            }
            let found = try await dal.read { context in
                (
                    try Specimen.order { ($0.price >= 0).then($0.text, else: "z").ascending }
                        .select { $0.text }.all(in: context),
                    try Specimen.where { ($0.price >= 0).then($0.text, else: "z") == "a" }
                        .count(in: context),
                    try Specimen.grouped { ($0.price >= 0).then($0.text, else: "z") }
                        .select { $0.id.count }.all(in: context).count
                )
            }
            #expect(found.0 == ["a", "b", "c"])
            #expect(found.1 == 1)
            #expect(found.2 == 3)
        }
    }

    @Test(arguments: Place.allCases)
    func `a change by what other rows hold sees them as they were`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let numbers = try await dal.write { context in
                // Each is the child of the one before.
                for number in 1...4 {
                    _ = try Specimen.create(in: context) {
                        $0.number = number
                        $0.parent = number == 1 ? nil : .init(rawValue: Int64(number - 1))
                    }
                }
                try Specimen.update(
                    set: { [$0.number.set(to: $0.parent.number ?? 0)] }, in: context)
                let found = try Specimen.order { $0.id.ascending }.all(in: context).map(\.number)
                try Specimen.query.limit(2).update(
                    set: {
                        [
                            $0.optionalNumber.set(to: $0.children.max { $0.number }),
                            $0.number.add(10),
                        ]
                    }, in: context)
                let changed = try Specimen.order { $0.id.ascending }.all(in: context)
                return [found, changed.map(\.number), changed.map { $0.optionalNumber ?? -1 }]
            }
            #expect(numbers == [[0, 1, 2, 3], [10, 11, 2, 3], [1, 2, -1, -1]])
        }
    }

    @Test func `a selected result that its type cannot hold fails the query`() async throws {
        try await withStore { dal in
            _ = try await dal.write { context in
                try Sample.create(in: context) {
                    $0.int8 = 100
                    $0.float = .greatestFiniteMagnitude
                }
            }
            let selections: [@Sendable (ReadContext) throws -> Void] = [
                { _ = try Sample.select { $0.int8 * 2 }.all(in: $0) },
                { _ = try Sample.select { $0.float * 2 }.all(in: $0) },
                { _ = try Sample.select { $0.date.adding(1e12) }.all(in: $0) },
                { _ = try Sample.select { $0.date.adding(-.infinity) }.all(in: $0) },
            ]
            for (number, selection) in selections.enumerated() {
                let error = await #expect(throws: StoreError.self, "selection \(number)") {
                    try await dal.read { try selection($0) }
                }
                #expect(error?.code == .invalidValue, "selection \(number)")
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a set-based change that its column cannot hold is refused, and its row stays readable`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let last = Date.latestStorable.addingTimeInterval(-1)
            _ = try await dal.write { context in
                try Sample.create(in: context) {
                    $0.int8 = 100
                    $0.date = last
                    $0.float = 0.1
                    $0.decimal = .leastNonzeroMagnitude
                }
            }
            let changes: [@Sendable (Sample.Columns) -> [Assignment<Sample>]] = [
                { [$0.int8.add(100)] }, { [$0.int8.set(to: $0.int8 * 2)] },
                { [$0.uint32.set(to: $0.uint32 - 1)] },
                { [$0.date.set(to: $0.date.adding(86_400))] },
                { [$0.optionalDate.set(to: $0.date.adding(1e12).optional)] },
                { [$0.decimal.set(to: $0.decimal * $0.decimal)] },
            ]
            for (number, change) in changes.enumerated() {
                let error = await #expect(throws: StoreError.self, "change \(number)") {
                    try await dal.write { try Sample.update(set: change, in: $0) }
                }
                #expect(error?.code == .invalidValue, "change \(number)")
                #expect(error?.entity == "sample", "change \(number)")
            }
            let (sample, found) = try await dal.write { context in
                try Sample.update(set: { [$0.float.set(to: $0.float * 3)] }, in: context)
                let row = try Sample.first(in: context)?.value
                return (row, try Sample.count(where: { $0.float == 0.1 * 3 }, in: context))
            }
            #expect(sample?.int8 == 100)
            #expect(sample?.date == last)
            #expect(found == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `a change whose condition looks at other rows sees them as they were`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let numbers = try await dal.write { context in
                // Each is the child of the one before.
                for number in 1...4 {
                    _ = try Specimen.create(in: context) {
                        $0.number = number
                        $0.parent = number == 1 ? nil : .init(rawValue: Int64(number - 1))
                    }
                }
                let changed = try Specimen.update(
                    where: { ($0.parent.number ?? 0) >= $0.number - 1 },
                    set: { [$0.number.add(-10)] },
                    in: context)
                let parents = try Specimen.update(
                    where: { $0.number == -6 || $0.parent.matches { $0.number > -10 } },
                    set: { [$0.number.set(to: -20)] }, in: context)
                return [changed, parents]
                    + (try Specimen.order { $0.id.ascending }.all(in: context).map(\.number))
            }
            #expect(numbers == [4, 3, -9, -20, -20, -20])
        }
    }

    @Test func `a selected number that its type cannot hold is an invalid value`() async throws {
        try await withStore(.memory) { dal in
            _ = try await dal.write { context in
                for _ in 1...2 { _ = try Sample.create(in: context) { $0.int8 = 100 } }
            }
            let product = await #expect(throws: StoreError.self) {
                try await dal.read { try Sample.select { $0.int8 * 2 }.all(in: $0) }
            }
            #expect(product?.code == .invalidValue)
        }
    }

    @Test func `a selection that mixes a column with an aggregate is refused`() async throws {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for number in 1...3 { try Specimen.create(in: context) { $0.number = number } }
            }
            let requests: [@Sendable (ReadContext) throws -> Void] = [
                { _ = try Specimen.select { ($0.text, $0.number.sum) }.all(in: $0) },
                { _ = try Specimen.select { ($0.number.sum, $0.text) }.first(in: $0) },
                { _ = try Specimen.select { $0.number + $0.number.sum }.all(in: $0) },
                {
                    _ = try Specimen.order { $0.number.sum.ascending }.select { $0.text }.all(
                        in: $0)
                },
                { _ = try Specimen.query.limit(2).select { $0.number.sum }.all(in: $0) },
                { _ = try Specimen.query.offset(1).aggregate({ $0.number.sum }, in: $0) },
            ]
            for (number, request) in requests.enumerated() {
                let code = await Self.code { try await dal.read(request) }
                #expect(code == "invalidRequest", "request \(number)")
            }
            let sums = try await dal.read { context in
                try Specimen.select { ($0.number.sum, $0.number.max) }.all(in: context)
                    .map { [$0.0, $0.1 ?? 0] }
            }
            #expect(sums == [[6, 3]])
        }
    }

    @Test func `having and the order of a group take keys and aggregates alone`() async throws {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for number in 1...4 {
                    try Specimen.create(in: context) {
                        $0.number = number
                        $0.text = number % 2 == 0 ? "even" : "odd"
                        $0.parent = number == 4 ? .init(rawValue: 1) : nil
                    }
                }
            }
            let byText = Specimen.grouped { $0.text }
            let requests: [@Sendable (ReadContext) throws -> Void] = [
                { _ = try byText.having { $0.number > 3 }.select { $0.id.count }.all(in: $0) },
                { _ = try byText.order { $0.number.ascending }.select { $0.id.count }.all(in: $0) },
                { _ = try byText.select { $0.number }.all(in: $0) },
                { _ = try byText.select { $0.number.sum + $0.number }.all(in: $0) },
                {
                    _ = try byText.having { $0.parent.number == 1 }.select { $0.id.count }.all(
                        in: $0)
                },
                {
                    _ = try Specimen.order { $0.number.ascending }.grouped { $0.text }
                        .select { $0.id.count }.all(in: $0)
                },
            ]
            for (number, request) in requests.enumerated() {
                let code = await Self.code { try await dal.read(request) }
                #expect(code == "invalidRequest", "request \(number)")
            }
            let found = try await dal.read { context in
                (
                    try byText.having { $0.text != "odd" && $0.number.sum > 1 }
                        .order { $0.text.lowercased().descending }
                        .select { $0.number.sum }.all(in: context).map(\.value),
                    // A condition on a key that a reference leads to.
                    try Specimen.grouped { $0.parent.number }.having { $0.parent.number == 1 }
                        .select { $0.id.count }.all(in: context).map(\.value)
                )
            }
            #expect(found.0 == [6])
            #expect(found.1 == [1])
        }
    }

    @Test func `an aggregate where there is one row is refused by name`() async throws {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for number in 1...3 { try Specimen.create(in: context) { $0.number = number } }
            }
            let requests: [@Sendable (WriteContext) throws -> Void] = [
                { _ = try Specimen.all(where: { $0.number.sum > 1 }, in: $0) },
                { _ = try Specimen.count(where: { $0.number.sum > 1 }, in: $0) },
                { _ = try Specimen.exists(where: { $0.number.sum > 1 }, in: $0) },
                { _ = try Specimen.deleteAll(where: { $0.number.sum > 1 }, in: $0) },
                {
                    _ = try Specimen.all(
                        where: { $0.children.exists { $0.number.sum > 1 } }, in: $0)
                },
                {
                    _ = try Specimen.all(where: { $0.parent.matches { $0.number.sum > 1 } }, in: $0)
                },
                { _ = try Specimen.order { $0.number.sum.ascending }.all(in: $0) },
                { _ = try Specimen.order { $0.number.sum.ascending }.count(in: $0) },
                {
                    _ = try Specimen.order { $0.children.sum { $0.number.sum }.ascending }.all(
                        in: $0)
                },
                { _ = try Specimen.sum(of: { $0.number.sum }, in: $0) },
                { _ = try Specimen.grouped { $0.number.sum }.select { $0.id.count }.all(in: $0) },
                { try Specimen.update(set: { [$0.number.set(to: $0.number.sum)] }, in: $0) },
                {
                    try Specimen.query.limit(1).update(
                        set: { [$0.number.set(to: $0.children.sum { $0.number.sum })] }, in: $0)
                },
            ]
            for (number, request) in requests.enumerated() {
                let code = await Self.code { try await dal.write(request) }
                #expect(code == "invalidRequest", "request \(number)")
            }
        }
    }

    @Test func `aggregates of columns that may lack a value leave such rows out`() async throws {
        try await withStore(.memory) { dal in
            let none = try await dal.read { context in
                (
                    try Specimen.sum(of: { $0.optionalNumber }, in: context),
                    try Specimen.max(of: { $0.optionalDate }, in: context),
                    try Specimen.average(of: { $0.optionalPrice }, in: context)
                )
            }
            #expect(none.0 == 0 && none.1 == nil && none.2 == nil)
            let found = try await dal.write { context in
                for number in 1...3 {
                    try Specimen.create(in: context) {
                        $0.optionalNumber = number == 2 ? nil : number
                        $0.optionalPrice = number == 2 ? nil : Decimal(number) / 2
                        $0.parent = number > 1 ? .init(rawValue: 1) : nil
                    }
                }
                let related = Specimen.where { $0.parent == nil }.select {
                    (
                        $0.children.sum { $0.optionalNumber },
                        $0.children.min { $0.optionalNumber },
                        $0.children.max { $0.optionalPrice },
                        $0.children.average { $0.optionalPrice }
                    )
                }
                return (
                    try Specimen.sum(of: { $0.optionalNumber }, in: context),
                    try Specimen.min(of: { $0.optionalNumber }, in: context),
                    try Specimen.query.max(of: { $0.optionalPrice }, in: context),
                    try Specimen.query.sum(of: { $0.optionalPrice }, in: context),
                    try Specimen.average(of: { $0.price }, in: context),
                    try related.first(in: context)
                )
            }
            #expect(found.0 == 4 && found.1 == 1 && found.2 == 1.5 && found.3 == 2)
            #expect(found.4 == 0)
            #expect(found.5?.0 == 3 && found.5?.1 == 3)
            #expect(found.5?.2 == 1.5 && found.5?.3 == 1.5)
        }
    }

    /// The code of the error that a closure throws.
    private static func code(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "none"
        } catch let error as DataAccessError {
            return error.code.rawValue
        } catch let error as StoreError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }
}
