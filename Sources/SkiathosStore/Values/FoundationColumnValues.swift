// The one file here that knows Foundation; on Linux its small part, without Internationalization.
public import SkiathosPlatformFoundation

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
    public static let earliestStorable = Date(
        timeIntervalSinceReferenceDate: storableSeconds.lowerBound)
    /// The first moment that can no longer be stored, the start of the year 10000.
    public static let latestStorable = Date(
        timeIntervalSinceReferenceDate: storableSeconds.upperBound)

    /// The seconds of what can be stored, as constants in the code that reads dates.
    @inlinable static var storableSeconds: Range<Double> { -63_113_904_000..<252_423_993_600 }

    /// The years 1 to 9999.
    public static var domain: ColumnDomain {
        let first = earliestStorable.timeIntervalSinceReferenceDate
        return .reals(first...latestStorable.timeIntervalSinceReferenceDate.nextDown)
    }

    /// Reads a moment of the years 1 to 9999.
    @inlinable public init(row: RowReader, column: Int) throws {
        let seconds = row.real(at: column)
        guard Self.storableSeconds.contains(seconds) else {
            throw StoreError.undecodable(Self.self, column: column)
        }
        self.init(timeIntervalSinceReferenceDate: seconds)
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

    /// Reads an address that is stored in its absolute form.
    public init(row: RowReader, column: Int) throws {
        guard let text = row.text(at: column),
            let url = URL(string: text, encodingInvalidCharacters: false)
        else {
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

    /// Reads a decimal number without exponent, which is not rounded.
    public init(row: RowReader, column: Int) throws {
        guard let text = row.text(at: column), let value = Decimal(stored: text) else {
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

extension Decimal {
    /// The number that a column holds as a text in the form of `description`: a minus sign for
    /// negative ones, digits, and perhaps a point and more digits.
    ///
    /// `Decimal(string:)` alone is silent about what stands behind the number, and rounds one that
    /// has more digits than are kept.
    package init?(stored text: String) {
        guard let count = Self.significantDigitCount(of: text) else { return nil }
        guard count > 0 else {
            // Foundation might take a zero with a sign for not-a-number.
            self = 0
            return
        }
        guard let value = Decimal(string: text), !value.isNaN else { return nil }
        // Some numbers of 39 digits are kept, those up to the 128th power of two.
        guard
            count <= 38
                || Self.significantDigits(of: text) == Self.significantDigits(of: "\(value)")
        else { return nil }
        self = value
    }

    /// How many digits there are from the first to the last one that is not zero; `nil` for a
    /// text of another form.
    private static func significantDigitCount(of text: String) -> Int? {
        var count = 0
        var zeros = 0
        var hasPoint = false
        var followsDigit = false
        var bytes = text.utf8[...]
        if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0"):
                if count > 0 { zeros += 1 }
                followsDigit = true
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                count += zeros + 1
                zeros = 0
                followsDigit = true
            case UInt8(ascii: ".") where followsDigit && !hasPoint:
                hasPoint = true
                followsDigit = false
            default: return nil
            }
        }
        return followsDigit ? count : nil
    }

    /// The digits from the first to the last one that is not zero, of a text in the stored form.
    private static func significantDigits(of text: String) -> ArraySlice<UInt8> {
        // The sign and the point come before the digits in ASCII.
        let digits = text.utf8.filter { $0 >= UInt8(ascii: "0") }
        var significant = digits.drop { $0 == UInt8(ascii: "0") }
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        return significant
    }
}
