/// The C functions through which rows are read from and bound to a backend's statement.
///
/// This table keeps the row path independent of a database import, at no cost: reading a
/// column is one indirect call, and everything around it is inlined and specialised for the
/// entity. A backend makes one table and keeps it for ever; every function gets the opaque
/// statement that the backend put in the ``RowCursor`` or ``RowSink``.
public struct StatementFunctions: Sendable {
    /// Returns a result code.
    public typealias Command = @Sendable @convention(c) (OpaquePointer?) -> Int32
    /// Tells whether a column holds no value.
    public typealias ReadNull = @Sendable @convention(c) (OpaquePointer?, Int32) -> Bool
    /// Reads an integer.
    public typealias ReadInteger = @Sendable @convention(c) (OpaquePointer?, Int32) -> Int64
    /// Reads a floating point number.
    public typealias ReadReal = @Sendable @convention(c) (OpaquePointer?, Int32) -> Double
    /// Reads the start of a text and sets its length in bytes, valid until the statement moves on.
    ///
    /// In one call, since most columns of most rows are texts.
    public typealias ReadText =
        @Sendable @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<Int>) ->
        UnsafeRawPointer?
    /// Reads the start of bytes, valid until the statement moves on.
    public typealias ReadBytes =
        @Sendable @convention(c) (OpaquePointer?, Int32) -> UnsafeRawPointer?
    /// Reads the number of bytes at the start just read.
    public typealias ReadCount = @Sendable @convention(c) (OpaquePointer?, Int32) -> Int32
    /// Binds no value and returns a result code.
    public typealias BindNull = @Sendable @convention(c) (OpaquePointer?, Int32) -> Int32
    /// Binds an integer and returns a result code.
    public typealias BindInteger = @Sendable @convention(c) (OpaquePointer?, Int32, Int64) -> Int32
    /// Binds a floating point number and returns a result code.
    public typealias BindReal = @Sendable @convention(c) (OpaquePointer?, Int32, Double) -> Int32
    /// Binds a copy of this many bytes and returns a result code.
    public typealias BindBytes =
        @Sendable @convention(c) (OpaquePointer?, Int32, UnsafeRawPointer?, Int) -> Int32

    /// How columns are read.
    ///
    /// Positions count from 0.
    public struct Reading: Sendable {
        @usableFromInline let isNull: ReadNull
        @usableFromInline let integer: ReadInteger
        @usableFromInline let real: ReadReal
        @usableFromInline let text: ReadText
        @usableFromInline let blob: ReadBytes
        @usableFromInline let byteCount: ReadCount

        /// Makes the part of the table that reads.
        public init(
            isNull: ReadNull, integer: ReadInteger, real: ReadReal, text: ReadText,
            blob: ReadBytes, byteCount: ReadCount
        ) {
            self.isNull = isNull
            self.integer = integer
            self.real = real
            self.text = text
            self.blob = blob
            self.byteCount = byteCount
        }
    }

    /// How parameters are bound.
    ///
    /// Positions count from 1, and 0 means success.
    public struct Binding: Sendable {
        @usableFromInline let null: BindNull
        @usableFromInline let integer: BindInteger
        @usableFromInline let real: BindReal
        @usableFromInline let text: BindBytes
        @usableFromInline let blob: BindBytes

        /// Makes the part of the table that binds.
        public init(
            null: BindNull, integer: BindInteger, real: BindReal, text: BindBytes, blob: BindBytes
        ) {
            self.null = null
            self.integer = integer
            self.real = real
            self.text = text
            self.blob = blob
        }
    }

    @usableFromInline let row: Int32
    @usableFromInline let done: Int32
    @usableFromInline let step: Command
    @usableFromInline let execute: Command
    @usableFromInline let reading: Reading
    @usableFromInline let binding: Binding

    /// Makes the table.
    ///
    /// - Parameters:
    ///   - row: The code by which `step` says that there is a row.
    ///   - done: The code by which `step` and `execute` say that they are done.
    ///   - step: Moves to the next row.
    ///   - execute: Executes a statement without rows and makes it ready for the next ones.
    ///   - reading: How columns are read.
    ///   - binding: How parameters are bound.
    public init(
        row: Int32, done: Int32, step: Command, execute: Command, reading: Reading,
        binding: Binding
    ) {
        self.row = row
        self.done = done
        self.step = step
        self.execute = execute
        self.reading = reading
        self.binding = binding
    }
}

/// A result code of the backend on its way up to the backend, which turns it into a ``StoreError``.
public struct BackendFailure: Error {
    /// The result code.
    public let code: Int32
    /// Whether the statement was run; otherwise a value could not be bound.
    public let hasRun: Bool

    @usableFromInline init(code: Int32, hasRun: Bool) {
        self.code = code
        self.hasRun = hasRun
    }
}

/// The address of a function table that is never freed.
public struct PermanentFunctions: @unchecked Sendable {
    // Sendable: the table behind the pointer is written once, before this value exists, and is
    // only read from then on.
    /// The address.
    public let pointer: UnsafePointer<StatementFunctions>
}

extension StatementFunctions {
    /// A copy at an address that stays valid until the process ends.
    ///
    /// Make one for each backend, in a `static let`.
    public var permanent: PermanentFunctions {
        let pointer = UnsafeMutablePointer<StatementFunctions>.allocate(capacity: 1)
        pointer.initialize(to: self)
        return PermanentFunctions(pointer: UnsafePointer(pointer))
    }
}
