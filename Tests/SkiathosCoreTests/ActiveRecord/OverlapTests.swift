import Skiathos
import Testing

@Embedded private struct Spot: Codable, Equatable {
    var x = 0.0
    var y = 0.0
}

@Entity private struct Sketch {
    var first = "a"
    var last = "b"
    var isOpen = false
    var isNew = true
    var rank: Int8 = 1
    var note: String?
    var tags: [String] = ["x", "y", "b", "z"]
    var scores: [String: Int] = ["k": 1]
    var spot = Spot()

    var full: String {
        get { "\(first) \(last)" }
        set {
            first = String(newValue.prefix { $0 != " " })
            last = String(newValue.drop { $0 != " " }.dropFirst())
        }
    }
}

/// A class with the same properties, whose accesses are those of plain Swift.
private final class PlainSketch {
    var first = "a"
    var last = "b"
    var isOpen = false
    var isNew = true
    var rank: Int8 = 1
    var note: String?
    var tags = ["x", "y", "b", "z"]
    var scores = ["k": 1]
    var spot = Spot()

    var full: String {
        get { "\(first) \(last)" }
        set {
            first = String(newValue.prefix { $0 != " " })
            last = String(newValue.drop { $0 != " " }.dropFirst())
        }
    }
}

/// Either of them.
private enum Subject {
    case object(Managed<Sketch>)
    case plain(PlainSketch)
}

/// A property of both, how it is read, and a change of it that runs code in its middle.
private struct Property {
    let name: String
    let read: (Subject) -> String
    let change: (Subject, _ meanwhile: () -> Void) -> Void

    init<V>(
        _ name: String, _ property: WritableKeyPath<Sketch, V>,
        _ plain: ReferenceWritableKeyPath<PlainSketch, V>, _ change: @escaping (inout V) -> Void
    ) {
        func changing(_ value: inout V, _ meanwhile: () -> Void) {
            change(&value)
            meanwhile()
            change(&value)
        }
        self.name = name
        read = {
            switch $0 {
            case .object(let object): "\(object[dynamicMember: property])"
            case .plain(let sketch): "\(sketch[keyPath: plain])"
            }
        }
        self.change = {
            switch $0 {
            case .object(let object): changing(&object[dynamicMember: property], $1)
            case .plain(let sketch): changing(&sketch[keyPath: plain], $1)
            }
        }
    }

    private static func turn(_ text: inout String) {
        text = text.count > 6 ? String(text.dropFirst(4)) : text + "\(text.count)"
    }

    static var stored: [Property] {
        [
            Property("first", \.first, \.first, turn),
            Property("last", \.last, \.last, turn),
            Property("isOpen", \.isOpen, \.isOpen) { $0.toggle() },
            Property("isNew", \.isNew, \.isNew) { $0 = !$0 },
            Property("rank", \.rank, \.rank) { $0 = $0 &* 3 },
            Property("note", \.note, \.note) { $0 = $0 == nil ? "n" : nil },
            Property("tags", \.tags, \.tags) {
                $0.append("\($0.count)")
                if $0.count > 6 { $0.removeFirst(4) }
            },
            Property("scores", \.scores, \.scores) { $0["k", default: 0] += 1 },
            Property("spot", \.spot, \.spot) { $0.y += 1 },
            Property("spot.x", \.spot.x, \.spot.x) { $0 += 1 },
        ]
    }
    static var computed: Property { Property("full", \.full, \.full, turn) }

    /// Whether one is a part of the other.
    func overlaps(_ other: Property) -> Bool {
        name.prefix { $0 != "." } == other.name.prefix { $0 != "." }
    }
}

/// Accesses to an object during the change of one of its properties do what they do with a class, or trap
/// with a sentence.
@Suite struct OverlapTests {
    /// Each three properties that do not overlap: the first is changed, meanwhile the second is read and
    /// changed, and meanwhile the third is.
    private static func nestedChanges(of subject: Subject) -> [String] {
        var seen: [String] = []
        for outer in Property.stored {
            outer.change(subject) {
                for middle in Property.stored where !middle.overlaps(outer) {
                    seen.append(middle.read(subject))
                    middle.change(subject) {
                        for inner in Property.stored
                        where !inner.overlaps(outer) && !inner.overlaps(middle) {
                            seen.append(inner.read(subject))
                            inner.change(subject) {}
                            seen.append(inner.read(subject))
                        }
                    }
                    seen.append(middle.read(subject))
                }
            }
            seen.append(outer.read(subject))
        }
        for inner in Property.stored {
            Property.computed.change(subject) {
                seen.append(inner.read(subject))
                inner.change(subject) {}
            }
            seen.append(Property.computed.read(subject))
        }
        return seen
    }

    private static func values(_ subject: Subject) -> [String] {
        Property.stored.map { $0.read(subject) }
    }

