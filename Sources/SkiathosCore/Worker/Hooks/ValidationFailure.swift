/// One requirement that values of an entity do not meet, without the values.
public struct ValidationFailure: Sendable, Hashable {
    /// The table of the entity, as in `StoreError.entity`.
    public var entity: String
    /// The names of the columns, in the order of the requirement; none if it is about the entity as
    /// a whole.
    public var properties: [String]
    /// The sentence of the requirement.
    public var message: String
    /// How many objects of the write do not meet it, at least 1.
    public var count: Int

    /// Makes a failure.
    public init(entity: String, properties: [String], message: String, count: Int = 1) {
        self.entity = entity
        self.properties = properties
        self.message = message
        self.count = count
    }
}

extension ValidationFailure: CustomStringConvertible {
    /// The column and the sentence, as in `user.age: must lie between 0 and 150`.
    public var description: String {
        let place = properties.isEmpty ? "" : ".\(properties.joined(separator: "/"))"
        let times = count == 1 ? "" : " (\(count) times)"
        return "\(entity)\(place): \(message)\(times)"
    }
}

/// The failures of a whole flush.
///
/// Equal ones are counted, so that a million bad rows do not make a million entries.
struct ValidationFailures {
    private var all: [ValidationFailure] = []
    private var positions: [ValidationFailure: Int] = [:]

    mutating func add<E: Entity>(from validation: inout Validation<E>) {
        guard !validation.failures.isEmpty else { return }
        for failure in validation.takeFailures() {
            if let position = positions[failure] {
                all[position].count += 1
            } else {
                positions[failure] = all.count
                all.append(failure)
            }
        }
    }

    /// Throws if there are any.
    func check() throws {
        guard !all.isEmpty else { return }
        let shown = all.prefix(5).map(\.description).joined(separator: "; ")
        let rest = all.count > 5 ? "; and \(all.count - 5) more, in validationFailures" : ""
        var error = DataAccessError(
            .validationFailed,
            "What was to be stored does not meet its requirements: \(shown)\(rest). Nothing of it was stored; correct the values."
        )
        error.validationFailures = all
        throw error
    }
}
