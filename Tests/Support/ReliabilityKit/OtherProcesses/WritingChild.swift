#if canImport(Glibc)
import Glibc
import Skiathos

/// The process that writes to a store as another one asks it to, a line for each command, and says
/// so after each.
package enum WritingChild {
    /// The first argument of such a process.
    package static let word = "writing"

    /// What it says when a command is done.
    static let answer = "done"

    /// Writes to the store whose path follows the word, with the checkpoint size that follows, until
    /// there are no more commands.
    package static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let size = Int(arguments[2]) else { exit(64) }
        var dal = try await open(arguments[1], size)
        say(answer)
        while let line = readLine(), let command = WritingProcess.Command(line: line) {
            switch command {
            case .write(let name, let text): try await write(name, text, dal)
            case .writeMany(let count):
                for number in 0..<count { try await write("\(number % 10)", "\(number)", dal) }
            case .delete(let name):
                try await dal.write { try Item.find(Item.ID(rawValue: name), in: $0)?.delete() }
            case .changeNothing:
                try await dal.write { context in
                    let item = try Item.find(Item.ID(rawValue: "0"), in: context)
                    item?.text = item?.text ?? ""
                }
                try await dal.flush()
            case .reopen:
                try await dal.close()
                dal = try await open(arguments[1], size)
            }
            say(answer)
        }
        try await dal.close()
        exit(0)
    }

    private static func open(_ path: String, _ size: Int) async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.checkpointSize = size
        return try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
    }

    private static func write(_ name: String, _ text: String, _ dal: DataAccessLayer) async throws {
        try await dal.write { context in
            let id = Item.ID(rawValue: name)
            let item = try Item.find(id, in: context) ?? Item.create(id: id, in: context)
            item.text = text
            item.sequence += 1
        }
    }

    private static func say(_ text: String) {
        let line = text + "\n"
        _ = line.withCString { Glibc.write(STDOUT_FILENO, $0, strlen($0)) }
    }
}
#endif
