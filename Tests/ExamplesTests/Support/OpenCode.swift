import Testing

/// A type whose values an error tells its causes apart by, such as `StoreError.Code`: a structure in
/// an error, so that later versions can add values.
struct OpenCode: Sendable, CustomTestStringConvertible {
    /// The name of the error.
    let error: String
    /// The name of the type inside the error.
    let name: String
    /// The values, in the order of the files.
    let values: [Value]

    /// A value, as the sources declare it.
    struct Value: Sendable {
        let name: String
        /// What stands between the quotation marks of its raw value.
        let rawValue: Substring?
    }

    var testDescription: String { "\(error).\(name)" }

    /// What the first column of its tables is called.
    var column: String { name.prefix(1).lowercased() + name.dropFirst() }

    /// Those of all targets, found in the sources: what is open (`RawRepresentable`) and lies in an
    /// error.
    static func all() throws -> [OpenCode] { try found.get() }

    private static let found = Result {
        let texts = try PackageDirectory.files("swift", under: "Sources")
            .filter { !$0.contains(".docc/") }.map(PackageDirectory.text)
        let declarations = texts.filter { text in
            [": Error", "RawRepresentable", "Self(rawValue:"].contains { text.contains($0) }
        }.flatMap(Declaration.all)
        let errors = Set(declarations.filter { $0.inherits("Error") }.map(\.path))
        let open = declarations.filter { $0.inherits("RawRepresentable") }.map(\.path)
            .filter { $0.count > 1 && errors.contains(Array($0.dropLast())) }
        return open.map { path in
            OpenCode(
                error: path.dropLast().joined(separator: "."), name: path[path.count - 1],
                values: declarations.filter { $0.path == path }.flatMap(\.values))
        }
    }
}

/// A declaration or extension of a type.
private struct Declaration {
    /// The names from the outermost type to this one.
    let path: [String]
    /// What stands behind the colon.
    let inheritance: Substring
    /// How far the line is indented.
    let indentation: Int
    var values: [OpenCode.Value] = []

    func inherits(_ name: String) -> Bool {
        inheritance.matches(of: /\w+/).contains { $0.0 == name }
    }

    /// What is in the lines that matter.
    private static let words = [
        "struct ", "enum ", "class ", "actor ", "extension ", "static let ",
    ]

    /// Those of a file, which is formatted: what lies in a declaration is indented more than it is.
    static func all(in text: String) -> [Declaration] {
        var declarations: [Declaration] = []
        var open: [Int] = []
        for line in text.split(separator: "\n") where words.contains(where: line.contains) {
            let indentation = line.prefix { $0 == " " }.count
            if let match = line.firstMatch(
                of: /^ *(?:[a-z]+ )*(?:struct|enum|class|actor|extension) ([\w.]+)(.*)/)
            {
                open.removeAll { declarations[$0].indentation >= indentation }
                let outer = open.last.map { declarations[$0].path } ?? []
                let names = match.1.split(separator: ".").map(String.init)
                open.append(declarations.endIndex)
                declarations.append(
                    Declaration(
                        path: outer + names, inheritance: match.2, indentation: indentation))
            } else if let last = open.last(where: { declarations[$0].indentation < indentation }),
                let match = line.firstMatch(of: /^ *public static let (\w+)\b(.*)/)
            {
                let rawValue = match.2.firstMatch(of: /\(rawValue: "(\w+)"\)/)?.1
                declarations[last].values.append(
                    OpenCode.Value(name: String(match.1), rawValue: rawValue))
            }
        }
        return declarations
    }
}
