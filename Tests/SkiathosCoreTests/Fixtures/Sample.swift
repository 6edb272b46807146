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

extension Sample: TableEntity {
    init(id: Sample.ID) { self.id = id }

    static let table = EntityTable("sample", id: \Sample.id) {
        EntityColumn("bool", \.bool)
        EntityColumn("int8", \.int8)
        EntityColumn("uint32", \.uint32)
        EntityColumn("int", \.int)
        EntityColumn("float", \.float)
        EntityColumn("double", \.double)
        EntityColumn("text", \.text)
        EntityColumn("bytes", \.bytes)
        EntityColumn("date", \.date)
        EntityColumn("uuid", \.uuid)
        EntityColumn("decimal", \.decimal)
        EntityColumn("mood", \.mood)
        EntityColumn("note", \.note)
        EntityColumn("optionalDate", \.optionalDate)
        EntityColumn("optionalMood", \.optionalMood)
        EntityColumn("optionalNote", \.optionalNote)
        EntityColumn("optionalURL", \.optionalURL)
    }
}
