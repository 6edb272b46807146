extension ServiceGraph: CustomStringConvertible {
    /// One line for each registration, below the line of its scope.
    public var description: String {
        scopes.map { scope in
            let above = scope.parent.map { " below '\(scopes[$0].name)'" } ?? ""
            return (["scope '\(scope.name)'\(above)"] + scope.services.map { "  " + line($0) })
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// A flow chart for Mermaid, with a box for each scope.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, scope) in scopes.enumerated() {
            lines.append("    subgraph scope\(index)[\"\(escaped(scope.name))\"]")
            for service in scope.services {
                lines.append("        s\(service)[\"\(label(service, newLine: "<br/>"))\"]")
            }
            lines.append("    end")
        }
        lines += edges.map { "    s\($0) --> s\($1)" }
        return lines.joined(separator: "\n")
    }

    /// A directed graph for Graphviz, with a box for each scope.
    public var dot: String {
        var lines = ["digraph services {", "    rankdir=LR", "    node [shape=box]"]
        for (index, scope) in scopes.enumerated() {
            lines.append("    subgraph cluster\(index) {")
            lines.append("        label=\"\(escaped(scope.name))\"")
            for service in scope.services {
                lines.append("        s\(service) [label=\"\(label(service, newLine: "\\n"))\"]")
            }
            lines.append("    }")
        }
        lines += edges.map { "    s\($0) -> s\($1)" }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private var edges: [(Int, Int)] {
        services.indices.flatMap { from in services[from].dependencies.map { (from, $0) } }
    }

    private func line(_ index: Int) -> String {
        let service = services[index]
        let needs = service.dependencies.map { services[$0].name }.joined(separator: ", ")
        return "\(service.name): \(service.kind) \(service.lifetime), \(service.state) "
            + "(\(service.place))" + (needs.isEmpty ? "" : " -> \(needs)")
    }

    private func label(_ index: Int, newLine: String) -> String {
        let service = services[index]
        return escaped(service.name) + newLine
            + "\(service.kind) \(service.lifetime), \(service.state)"
    }

    /// Names come from the user, and quotes would end the label.
    private func escaped(_ text: String) -> String {
        String(text.map { $0 == "\"" || $0 == "\\" || $0.isNewline ? "'" : $0 })
    }
}
