/// One message of the compiler.
struct Diagnostic: Hashable, Sendable {
    enum Kind: String {
        case error, warning, note
    }

    var path: String
    var line: Int
    var kind: Kind
    var message: String

    /// Reads `path:line:column: kind: message`, or a message without a place.
    init?(_ text: Substring) {
        let form =
            /(?:(?<path>.*?):(?<line>\d+)(?::\d+)?: )?(?<kind>error|warning|note): (?<text>.*)/
        guard let match = text.wholeMatch(of: form), let kind = Kind(rawValue: String(match.kind))
        else { return nil }
        path = match.path.map(String.init) ?? ""
        line = match.line.flatMap { Int($0) } ?? 0
        self.kind = kind
        message = String(match.text)
    }
}

extension Diagnostic {
    /// The errors and warnings in the compiler's output, each once.
    ///
    /// One that lies in what a macro has written is told at the place of the macro, since that is
    /// what users see.
    static func all(in output: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for case let diagnostic? in output.split(separator: "\n").map(Diagnostic.init) {
            if diagnostic.kind != .note {
                diagnostics.append(diagnostic)
            } else if diagnostic.message.hasPrefix("in expansion of macro"),
                let last = diagnostics.indices.last
            {
                diagnostics[last].path = diagnostic.path
                diagnostics[last].line = diagnostic.line
            }
        }
        var seen: Set<Diagnostic> = []
        return diagnostics.filter { seen.insert($0).inserted }
    }
}

extension Diagnostic {
    /// Place, kind and message, as a reader of a program needs them: the line alone if it lies
    /// there.
    func description(for program: Program) -> String {
        let place = path == program.path ? "line \(line)" : "\(path):\(line)"
        return "\(place): \(kind.rawValue): \(message)"
    }
}
