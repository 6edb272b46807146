extension ServiceLocatorError {
    static func missing(
        _ key: ServiceKey, scopes: [String], below: String?, nearby: [String],
        fitting: [Registration], path: [String]
    ) -> Self {
        var text = "Nothing is registered for \(key) in scope '\(scopes[0])'"
        if scopes.count > 1 {
            text += " and above (\(scopes.dropFirst().map { "'\($0)'" }.joined(separator: ", ")))"
        }
        text += needing(path) + "."
        if !nearby.isEmpty { text += " Registered are: \(nearby.joined(separator: ", "))." }
        if let below { text += " Scope '\(below)' below has it: resolve it there." }
        guard let other = fitting.first else {
            return Self(.missing, text + " Register it before it is resolved.", path: path)
        }
        text +=
            " What is registered as \(other.key) at \(other.place) is a \(key.typeName), too: register "
            + "it as \(key.typeName), or resolve \(other.key)."
        return Self(.missing, text, path: path, places: [other.place])
    }

    static func captive(
        _ key: ServiceKey, _ scope: String, below: String, path: [String]
    ) -> Self {
        let needer = path.count > 1 ? path[path.count - 2] : "A service"
        return Self(
            .captive,
            "\(needer) of scope '\(scope)' needs \(key), which only scope '\(below)' below has and "
                + "which ends before it. Make \(needer) scoped or transient, register it in "
                + "'\(below)', or register \(key) in '\(scope)'.", path: path)
    }
}
