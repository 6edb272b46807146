import Foundation
import GRDB
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// All that opens, makes or removes files beside a store, with files of other programs in their places.
@Suite(.generousTimeLimit) struct StrangerTests {
    /// The operations on a store that find files beside it.
    enum Caller: String, CaseIterable {
        case opening, openingToRead, planning, rehearsing, backingUpOver, restoringFrom, replacing

        /// Whether the operation writes at the path, and so uses the lock and the witness.
        var writes: Bool { self == .opening || self == .backingUpOver }

        /// Whether the operation refuses a file of another program in the place of a kind.
        func refuses(_ kind: SideFile.Kind) -> Bool {
            switch kind {
            case .lock, .witness: writes || self == .replacing
            case .wal, .index, .journal: true
            case .replacement: [.opening, .openingToRead, .replacing].contains(self)
            // A store does without it.
            case .reserve: false
            }
        }
    }

    /// A file of another program in the place of a kind.
    struct Place: CustomTestStringConvertible {
        var kind: SideFile.Kind
        var stranger: Stranger
        var testDescription: String { "\(stranger) at \(kind.suffix)" }

        /// All places, but content where SQLite alone knows the form.
        static let all = SideFile.Kind.allCases.flatMap { kind in
            Stranger.allCases.filter { $0 != .content || kind.form != nil }.map {
                Place(kind: kind, stranger: $0)
            }
        }
    }

    private let directory: TemporaryDirectory
    private var path: String { directory.file() }

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ caller: Caller) throws {
        var options = StoreOptions()
        let schema = try TestEntities.schema()
        switch caller {
        case .opening:
            let store = try directory.open()
            try store.insert(User.self, user(2))
            try store.close()
        case .openingToRead:
            options.isReadOnly = true
            let store = try directory.open(TestEntities.all, options)
            #expect(try store.all(User.self) == [user(1)])
            try store.close()
        case .planning:
            _ = try StoreOpener(schema: schema, options: options, file: path).plan()
        case .rehearsing:
            _ = try StoreOpener(schema: schema, options: options, file: path).rehearse()
        case .backingUpOver:
            let memory = try StoreSource.inMemory.open(schema, options)
            defer { try? memory.close() }
            let backup = try memory.beginBackup(to: path, overwriting: true)
            var progress = StoreProgress(completed: 0, total: 1)
            while progress.completed < progress.total { progress = try backup.step() }
            try backup.finish()
        case .restoringFrom:
            let opener = StoreOpener(schema: schema, options: options, file: path)
            try RestoreSource(path, into: "", opener.shared).close()
        case .replacing:
            let backup = directory.file("backup")
            if !FileManager.default.fileExists(atPath: backup) {
                try FileManager.default.copyItem(atPath: path, toPath: backup)
            }
            _ = try StoreReplacement(at: path).run(with: backup) { _ in }
        }
    }

    @Test(arguments: Caller.allCases, Place.all)
    func `a file of another program is neither changed nor removed nor waited for`(
        _ caller: Caller, _ place: Place
    ) throws {
        var store = try directory.open()
        try store.insert(User.self, user(1))
        try store.close()
        let side = path + place.kind.suffix
        try place.stranger.put(at: side, in: directory)
        let before = Stranger.look(at: side, in: directory)
        let main = try directory.bytes()
        if caller.refuses(place.kind) {
            let error = try storeError(.invalidPath) { try run(caller) }
            #expect(error.message.contains("\"\(side)\", where \(place.kind.name) of the store"))
            #expect(error.message.contains("It was left as it was."))
            #expect(error.message.contains("ove it away"))
            #expect(try directory.bytes() == main)
        } else {
            try run(caller)
        }
        #expect(Stranger.look(at: side, in: directory) == before)
        // Nothing else was left that would keep the store from being opened.
        try FileManager.default.removeItem(atPath: side)
        store = try directory.open()
        _ = try store.all(User.self)
        try store.close()
    }

    @Test(arguments: [SideFile.Kind.witness, .reserve], Stranger.allCases)
    func `closing leaves a file that has taken the name of one of the store's own`(
        _ kind: SideFile.Kind, _ stranger: Stranger
    ) throws {
        let store = try directory.open()
        try store.insert(User.self, user(1))
        let side = path + kind.suffix
        try stranger.put(at: side, in: directory)
        let before = Stranger.look(at: side, in: directory)
        try store.close()
        #expect(Stranger.look(at: side, in: directory) == before)
    }

    @Test(arguments: Stranger.allCases)
    func `a store that is refused leaves a file that has taken the name of its lock`(
        _ stranger: Stranger
    ) throws {
        let lock = try WriterLock(StorePath(path))
        let side = path + SideFile.Kind.lock.suffix
        try stranger.put(at: side, in: directory)
        let before = Stranger.look(at: side, in: directory)
        lock.discard()
        #expect(Stranger.look(at: side, in: directory) == before)
    }

    /// Numbers in a given order.
    private struct GivenNumbers: RandomNumberGenerator {
        var numbers: [UInt64]

        mutating func next() -> UInt64 { numbers.removeFirst() }
    }

    @Test(arguments: ["", "-wal", "-journal", "-shm"], Stranger.allCases)
    func `a backup takes a temporary name of which no file is there`(
        _ suffix: String, _ stranger: Stranger
    ) throws {
        var numbers = GivenNumbers(numbers: [1, 2])
        let taken = try TemporaryName.unused(beside: path, &numbers)
        let side = taken + suffix
        try stranger.put(at: side, in: directory)
        numbers = GivenNumbers(numbers: [1, 2])
        let name = try TemporaryName.unused(beside: path, &numbers)
        #expect(name != taken && name.hasPrefix(path + ".part-"))
    }

    @Test func `a backup that cannot make its temporary file leaves what is there`() throws {
        let target = try BackupTarget(directory.file("copy"), overwriting: false, source: nil)
        // Another program takes the name after it was chosen.
        try Stranger.precious.write(to: URL(fileURLWithPath: target.temporaryFile))
        let source = try DatabaseQueue()
        let errors = ErrorTranslation(try TestEntities.schema(), file: nil)
        #expect(throws: StoreError.self) { _ = try SQLiteBackup(source, to: target, errors) }
        let left = FileManager.default.contents(atPath: target.temporaryFile)
        #expect(left == Stranger.precious)
    }

    @Test func `a backup cannot be made at the place of any file of its store`() throws {
        let store = try directory.open()
        for kind in SideFile.Kind.allCases {
            let error = try storeError(.invalidPath) {
                _ = try store.beginBackup(to: path + kind.suffix, overwriting: true)
            }
            #expect(error.message.contains("belongs to the store"))
        }
        try store.close()
    }
}
