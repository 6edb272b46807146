extension Embedded {
    /// Makes sure that each field stands in the JSON where queries look for it.
    ///
    /// - Throws: ``StoreError`` with code `invalidValue`.
    func checkFields(in json: CanonicalJSON) throws {
        let members = json.members
        for field in Self.fields {
            // Of members with one key the last one is written.
            let member = members.last { StoredText($0.key) == StoredText(field.name) }
            guard try !field.isKept(self, member?.value) else { continue }
            throw StoreError(
                .invalidValue,
                "A value of type \(Self.self) is encoded with something else under the key \"\(field.name)\" than the property holds that \(Self.self).fields names for it, so that queries would find other rows. Name the key that encode(to:) uses for the property, or take the field away."
            )
        }
    }
}

extension CanonicalJSON {
    /// The members of an object; of other values, none.
    fileprivate var members: [Member] {
        switch self {
        case .object(let members): members
        case .open(let encoder): encoder.result.members
        default: []
        }
    }

    /// Whether the value is written as these bytes.
    func hasSameBytes(as other: [UInt8]) throws -> Bool {
        var bytes: [UInt8] = []
        try write(to: &bytes)
        return bytes == other
    }
}

extension CanonicalJSON? {
    /// Whether a query that looks here finds a value.
    func holds(_ value: StoreValue) -> Bool {
        switch (self, value) {
        case (nil, .null), (.null?, .null): true
        case (.open(let encoder)?, _): CanonicalJSON?.some(encoder.result).holds(value)
        case (.bool(let found)?, .integer(let wanted)): wanted == (found ? 1 : 0)
        case (.integer(let found)?, .integer(let wanted)): found == wanted
        case (.integer(let found)?, .real(let wanted)): Double(found) == wanted
        case (.number(let digits)?, .real(let wanted)): Double(digits) == wanted
        case (.text(let found)?, .text(let wanted)): StoredText(found) == StoredText(wanted)
        default: false
        }
    }
}