    @Test(arguments: ["created", "created and stored", "fetched", "fetched and stored"])
    func `changes inside of changes are those of a class`(_ state: String) throws {
        let plain = PlainSketch()
        let expected = Self.nestedChanges(of: .plain(plain))
        let values = Self.values(.plain(plain))
        try Self.withStore { dal in
            if state.hasPrefix("fetched") {
                try dal.write { context -> Void in try Sketch.create(in: context) }
            }
            try dal.write { context -> Void in
                let object =
                    state.hasPrefix("fetched")
                    ? try #require(try Sketch.first(in: context)) : try Sketch.create(in: context)
                if state.hasSuffix("stored") {
                    object.rank += 1
                    #expect(try Sketch.count(where: { $0.rank == 2 }, in: context) == 1)
                    object.rank -= 1
                    #expect(try Sketch.count(where: { $0.rank == 1 }, in: context) == 1)
                }
                #expect(Self.nestedChanges(of: .object(object)) == expected)
                #expect(Self.values(.object(object)) == values)
            }
            try dal.write { context -> Void in
                let object = try #require(try Sketch.first(in: context))
                #expect(Self.values(.object(object)) == values)
            }
        }
    }

    @Test func `ordinary Swift on an object works`() throws {
        try Self.withStore { dal in
            try dal.write { context -> Void in
                let sketch = try Sketch.create(in: context)
                swap(&sketch.first, &sketch.last)
                sketch.tags.removeAll { $0 == sketch.first }
                sketch.tags.removeAll { $0 == "\(sketch.id)" }
                sketch.scores["new", default: Int(sketch.rank)] += Int(sketch.rank)
                sketch.tags.sort { a, b in sketch.isNew ? a > b : a < b }
                swap(&sketch.full, &sketch.first)
                #expect(sketch.tags == ["z", "y", "x"])
                #expect(sketch.scores == ["k": 1, "new": 2])
            }
            try dal.read { context in
                let sketch = try #require(try Sketch.first(in: context))
                #expect(sketch.first == "b")
                #expect(sketch.last == "")
            }
        }
    }

    @Test func `a property that throws in its change keeps what it has become`() throws {
        struct Stopped: Error {}
        @Sendable func change(_ text: inout String) throws {
            text = "changed"
            throw Stopped()
        }
        try Self.withStore { dal in
            try dal.write { context -> Void in
                let sketch = try Sketch.create(in: context)
                do { try change(&sketch.first) } catch is Stopped {}
                #expect(sketch.first == "changed")
                do { try change(&sketch.full) } catch is Stopped {}
                #expect(sketch.first == "changed")
                #expect(sketch.last == "")
                sketch.last = "free again"
                #expect(sketch.value.last == "free again")
            }
        }
    }

    @Test func `appending in place copies no array`() throws {
        try Self.withStore { dal in
            try dal.write { context -> Void in
                let sketch = try Sketch.create(in: context)
                sketch.tags = Array(repeating: "t", count: 1_000)
                sketch.tags.reserveCapacity(4_000)
                let before = sketch.tags.withUnsafeBufferPointer { $0.baseAddress }
                for _ in 0..<2_000 { sketch.tags.append("u") }
                #expect(sketch.tags.withUnsafeBufferPointer { $0.baseAddress } == before)
            }
        }
    }

    @Test func `uses that need the whole object, or the same property, end with a sentence`()
        async throws
    {
        func said(_ result: ExitTest.Result?) -> String {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        }
        let same = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try OverlapTests.inAWrite { sketch, _ in
                sketch.tags.removeAll { $0 == sketch.tags[0] }
            }
        }
        #expect(said(same).contains("The property 'tags' of a Sketch was used while it is being"))
        let computed = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try OverlapTests.inAWrite { sketch, _ in
                sketch.tags.removeAll { $0 == sketch.full }
            }
        }
        #expect(said(computed).contains("A computed property of a Sketch"))
        let whole = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try OverlapTests.inAWrite { sketch, context in
                try sketch.tags.removeAll {
                    try Sketch.count(where: { $0.first == "a" }, in: context) == $0.count
                }
            }
        }
        #expect(said(whole).contains("A Sketch was used as a whole while"))
        let outer = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try OverlapTests.inAWrite { sketch, _ in
                sketch.tags.removeAll { _ in
                    sketch.scores["k", default: sketch.tags.count] += 1
                    sketch.scores["l", default: sketch.tags.count] += 1
                    return false
                }
            }
        }
        #expect(said(outer).contains("The property 'tags' of a Sketch was used while it is being"))
    }

    private static func withStore(_ body: (DataAccessLayer) throws -> Void) throws {
        let dal = try DataAccessLayer(.inMemory, entities: Sketch.self)
        try body(dal)
        try dal.close()
    }

    private static func inAWrite(
        _ body: @Sendable (Managed<Sketch>, WriteContext) throws -> Void
    ) throws {
        try withStore { dal in
            try dal.write { context -> Void in try body(try Sketch.create(in: context), context) }
        }
    }
}
