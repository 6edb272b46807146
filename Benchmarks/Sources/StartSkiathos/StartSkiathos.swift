import Skiathos

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Opens the file that it is given, reads a company, and says so with one byte; with another argument
/// it makes the file before.
@main
struct StartSkiathos {
    static func main() throws {
        guard CommandLine.arguments.count > 1 else { exit(1) }
        let dal = try DataAccessLayer(
            .sqlite(CommandLine.arguments[1]), entities: Company.self)
        if CommandLine.arguments.count > 2 {
            try dal.write { context in
                for number in 1...1_000 {
                    try Company.create(in: context) { $0.name = "Company \(number)" }
                }
            }
        }
        let company: Company? = try dal.read { try Company.find(1, in: $0) }
        guard company?.name == "Company 1" else { exit(1) }
        write(STDOUT_FILENO, ".", 1)
        try dal.close()
    }
}
