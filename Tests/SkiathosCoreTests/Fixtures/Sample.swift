import Foundation
import Skiathos

/// A value with a column of every kind.
struct Sample: Sendable {
    enum Mood: String, Sendable { case calm, merry }
    struct Note: Codable, Sendable, Equatable {
        var title = ""
        var lines: [String] = []
        /// Says nothing about the lines, as types that are compared by a key.
        static func == (left: Note, right: Note) -> Bool { left.title == right.title }
    }

    var id: EntityID<Sample> = .unassigned
    var bool = false
    var int8: Int8 = 0
    var uint32: UInt32 = 0
    var int: Int = 0
    var float: Float = 0
    var double = 0.0
    var text = ""
    var bytes = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var decimal: Decimal = 0
    var mood = Mood.calm
    var note = Note()
    var optionalDate: Date?
    var optionalMood: Mood?
    var optionalNote: Note?
    var optionalURL: URL?
}

extension Sample: Entity {
    struct Columns: Sendable {
        let id = Column<Sample, Sample.ID>(0, Coding.of(Sample.ID.self))
        let bool = Column<Sample, Bool>(1, Coding.of(Bool.self))
        let int8 = Column<Sample, Int8>(2, Coding.of(Int8.self))
        let uint32 = Column<Sample, UInt32>(3, Coding.of(UInt32.self))
        let int = Column<Sample, Int>(4, Coding.of(Int.self))
        let float = Column<Sample, Float>(5, Coding.of(Float.self))
        let double = Column<Sample, Double>(6, Coding.of(Double.self))
        let text = Column<Sample, String>(7, Coding.of(String.self))
        let bytes = Column<Sample, Data>(8, Coding.of(Data.self))
        let date = Column<Sample, Date>(9, Coding.of(Date.self))
        let uuid = Column<Sample, UUID>(10, Coding.of(UUID.self))
        let decimal = Column<Sample, Decimal>(11, Coding.of(Decimal.self))
        let mood = Column<Sample, Mood>(12, Coding.of(Mood.self))
        let note = Column<Sample, Note>(13, Coding.of(Note.self))
        let optionalDate = Column<Sample, Date?>(14, Coding.of(Date?.self))
        let optionalMood = Column<Sample, Mood?>(15, Coding.of(Mood?.self))
        let optionalNote = Column<Sample, Note?>(16, Coding.of(Note?.self))
        let optionalURL = Column<Sample, URL?>(17, Coding.of(URL?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Sample.self, table: "sample", id: Coding.of(Sample.ID.self),
        columns: [
            ColumnSchema("bool", Coding.of(Bool.self)),
            ColumnSchema("int8", Coding.of(Int8.self)),
            ColumnSchema("uint32", Coding.of(UInt32.self)),
            ColumnSchema("int", Coding.of(Int.self)),
            ColumnSchema("float", Coding.of(Float.self)),
            ColumnSchema("double", Coding.of(Double.self)),
            ColumnSchema("text", Coding.of(String.self)),
            ColumnSchema("bytes", Coding.of(Data.self)),
            ColumnSchema("date", Coding.of(Date.self)),
            ColumnSchema("uuid", Coding.of(UUID.self)),
            ColumnSchema("decimal", Coding.of(Decimal.self)),
            ColumnSchema("mood", Coding.of(Mood.self)),
            ColumnSchema("note", Coding.of(Note.self)),
            ColumnSchema("optionalDate", Coding.of(Date?.self)),
            ColumnSchema("optionalMood", Coding.of(Mood?.self)),
            ColumnSchema("optionalNote", Coding.of(Note?.self)),
            ColumnSchema("optionalURL", Coding.of(URL?.self)),
        ])

    private static let keyPaths: [any PartialKeyPath<Sample> & Sendable] = [
        \.id, \.bool, \.int8, \.uint32, \.int, \.float, \.double, \.text, \.bytes, \.date, \.uuid,
        \.decimal, \.mood, \.note, \.optionalDate, \.optionalMood, \.optionalNote, \.optionalURL,
    ]

    static func column(at keyPath: PartialKeyPath<Sample>) -> Int? {
        keyPaths.firstIndex { $0 == keyPath }
    }

    init(id: Sample.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Sample.ID.self), at: 0)
        bool = try row.value(Coding.of(Bool.self), at: 1)
        int8 = try row.value(Coding.of(Int8.self), at: 2)
        uint32 = try row.value(Coding.of(UInt32.self), at: 3)
        int = try row.value(Coding.of(Int.self), at: 4)
        float = try row.value(Coding.of(Float.self), at: 5)
        double = try row.value(Coding.of(Double.self), at: 6)
        text = try row.value(Coding.of(String.self), at: 7)
        bytes = try row.value(Coding.of(Data.self), at: 8)
        date = try row.value(Coding.of(Date.self), at: 9)
        uuid = try row.value(Coding.of(UUID.self), at: 10)
        decimal = try row.value(Coding.of(Decimal.self), at: 11)
        mood = try row.value(Coding.of(Mood.self), at: 12)
        note = try row.value(Coding.of(Note.self), at: 13)
        optionalDate = try row.value(Coding.of(Date?.self), at: 14)
        optionalMood = try row.value(Coding.of(Mood?.self), at: 15)
        optionalNote = try row.value(Coding.of(Note?.self), at: 16)
        optionalURL = try row.value(Coding.of(URL?.self), at: 17)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Sample.ID.self), at: position)
        case 1: try parameters.bind(bool, Coding.of(Bool.self), at: position)
        case 2: try parameters.bind(int8, Coding.of(Int8.self), at: position)
        case 3: try parameters.bind(uint32, Coding.of(UInt32.self), at: position)
        case 4: try parameters.bind(int, Coding.of(Int.self), at: position)
        case 5: try parameters.bind(float, Coding.of(Float.self), at: position)
        case 6: try parameters.bind(double, Coding.of(Double.self), at: position)
        case 7: try parameters.bind(text, Coding.of(String.self), at: position)
        case 8: try parameters.bind(bytes, Coding.of(Data.self), at: position)
        case 9: try parameters.bind(date, Coding.of(Date.self), at: position)
        case 10: try parameters.bind(uuid, Coding.of(UUID.self), at: position)
        case 11: try parameters.bind(decimal, Coding.of(Decimal.self), at: position)
        case 12: try parameters.bind(mood, Coding.of(Mood.self), at: position)
        case 13: try parameters.bind(note, Coding.of(Note.self), at: position)
        case 14: try parameters.bind(optionalDate, Coding.of(Date?.self), at: position)
        case 15: try parameters.bind(optionalMood, Coding.of(Mood?.self), at: position)
        case 16: try parameters.bind(optionalNote, Coding.of(Note?.self), at: position)
        default: try parameters.bind(optionalURL, Coding.of(URL?.self), at: position)
        }
    }

    func changedColumns(from other: Sample) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Bool.self).areIdentical(bool, other.bool))
        changed.insert(2, if: !Coding.of(Int8.self).areIdentical(int8, other.int8))
        changed.insert(3, if: !Coding.of(UInt32.self).areIdentical(uint32, other.uint32))
        changed.insert(4, if: !Coding.of(Int.self).areIdentical(int, other.int))
        changed.insert(5, if: !Coding.of(Float.self).areIdentical(float, other.float))
        changed.insert(6, if: !Coding.of(Double.self).areIdentical(double, other.double))
        changed.insert(7, if: !Coding.of(String.self).areIdentical(text, other.text))
        changed.insert(8, if: !Coding.of(Data.self).areIdentical(bytes, other.bytes))
        changed.insert(9, if: !Coding.of(Date.self).areIdentical(date, other.date))
        changed.insert(10, if: !Coding.of(UUID.self).areIdentical(uuid, other.uuid))
        changed.insert(11, if: !Coding.of(Decimal.self).areIdentical(decimal, other.decimal))
        changed.insert(12, if: !Coding.of(Mood.self).areIdentical(mood, other.mood))
        changed.insert(13, if: !Coding.of(Note.self).areIdentical(note, other.note))
        changed.insert(
            14, if: !Coding.of(Date?.self).areIdentical(optionalDate, other.optionalDate))
        changed.insert(
            15, if: !Coding.of(Mood?.self).areIdentical(optionalMood, other.optionalMood))
        changed.insert(
            16, if: !Coding.of(Note?.self).areIdentical(optionalNote, other.optionalNote))
        changed.insert(17, if: !Coding.of(URL?.self).areIdentical(optionalURL, other.optionalURL))
        return changed
    }
}
