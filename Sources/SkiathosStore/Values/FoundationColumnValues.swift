// The one file here that knows Foundation; on Linux its small part, without Internationalization.
public import PlatformFoundation

extension Data: ColumnValue {
    /// `.blob`.
    @inlinable public static var storage: StorageClass { .blob }
    /// `.everything`.
    @inlinable public static var domain: ColumnDomain { .everything }
    /// Reads the bytes.
    public init(row: RowReader, column: Int) throws {
        self = row.withBytes(at: column) { Data($0) }
    }
    /// Binds the bytes.
    public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try withUnsafeBytes { try parameters.bind(bytes: $0, at: position) }
    }
}

extension Date: ColumnValue {
    /// `.real`: seconds since 2001-01-01T00:00:00Z, which is exact.
    ///
    /// In SQL, `datetime("created" + 978307200, 'unixepoch')` shows it.
    @inlinable public static var storage: StorageClass { .real }

    /// The first moment that can be stored, the start of the year 1.
    public static let earliestStorable = Date(timeIntervalSinceReferenceDate: -63_113_904_000)
    /// The first moment that can no longer be stored, the start of the year 10000.
    public static let latestStorable = Date(timeIntervalSinceReferenceDate: 252_423_993_600)

    /// The years 1 to 9999.
    public static var domain: ColumnDomain {
        let first = earliestStorable.timeIntervalSinceReferenceDate
        return .reals(first...latestStorable.timeIntervalSinceReferenceDate.nextDown)
    }

    /// Reads the moment.
    @inlinable public init(row: RowReader, column: Int) throws {
        self.init(timeIntervalSinceReferenceDate: row.real(at: column))
    }

    /// Binds the date, which must be in the years 1 to 9999.
    public func bind(to parameters: ParameterWriter, at position: Int) throws {
        guard self >= .earliestStorable, self < .latestStorable else {
            throw StoreError(
                .invalidValue,
                "A date lies outside the years 1 to 9999, or is not a number. Use an optional date for an unknown or endless one."
            )
        }
        try parameters.bind(timeIntervalSinceReferenceDate, at: position)
    }
}

extension Date: EmbeddedFieldValue {}

extension UUID: ColumnValue {
    /// `.blob`, 16 bytes.
    @inlinable public static var storage: StorageClass { .blob }

    /// Reads 16 bytes.
    public init(row: RowReader, column: Int) throws {
        self = try row.withBytes(at: column) { bytes in
            guard bytes.count == 16 else {
                throw StoreError.undecodable(Self.self, column: column)
            }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// Binds 16 bytes.
    public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try withUnsafeBytes(of: uuid) { try parameters.bind(bytes: $0, at: position) }
    }
}

extension URL: ColumnValue {
    /// `.text`, the absolute form.
    @inlinable public static var storage: StorageClass { .text }

    /// Reads an address.
    public init(row: RowReader, column: Int) throws {
        guard let text = row.text(at: column), let url = URL(string: text) else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self = url
    }

    /// Binds the absolute form.
    public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(absoluteString, at: position)
    }

    /// Compares the absolute forms, which are what is stored.
    public func isIdentical(to other: URL) -> Bool {
        absoluteString.isIdentical(to: other.absoluteString)
    }
}

extension Decimal: ColumnValue {
    /// `.decimal`: text without exponent, so that nothing is rounded; compared by value.
    @inlinable public static var storage: StorageClass { .decimal }
    /// `.everything`.
    @inlinable public static var domain: ColumnDomain { .everything }

    /// Reads a decimal number.
    public init(row: RowReader, column: Int) throws {
        guard let text = row.text(at: column), let value = Decimal(string: text) else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self = value
    }

    /// Binds the number in its shortest plain form; not-a-number is refused.
    public func bind(to parameters: ParameterWriter, at position: Int) throws {
        guard !isNaN else { throw StoreError.notANumber() }
        try parameters.bind(description, at: position)
    }
}
