#if Macros
import Foundation
import Skiathos
import SkiathosTesting
import Testing

@Embedded struct Place3D: Codable, Equatable {
    var latitude = 0.0
    var longitude = 0.0
}

@Embedded struct Address: Codable, Equatable {
    enum Kind: String, Codable { case home, work }

    var city = ""
    var zip: String?
    var floor = 0
    var isCurrent: Bool?
    var since = Date(timeIntervalSinceReferenceDate: 0)
    var kind = Kind.home
    var place = Place3D()
    var other: Place3D?
    var tags: [String] = []
    var key = UUID()
    var ratio: Float = 0
    var price = Decimal(0)
    var count: UInt64 = 0
    private(set) var note = "n"
    var notKept = 0

    enum CodingKeys: String, CodingKey {
        case city = "the city's name.first", zip, floor, isCurrent, since, kind, place, other, tags
        case key, ratio, price, count, note
    }

    static let key = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
}

@Entity struct Customer {
    var name = ""
    var address = Address()
    var billing: Address?
    var recommendedBy: Customer.ID?
    var plain = Plain()
}

struct Plain: Codable { var city = "" }

/// A value that encodes something else than it holds.
struct Disguised: Embedded {
    var city = ""

    enum CodingKeys: String, CodingKey { case city }

    static let fields = [EmbeddedField(\Disguised.city, CodingKeys.city)]

    init(city: String = "") { self.city = city }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        city = try container.decode(String.self, forKey: .city).lowercased()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(city.uppercased(), forKey: .city)
    }
}

@Entity struct Spy { var disguise = Disguised() }

