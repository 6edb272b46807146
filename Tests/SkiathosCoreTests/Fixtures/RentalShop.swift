import Foundation
import Skiathos
import SkiathosTesting

/// Who works for whom.
struct Worker: Sendable {
    var id: EntityID<Worker> = .unassigned
    var name = ""
    var salary = 0
    var nickname: String?
    var manager: Worker.ID?

    var reports: ToMany<Worker> { ToMany(\.manager, of: id) }
}

extension Worker: TableEntity {
    init(id: Worker.ID) { self.id = id }

    static let table = EntityTable("worker", id: \Worker.id) {
        EntityColumn("name", \.name)
        EntityColumn("salary", \.salary, .indexed)
        EntityColumn("nickname", \.nickname)
        EntityColumn("manager", \.manager)
    }
}

/// Who rents, and up to which price.
struct Renter: Sendable {
    var id: EntityID<Renter> = .unassigned
    var name = ""
    var limit = 0

    var rentals: ToMany<Rental> { ToMany(\.customer, of: id) }
}

extension Renter: TableEntity {
    init(id: Renter.ID) { self.id = id }

    static let table = EntityTable("renter", id: \Renter.id) {
        EntityColumn("name", \.name)
        EntityColumn("limit", \.limit)
    }
}

/// What is rented from one day to another.
struct Rental: Sendable {
    var id: EntityID<Rental> = .unassigned
    var customer: Renter.ID = .unassigned
    var genre = ""
    var from = 0
    var to = 0
    var price = 0
}

extension Rental: TableEntity {
    init(id: Rental.ID) { self.id = id }

    static let table = EntityTable("rental", id: \Rental.id) {
        EntityColumn("customer", \.customer, .references(onDelete: .cascade))
        EntityColumn("genre", \.genre)
        EntityColumn("from", \.from)
        EntityColumn("to", \.to)
        EntityColumn("price", \.price)
    }
}

/// A shop with a few rows, by their names and IDs.
enum RentalShop {
    /// Boss manages Ada and Bob, Ada manages Dan, Bob manages Cyd.
    private static let workers: [(name: String, salary: Int, manager: Int64?)] = [
        ("Boss", 100, nil), ("Ada", 120, 1), ("Bob", 50, 1), ("Cyd", 60, 3), ("Dan", 130, 2),
    ]

    /// The first two overlap; the last of each renter are 3 and 5.
    private static let rentals: [(renter: Int64, genre: String, days: Range<Int>, price: Int)] = [
        (1, "jazz", 1..<5, 1), (1, "jazz", 4..<8, 4), (1, "folk", 9..<10, 9),
        (2, "folk", 1..<5, 1), (2, "jazz", 6..<8, 2),
    ]

    /// Opens a store in memory that holds the rows.
    static func with<R: Sendable>(
        _ body: @Sendable (DataAccessLayer) async throws -> R
    ) async throws -> R {
        try await withStore(.inMemory, entities: Worker.self, Renter.self, Rental.self) { dal in
            _ = try await dal.write { context in
                for worker in workers {
                    try Worker.create(in: context) {
                        $0.name = worker.name
                        $0.salary = worker.salary
                        $0.nickname = worker.salary == 60 || worker.salary == 120 ? "x" : nil
                        $0.manager = worker.manager.map { Worker.ID(rawValue: $0) }
                    }
                }
                for (name, limit) in [("Xenia", 5), ("Yannis", 3)] {
                    try Renter.create(in: context) {
                        $0.name = name
                        $0.limit = limit
                    }
                }
                for rental in rentals {
                    try Rental.create(in: context) {
                        $0.customer = Renter.ID(rawValue: rental.renter)
                        $0.genre = rental.genre
                        $0.from = rental.days.lowerBound
                        $0.to = rental.days.upperBound
                        $0.price = rental.price
                    }
                }
            }
            return try await body(dal)
        }
    }
}

extension Query where E == Worker {
    /// The names of the rows, in the order of their IDs.
    func names(in dal: DataAccessLayer) async throws -> String {
        try await dal.read { context in
            try all(in: context).sorted { $0.id.rawValue < $1.id.rawValue }.map(\.name)
                .joined(separator: " ")
        }
    }
}

extension Query {
    /// The condition and all behind it, as SQL.
    func tail(in dal: DataAccessLayer) async throws -> String {
        let sql = try await dal.read { try explained(in: $0).sql }
        return sql.range(of: " WHERE ").map { String(sql[$0.upperBound...]) } ?? sql
    }

    /// The code and the message of the error with which it fails.
    func failure(in dal: DataAccessLayer) async -> (code: String, message: String)? {
        do {
            _ = try await dal.read { try all(in: $0) }
            return nil
        } catch let error as StoreError {
            return ("\(error.code)", "\(error)")
        } catch let error as DataAccessError {
            return ("\(error.code)", "\(error)")
        } catch {
            return ("", "\(error)")
        }
    }
}
