import SkiathosPlatformFoundation

/// A type of values that are stored as those of another type.
package protocol WrappingColumnValue {
    /// The other type.
    static var wrapped: any ColumnValue.Type { get }
}

extension Optional: WrappingColumnValue where Wrapped: ColumnValue {
    package static var wrapped: any ColumnValue.Type { Wrapped.self }
}

extension ValueKind {
    /// The most raw values that are listed; a type with more counts as one that does not list them.
    private static let mostValues = 1_000

    /// The kind of the values of a coding.
    package init(of coding: any ColumnCoding.Type) {
        if let known = coding as? any KnownCoding.Type {
            self = known.kind
        } else {
            self.init(own: coding.storage)
        }
    }

    fileprivate init(own storage: StorageClass) {
        switch storage {
        case .integer: self.init(.ownInteger)
        case .real: self.init(.ownReal)
        case .text: self.init(.ownText)
        case .blob: self.init(.ownData)
        case .decimal: self.init(.ownDecimal)
        }
    }

    fileprivate init(ofValue type: any ColumnValue.Type) {
        switch type {
        case let type as any WrappingColumnValue.Type: self.init(ofValue: type.wrapped)
        case is Bool.Type: self.init(.bool)
        case is Double.Type, is Float.Type: self.init(.real)
        case is String.Type: self.init(.text)
        case is Data.Type: self.init(.data)
        case is Date.Type: self.init(.date)
        case is Decimal.Type: self.init(.decimal)
        case is UUID.Type: self.init(.uuid)
        case is URL.Type: self.init(.url)
        case is any FixedWidthInteger.Type where type.storage == .integer:
            self.init(.integer)
            if case .integers(let range) = type.domain {
                self.range = [range.lowerBound, range.upperBound]
            } else {
                range = [.min, .max]
            }
        default: self.init(own: type.storage)
        }
    }

    fileprivate static func raw<V: RawRepresentable & Sendable>(_ type: V.Type) -> ValueKind
    where V.RawValue: ColumnValue {
        var kind = ValueKind(ofValue: V.RawValue.self)
        kind.range = nil
        kind.raw = true
        guard let type = V.self as? any CaseIterable.Type else { return kind }
        let listed = cases(of: type, as: V.self)
        let values = listed.compactMap { value in
            (try? StoreValue(value, NativeCoding<V.RawValue>.self)).flatMap(LayoutValue.init)
        }
        if listed.count <= mostValues, values.count == listed.count {
            kind.values = values.sorted { $0.description < $1.description }
        }
        return kind
    }

    private static func cases<C: CaseIterable, V: RawRepresentable>(
        of type: C.Type, as: V.Type
    ) -> [V.RawValue] {
        C.allCases.prefix(mostValues + 1).compactMap { ($0 as? V)?.rawValue }
    }

    fileprivate static func json(_ type: Any.Type) -> ValueKind {
        var kind = ValueKind(.json)
        kind.fields = (type as? any Embedded.Type).map { fields(of: $0, depth: 0) }
        return kind
    }

    /// The fields of a type, down to a depth: a type may have fields of its own type.
    private static func fields<E: Embedded>(of type: E.Type, depth: Int) -> [Field] {
        E.fields.map { field in
            var described = Field(name: field.name, kind: ValueKind(of: field.coding).kind)
            if field.coding.isOptional { described.optional = true }
            if let embedded = field.embedded, depth < 8 {
                described.fields = fields(of: embedded, depth: depth + 1)
            }
            return described
        }.sorted { $0.name < $1.name }
    }
}

/// A coding of this package, whose kind of values is known.
private protocol KnownCoding {
    static var kind: ValueKind { get }
}

extension NativeCoding: KnownCoding {
    fileprivate static var kind: ValueKind { ValueKind(ofValue: Value.self) }
}

extension RawCoding: KnownCoding {
    fileprivate static var kind: ValueKind { .raw(Value.self) }
}

extension OptionalCoding: KnownCoding {
    fileprivate static var kind: ValueKind { ValueKind(of: Wrapped.self) }
}

extension JSONCoding: KnownCoding {
    fileprivate static var kind: ValueKind { .json(Value.self) }
}
