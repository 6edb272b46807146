#if Macros
import SwiftSyntax

extension EntityParser {
    /// The number of columns beside the ID that a set of columns has room for.
    static let capacity = 63

    /// Finds the columns of unique keys, and refuses a key that is there already.
    mutating func resolveUniqueKeys(_ columns: [ColumnModel], entity: String) -> [[String]] {
        let names = Set(columns.map(\.name))
        var known: Set<Set<String>> = []
        var keys: [[String]] = []
        for column in columns {
            for key in column.uniqueKeys {
                var others: [String] = []
                for (name, node) in key.others {
                    if name == column.name || others.contains(name) {
                        report(.uniqueRepeats(name), at: node)
                    } else if name == "id" {
                        report(.uniqueWithID, at: node)
                    } else if !names.contains(name) {
                        report(.uniqueUnknown(name, entity: entity), at: node)
                    } else {
                        others.append(name)
                    }
                }
                guard others.count == key.others.count else { continue }
                guard known.insert(Set([column.name] + others)).inserted else {
                    reportDuplicate(key.attribute)
                    continue
                }
                keys.append([column.name] + others)
            }
        }
        return keys
    }

    /// Databases do not tell upper from lower case in names.
    mutating func checkNames(_ columns: [ColumnModel]) {
        var first = ["id": "id"]
        for column in columns {
            guard let twin = first.updateValue(column.name, forKey: column.name.lowercased()),
                twin != column.name
            else { continue }
            report(.duplicates(twin, column.name), at: column.nameToken)
        }
    }

    mutating func checkCount(_ columns: [ColumnModel]) {
        guard columns.count > Self.capacity else { return }
        report(
            .tooMany(columns.count, capacity: Self.capacity),
            at: columns[Self.capacity].nameToken)
    }
}
#endif
