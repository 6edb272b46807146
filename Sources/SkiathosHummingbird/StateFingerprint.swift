#if Hummingbird
internal import SkiathosCore
internal import SkiathosStore

/// The name of a state by its contents: half of a SHA-256.
///
/// Two states with the same name are the same, in every run of the program.
struct StateFingerprint: Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    init(_ text: String) {
        var hash = SHA256()
        hash.update(text.utf8)
        bytes = Array(hash.finish().prefix(16))
    }

    /// That of the columns of a row, as they are stored.
    init<E: Entity>(row: E) throws {
        var hash = SHA256()
        for column in E.schema.columns.indices {
            hash.update(try StoreValue.capture { try row.bind(column, to: $0, at: 0) })
        }
        bytes = Array(hash.finish().prefix(16))
    }

    /// That of a list.
    init(_ parts: [StateFingerprint]) {
        var hash = SHA256()
        for part in parts { hash.update(part.bytes) }
        bytes = Array(hash.finish().prefix(16))
    }

    /// 32 hexadecimal digits.
    var description: String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

extension SHA256 {
    /// Adds a value with its kind and length, so that no two rows give the same bytes.
    fileprivate mutating func update(_ value: StoreValue) {
        switch value {
        case .null: update([0])
        case .integer(let number): update(1, number.bitPattern)
        case .real(let number): update(2, number.bitPattern)
        case .text(let text):
            update(3, UInt64(text.utf8.count))
            update(text.utf8)
        case .blob(let blob):
            update(4, UInt64(blob.count))
            update(blob)
        }
    }

    private mutating func update(_ kind: UInt8, _ number: UInt64) {
        update([kind])
        update((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) })
    }
}

extension Int64 {
    fileprivate var bitPattern: UInt64 { UInt64(bitPattern: self) }
}

/// The fingerprint of a list that changes by differences.
struct ListFingerprint<E: Entity> {
    private var rows: [StateFingerprint] = []

    /// The fingerprint of the list as it is.
    var value: StateFingerprint { StateFingerprint(rows) }

    /// Applies a difference; only the rows in it are hashed.
    mutating func apply(_ difference: ListDifference<E>) throws {
        let old = rows
        let leaving = Set(difference.removed.map(\.index) + difference.moved.map(\.from))
        rows = ListFilling.fill(
            old.indices.filter { !leaving.contains($0) }.map { old[$0] },
            try difference.inserted.map { ($0.index, try StateFingerprint(row: $0.element)) },
            difference.moved.map { ($0.to, old[$0.from]) })
        for row in difference.updated { rows[row.index] = try StateFingerprint(row: row.element) }
    }
}
#endif
