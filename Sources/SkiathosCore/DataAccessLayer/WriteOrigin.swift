/// The name of a write and its author, which the changes of the write carry.
///
/// ```swift
/// try dal.write(as: "import", by: "sync") { try User.create(in: $0) { $0.firstname = "Ada" } }
///
/// for try await case .changes(let changes) in dal.changes(of: User.self)
/// where changes.origin.author != "sync" {
///     upload(changes)        // all but what the sync has written itself
/// }
/// ```
///
/// Both are texts of the application's own; the store gives them no meaning, and keeps them for the
/// observers of the write alone.
public struct WriteOrigin: Sendable, Hashable {
    /// What the write does, such as `"import"`.
    public var name: String?
    /// On whose behalf it does that: a user, or a part of the application.
    public var author: String?

    /// Creates an origin.
    public init(name: String? = nil, author: String? = nil) {
        self.name = name
        self.author = author
    }
}

/// An origin in one word, for records that mostly have none.
final class SharedOrigin: Sendable {
    let value: WriteOrigin

    init(_ value: WriteOrigin) { self.value = value }
}

extension WriteContext {
    /// The name and the author of the write.
    ///
    /// ```swift
    /// dal.enqueue { context in
    ///     context.origin = WriteOrigin(name: "visit", author: "web")
    ///     try Visit.create(in: context) { $0.page = page }
    /// }
    /// ```
    ///
    /// `write(as:by:)` sets it before the closure runs. The last value counts, for all changes of the
    /// write; one that is set in a nested scope goes with it if the scope is rolled back.
    public var origin: WriteOrigin {
        get { journal.origin }
        set { journal.origin = newValue }
    }

    /// Runs a closure after setting the origin of the write, if there is any.
    @inline(__always)
    func run<R>(
        as name: String?, by author: String?, _ body: (WriteContext) throws -> R
    ) rethrows -> R {
        if name != nil || author != nil { origin = WriteOrigin(name: name, author: author) }
        return try body(self)
    }
}
