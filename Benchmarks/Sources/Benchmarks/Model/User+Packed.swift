import PackedRows
import Skiathos

// For stores that keep a row as bytes under its ID, which is no part of them.
extension User {
    private static let layout = PackedLayout(numbers: 5, texts: 3)

    var packedSize: Int {
        Self.layout.size(textBytes: firstname.utf8.count + lastname.utf8.count + email.utf8.count)
    }

    /// Writes ``packedSize`` bytes.
    func pack(at start: UnsafeMutableRawPointer) {
        var packer = RowPacker(Self.layout, at: start)
        packer.put(Int64(age), at: 0)
        packer.put(score, at: 1)
        packer.put(created, at: 2)
        packer.put(company?.rawValue ?? 0, at: 3)
        packer.put((isActive ? 1 : 0) | (company == nil ? 0 : 2), at: 4)
        packer.append(firstname)
        packer.append(lastname)
        packer.append(email)
    }

    init(id: Int64, packed start: UnsafeRawPointer) {
        let row = PackedRow(Self.layout, at: start)
        let flags = row.integer(4)
        self.init(
            id: ID(rawValue: id), firstname: row.text(0), lastname: row.text(1),
            email: row.text(2), age: Int(row.integer(0)), score: row.double(1),
            created: row.double(2), isActive: flags & 1 != 0,
            company: flags & 2 == 0 ? nil : Company.ID(rawValue: row.integer(3)))
    }

    /// The age alone, as a condition needs it.
    static func packedAge(_ start: UnsafeRawPointer) -> Int64 {
        PackedRow(layout, at: start).integer(0)
    }
}
