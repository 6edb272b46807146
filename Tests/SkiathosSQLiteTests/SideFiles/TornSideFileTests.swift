import Foundation
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// The store's own files beside it, in all forms in which a loss of power can leave them.
@Suite(.generousTimeLimit) struct TornSideFileTests {
    /// The files that the package writes, and not SQLite.
    static let kinds: [SideFile.Kind] = [.lock, .witness, .reserve]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The content of a file while the store is open.
    private func whole(_ kind: SideFile.Kind) throws -> [UInt8] {
        let store = try directory.open()
        try store.transaction { session in
            try session.apply([
                .insert(entity: store.position(User.self), Rows([user(1)]))
            ])
        }
        let content = try Array(directory.bytes("store.sqlite" + kind.suffix))
        try store.close()
        return content
    }

    /// All torn forms of a content: each beginning, NULs alone, NULs behind it, and NULs instead of some
    /// blocks of the disk.
    static func tornForms(of whole: [UInt8]) -> [[UInt8]] {
        // Of long files the beginnings around the ends of blocks, and some others.
        let lengths =
            whole.count < 100
            ? Array(0...whole.count)
            : [0, 1, 7, 8, 9, 511, 512, 513, 4095, 4096, 4097, 65_535, 65_536, 65_537, 100_001]
                + [whole.count - 1, whole.count]
        var forms: [[UInt8]] = []
        for length in lengths {
            let beginning = Array(whole.prefix(length))
            forms.append(beginning)
            forms.append([UInt8](repeating: 0, count: length))
            forms.append(beginning + [UInt8](repeating: 0, count: whole.count - length))
        }
        forms.append(whole + [UInt8](repeating: 0, count: 512))
        for size in [512, 4096, 16_384] where size < whole.count {
            for rest in [0, 1] {
                var form = whole
                for block in 0..<(whole.count + size - 1) / size where block % 2 == rest {
                    let range = block * size..<min(whole.count, (block + 1) * size)
                    form.replaceSubrange(range, with: repeatElement(0, count: range.count))
                }
                forms.append(form)
            }
        }
        return forms
    }

    @Test(arguments: kinds)
    func `a torn file is taken for the store's own and written anew`(_ kind: SideFile.Kind) throws {
        let name = "store.sqlite" + kind.suffix
        let whole = try whole(kind)
        let side = SideFile(kind: kind, path: directory.file(name))
        var row: Int64 = 2
        for form in Self.tornForms(of: whole) {
            let comment: Comment =
                "\(form.count) bytes, of which \(form.filter { $0 != 0 }.count) are no NULs"
            try directory.write(Data(form), name)
            guard case .ours = try side.find() else {
                Issue.record("\(kind) is another program's: \(comment)")
                continue
            }
            let store = try directory.open()
            try store.insert(User.self, user(row))
            if kind != .witness {
                #expect(try Array(directory.bytes(name)) == whole, comment)
            } else {
                #expect(try side.find() == .ours(content: Array(directory.bytes(name))), comment)
            }
            try store.close()
            row += 1
        }
        let store = try directory.open()
        #expect(try store.all(User.self).count == Int(row) - 1)
        try store.close()
    }

    @Test(arguments: kinds)
    func `a file with one other byte is another program's`(_ kind: SideFile.Kind) throws {
        let whole = try whole(kind)
        let form = try #require(kind.form)
        // The beginning identifies a witness; its end has a checksum.
        for position in kind == .witness ? 0..<7 : 0..<min(whole.count, 600) {
            var bytes = whole
            bytes[position] = UInt8(ascii: "?")
            #expect(!form.holds(bytes) || whole[position] == UInt8(ascii: "?"), "\(position)")
        }
    }

    @Test func `a lock has the same length whichever process holds it`() {
        let boot = "01234567-89ab-cdef-0123-456789abcdef"
        for boot in [boot, nil] {
            for id in [1, 4711, Int32.max] {
                let text = WriterLock.Holder(processID: id, bootID: boot).text
                #expect(text.utf8.count == 48)
                let read = WriterLock.Holder(.ours(content: Array(text.utf8)))
                #expect(read.processID == id && read.bootID == boot)
            }
        }
    }

    @Test func `a lock that an earlier version has left names its holder`() {
        for (text, id) in [("4711\n", 4711), ("12 01234567-89ab-cdef-0123-456789abcdef\n", 12)] {
            #expect(WriterLock.Holder.isPart(of: Array(text.utf8)))
            #expect(WriterLock.Holder(.ours(content: Array(text.utf8))).processID == Int32(id))
        }
        // A torn process ID would name another process.
        #expect(WriterLock.Holder(.ours(content: Array("471".utf8))).processID == nil)
    }
}
