import SkiathosStore
import TestSupport

/// Names in a file, and declarations of names with former ones, in a random order.
struct RandomNames {
    /// A declared name.
    struct Declared: Equatable {
        var name: String
        var former: [String]
    }

    /// The names in the file.
    var present: [String] = []
    /// The names that a program declares.
    var declared: [Declared] = []

    /// - Parameter variesCase: Whether names are also spelled with an upper-case letter.
    init(using random: inout SeededNumbers, variesCase: Bool) {
        func spelled(_ name: String) -> String {
            variesCase && Int.random(in: 0..<4, using: &random) == 0 ? name.uppercased() : name
        }
        let names = ["va", "vb", "vc", "vd", "ve"]
        while present.isEmpty {
            present = names.filter { _ in Bool.random(using: &random) }.map(spelled)
        }
        var free = names.shuffled(using: &random)
        for name in names.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
            let count = [0, 1, 1, 2].randomElement(using: &random) ?? 0
            declared.append(
                Declared(name: spelled(name), former: free.prefix(count).map(spelled)))
            free.removeFirst(min(count, free.count))
        }
        if declared.isEmpty { declared = [Declared(name: "va", former: [])] }
    }

    // MARK: The model

    /// The name in the file whose values a declared one has; `nil` for a new one.
    func source(of declared: Declared, after visited: [String] = []) -> String? {
        let own = declared.name.lowercased()
        if let found = found(own), !isTaken(own, by: declared, visited) { return found }
        return declared.former.lazy.filter { $0.lowercased() != own }.compactMap(found).first
    }

    private func found(_ name: String) -> String? {
        present.first { $0.lowercased() == name.lowercased() }
    }

    /// Whether another declared name has the values of a name.
    private func isTaken(_ name: String, by declared: Declared, _ visited: [String]) -> Bool {
        guard !visited.contains(name) else { return false }
        return self.declared.contains { other in
            other != declared
                && source(of: other, after: visited + [name])?.lowercased() == name
        }
    }

    /// Whether following former names from a declared one leads back to it.
    var isCyclic: Bool {
        func leads(from name: String, to end: String, _ steps: Int) -> Bool {
            guard steps > 0, let start = declared.first(where: { $0.name.lowercased() == name })
            else { return false }
            return start.former.map { $0.lowercased() }.filter { $0 != name }
                .contains { $0 == end || leads(from: $0, to: end, steps - 1) }
        }
        return declared.contains { leads(from: $0.name.lowercased(), to: $0.name.lowercased(), 5) }
    }

    /// Whether a name is in the file in another spelling that is not declared as a former name.
    var isMisspelled: Bool {
        declared.contains { name in
            guard let source = source(of: name), source.lowercased() == name.name.lowercased()
            else { return false }
            return source != name.name
                && !name.former.contains { $0.lowercased() == source.lowercased() }
        }
    }

    /// The names in the file that no declared one has the values of.
    var unused: [String] {
        let sources = declared.compactMap { source(of: $0) }
        return present.filter { !sources.contains($0) }
    }
}
