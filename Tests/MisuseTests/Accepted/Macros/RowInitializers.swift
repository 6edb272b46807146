// Rows are read in each of the ways that depend on how the struct is written.

import Foundation
import Skiathos

enum State: String { case open, closed }

@Entity struct Plain {
    var name = "", nick: String?
    var count = 0
    private(set) var owner: Plain.ID?
    var state: State = .open
    var created: Date = .now
    @Unique @Renamed(from: "code") var number = 1
}

@Entity struct WithIDAmong {
    var name = ""
    var id: WithIDAmong.ID = .unassigned
    var count = 0
}

@Entity struct WithColumnsOfTheSameNames {
    var row = ""
    var value0 = 1
    var value1 = 1.5
    var other = true
}

@Entity struct WithInitializerElsewhere { var name = "", count = 0 }
extension WithInitializerElsewhere {
    init(name: String, count: Int) { self.init(name: name, count: count, id: 7) }
    init<T: BinaryInteger>(name: String, count: T, id: EntityID<Self>) {
        self.init(name: name, count: Int(count))
    }
}

/// An entity that other modules see as a whole.
@Entity public struct Shown {
    /// A column.
    public var name = ""
    /// A column that may be empty.
    public var state: Int?
}

/// An entity that other modules see in part.
@Entity public struct HalfShown {
    /// A column.
    public var name = ""
    var count = 0
}

enum Library {
    @Entity struct Book {
        var title = ""
        var kind: Kind = .paper
        enum Kind: String { case paper, film }
    }
}

@Entity struct WithInitializer {
    var name = ""
    init(name: String) { self.name = name }
}

@Entity struct WithObserver { var name = "" { didSet { print(name) } } }
@Entity struct WithPrivate { private var name = "", other = "" }
@Entity struct WithFileprivate { fileprivate var name = "" }
@Entity struct WithBackticks { var `class` = "" }

@Entity struct WithTransient {
    var name = ""
    @Transient var cache: [String] = []
}

@propertyWrapper struct Trimmed: Sendable {
    var wrappedValue = ""
}

@Entity struct WithWrapper {
    var name = ""
    @Transient @Trimmed var note = ""
}

@Entity struct WithCondition {
    var name = ""
    #if DEBUG
    init() {}
    #endif
}

@MainActor @Entity struct OfMainActor { var name = "" }

func read(_ row: RowReader) throws {
    print(try Plain(row: row), try WithIDAmong(row: row), try Shown(row: row))
    print(try WithColumnsOfTheSameNames(row: row), try WithInitializerElsewhere(row: row))
    print(try HalfShown(row: row), try Library.Book(row: row), try WithInitializer(row: row))
    print(try WithObserver(row: row), try WithPrivate(row: row), try WithFileprivate(row: row))
    print(try WithBackticks(row: row), try WithTransient(row: row), try WithWrapper(row: row))
    print(try WithCondition(row: row))
}