/// Queries ask for fields of values that columns keep as JSON.
struct EmbeddedTests {
    private func with(
        _ place: Place = .memory, _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("e.sqlite"))
        let dal = try await DataAccessLayer.open(
            source, entities: Customer.self, Spy.self)
        try await dal.write { context in
            let ada = try Customer.create(in: context) {
                $0.name = "Ada"
                $0.address = Address(
                    city: "Athens", zip: "10431", floor: 3, isCurrent: true,
                    since: Date(timeIntervalSinceReferenceDate: 0.1), kind: .work,
                    place: Place3D(latitude: 0.1 + 0.2, longitude: 23.7275),
                    other: Place3D(latitude: .leastNonzeroMagnitude, longitude: -0.0),
                    tags: ["a", "b"],
                    key: Address.key, ratio: 0.1, count: .max)
            }
            try Customer.create(in: context) {
                $0.name = "Bob"
                $0.address = Address(city: "\"Athens\"\n", floor: -1, key: UUID())
                $0.billing = Address(
                    city: "Bonn", zip: nil, floor: 7, place: Place3D(latitude: 50.7))
                $0.recommendedBy = ada.id
            }
            try Customer.create(in: context) {
                $0.name = "Cid"
                $0.address = Address(city: "athens", zip: "", floor: .max, isCurrent: false)
                $0.billing = Address(city: "Chur", zip: "7000", other: Place3D(longitude: 9.5))
            }
        }
        try await body(dal)
        try await dal.close()
    }

    private func names(
        _ dal: DataAccessLayer,
        _ condition: @escaping @Sendable (Customer.Columns) -> Condition<Customer>
    ) async throws -> [String] {
        try await dal.read {
            try Customer.where(condition).order { $0.name.ascending }.select { $0.name }.all(in: $0)
        }
    }

    /// Expects that a condition chooses the customers with these names.
    private func expect(
        _ expected: [String], in dal: DataAccessLayer,
        at place: SourceLocation = #_sourceLocation,
        where condition: @escaping @Sendable (Customer.Columns) -> Condition<Customer>
    ) async throws {
        let found = try await names(dal, condition)
        #expect(found == expected, sourceLocation: place)
    }

    @Test(arguments: [Place.file, .memory])
    func `conditions on fields choose the rows that hold such values`(
        _ place: Place
    ) async throws {
        try await with(place) { dal in
            try await expect(["Ada"], in: dal) { $0.address[\.city] == "Athens" }
            try await expect(["Bob"], in: dal) { $0.address[\.city] == "\"Athens\"\n" }
            try await expect(["Ada", "Cid"], in: dal) {
                $0.address[\.city].caseInsensitive == "ATHENS"
            }
            try await expect(["Ada"], in: dal) { $0.address[\.city].hasPrefix("Ath") }
            try await expect(["Bob"], in: dal) { $0.address[\.zip] == nil }
            try await expect(["Bob", "Cid"], in: dal) { $0.address[\.zip] != "10431" }
            try await expect(["Ada", "Cid"], in: dal) { $0.address[\.floor] > 2 }
            try await expect(["Bob", "Cid"], in: dal) { $0.address[\.floor].in([-1, .max]) }
            try await expect(["Ada"], in: dal) { $0.address[\.isCurrent] == true }
            try await expect(["Bob", "Cid"], in: dal) { $0.address[\.isCurrent] != true }
            try await expect(["Ada"], in: dal) { $0.address[\.kind] == .work }
            try await expect(["Ada"], in: dal) {
                $0.address[\.since] == Date(timeIntervalSinceReferenceDate: 0.1)
            }
            try await expect(["Bob"], in: dal) { $0.recommendedBy.address[\.city] == "Athens" }
        }
    }

    @Test func `fields of fields are asked for by one key path or by two`() async throws {
        try await with { dal in
            let sum = 0.1 + 0.2
            try await expect(["Ada"], in: dal) { $0.address[\.place][\.latitude] == sum }
            try await expect(["Ada"], in: dal) { $0.address[\.place.latitude] == sum }
            try await expect([], in: dal) { $0.address[\.place.latitude] == 0.3 }
            try await expect(["Ada"], in: dal) {
                $0.address[\.other][\.latitude] == .leastNonzeroMagnitude
            }
            try await expect(["Bob", "Cid"], in: dal) { $0.address[\.other] == nil }
            try await expect(["Bob"], in: dal) { $0.billing[\.place.latitude] == 50.7 }
            try await expect(["Cid"], in: dal) { $0.billing[\.other][\.longitude] > 9 }
            try await expect(["Ada"], in: dal) { $0.billing[\.city] == nil }
            try await expect(["Ada", "Bob"], in: dal) { $0.billing[\.zip] == nil }
            let place = Place3D(latitude: sum, longitude: 23.7275)
            try await expect(["Ada"], in: dal) { $0.address[\.place] == place }
        }
    }

    @Test func `values without an order in JSON are compared for equality`() async throws {
        try await with { dal in
            try await expect(["Ada"], in: dal) { $0.address[\.tags] == ["a", "b"] }
            try await expect(["Ada"], in: dal) { $0.address[\.key] == Address.key }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.read {
                    try Customer.order { $0.address[\.key].ascending }.all(in: $0)
                }
            }
            #expect(error?.message.contains("order of values") == true)
        }
    }

    @Test func `numbers that JSON holds in other digits are refused`() async throws {
        try await with { dal in
            for condition: @Sendable (Customer.Columns) -> Condition<Customer> in [
                { $0.address[\.ratio] == 0.1 }, { $0.address[\.price] == 0 },
                { $0.address[\.count] == 0 }, { $0.billing[\.price] == nil },
            ] {
                let error = await #expect(throws: DataAccessError.self) {
                    try await dal.read { try Customer.count(where: condition, in: $0) }
                }
                #expect(error?.code == .invalidRequest)
                #expect(error?.message.contains("digits in JSON") == true)
            }
        }
    }

    @Test func `a property without a key is refused, and one that only its type sets is found`()
        async throws
    {
        try await with { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.read {
                    try Customer.count(where: { $0.address[\.notKept] == 0 }, in: $0)
                }
            }
            #expect(error?.message.contains("Address.fields does not name") == true)
            let noted = try await names(dal) { $0.address[\.note] == "n" }
            #expect(noted.count == 3)
        }
    }

    @Test func `fields are sorted by, selected, grouped and aggregated`() async throws {
        try await with { dal in
            try await dal.read { context in
                let floors = try Customer.order { $0.address[\.floor].descending }
                    .select { ($0.address[\.floor], $0.billing[\.zip], $0.address[\.place]) }
                    .all(in: context)
                #expect(floors.map(\.0) == [.max, 3, -1])
                #expect(floors.map(\.1) == ["7000", nil, nil])
                #expect(floors[1].2 == Place3D(latitude: 0.1 + 0.2, longitude: 23.7275))
                let groups = try Customer.grouped { $0.address[\.kind] }
                    .order { $0.id.count.ascending }.select { $0.id.count }.all(in: context)
                #expect(groups.map(\.key) == [.work, .home] && groups.map(\.value) == [1, 2])
                let highest = try Customer.max(of: { $0.billing[\.floor] }, in: context)
                #expect(highest == 7)
            }
        }
    }

    @Test func `a change takes its value from a field, and is chosen by one`() async throws {
        try await with { dal in
            let count = try await dal.write { context in
                try Customer.update(
                    where: { $0.address[\.floor] == 3 },
                    set: { [$0.name.set(to: $0.address[\.city])] }, in: context)
            }
            #expect(count == 1)
            try await expect(["Athens"], in: dal) { $0.name == "Athens" }
        }
    }

    @Test func `an observation of a field follows its changes`() async throws {
        try await with { dal in
            var counts = dal.observe {
                try Customer.count(where: { $0.address[\.city] == "Delphi" }, in: $0)
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await dal.write { context in
                try Customer.where { $0.name == "Ada" }.first(in: context)?.address.city = "Delphi"
            }
            #expect(try await counts.next() == 1)
        }
    }

    @Test func `a value that encodes something else than its field holds is not stored`()
        async throws
    {
        try await with { dal in
            let error = await #expect(throws: StoreError.self) {
                try await dal.write {
                    try Spy.create(in: $0) { $0.disguise = Disguised(city: "Rome") }
                }
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("Disguised.fields") == true)
            let other = await #expect(throws: StoreError.self) {
                try await dal.write {
                    try Customer.create(in: $0) { $0.address.city = "a\0b" }
                }
            }
            #expect(other?.code == .invalidValue)
        }
    }

    @Test func `a value that was stored before its fields were listed stays until it is changed`()
        async throws
    {
        try await with { dal in
            let rows = try await dal.read { try Customer.order { $0.id.ascending }.all(in: $0) }
            var (left, right) = (rows[0], rows[0])
            left.address.city = "a\0b"
            right.address.city = "a\0b"
            right.name = "Eve"
            #expect(Array(left.changedColumns(from: right)) == [1])
        }
    }

    @Test func `the SQL looks under the key`() async throws {
        try await with { dal in
            let explanation = try await dal.read {
                try Customer.where { $0.address[\.city] == "x" && $0.address[\.place.latitude] > 0 }
                    .explained(in: $0)
            }
            #expect(
                explanation.sql.contains(
                    #"json_extract("address", '$."the city''s name.first"') = ?"#))
            #expect(
                explanation.sql.contains(
                    #"skiathos_json_number("address" -> '$."place"."latitude"') > ?"#))
        }
    }
}
#endif
