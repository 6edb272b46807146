import GRDB

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

struct Company: FetchableRecord, TableRecord {
    static let databaseTableName = "company"

    let id: Int64
    let name: String

    init(row: Row) {
        id = row[0]
        name = row[1]
    }
}

/// Opens the file that it is given, reads a company, and says so with one byte.
@main
struct StartGRDB {
    static func main() throws {
        guard CommandLine.arguments.count > 1 else { exit(1) }
        let pool = try DatabasePool(path: CommandLine.arguments[1])
        let company = try pool.read { try Company.fetchOne($0, key: 1) }
        guard company?.name == "Company 1" else { exit(1) }
        write(STDOUT_FILENO, ".", 1)
        try pool.close()
    }
}
