/// The names of databases that are made beside a store for a time: copies that become backups, or on which
/// something is tried.
enum TemporaryName {
    /// The ends of the names of all files that SQLite may make for such a database.
    private static let suffixes = ["", "-wal", "-journal", "-shm"]

    /// A name for which no file is there, nor one that SQLite would take for its own.
    static func unused(beside file: String) throws -> String {
        var generator = SystemRandomNumberGenerator()
        return try unused(beside: file, &generator)
    }

    /// The same with numbers of a generator.
    static func unused(
        beside file: String, _ generator: inout some RandomNumberGenerator
    ) throws -> String {
        while true {
            let number = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            let name = "\(file).part-\(number)"
            do {
                let isUsed = try suffixes.contains {
                    try SystemCalls.ownStatus(of: name + $0) != nil
                }
                if !isUsed { return name }
            } catch let failure as SystemCalls.Failure {
                throw failure.error("The directory of \"\(file)\" cannot be examined")
            }
        }
    }

    /// Removes all files of a database that was made under an unused name.
    static func removeFiles(_ name: String) {
        for suffix in suffixes { SystemCalls.unlink(name + suffix) }
    }
}
