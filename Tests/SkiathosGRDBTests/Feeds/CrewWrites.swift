import Foundation
import GRDB
import ReliabilityKit
import Skiathos
import SkiathosGRDB
import SkiathosStore
import TestSupport

/// Random writes of a crew: by objects, conditions, delete rules, upserts and raw SQL, in nested
/// scopes that may be rolled back, with steps and whole writes that fail.
struct CrewWrites {
    struct Refused: Error {}

    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    /// Runs a write, which may fail and change nothing.
    mutating func run(on dal: DataAccessLayer) async throws {
        let level = Acknowledgement.allCases[random.below(Acknowledgement.allCases.count)]
        let seed = random.next()
        do {
            try await dal.write(acknowledging: level) { context in
                var steps = CrewWrites(seed: seed)
                try steps.change(context)
            }
        } catch is Refused {
            // Nothing of it was committed.
        } catch let error as StoreError where Self.isExpected(error) {
            // Two persons with the same name, or a reference to a row that has gone.
        }
    }

    private static func isExpected(_ error: StoreError) -> Bool {
        error.code == .uniqueViolation || error.code == .foreignKeyViolation
    }

    private mutating func change(_ context: WriteContext) throws {
        // Tracked objects follow what happens to their rows.
        if random.happens(50) { _ = try Person.all(in: context) }
        if random.happens(30) { _ = try Team.all(in: context) + [] }
        for _ in 0...random.below(5) { try step(context) }
        if random.happens(10) { throw Refused() }
    }

    private mutating func step(_ context: WriteContext) throws {
        switch random.below(19) {
        case 0, 1: try createPerson(context)
        case 2: try createTeam(context)
        case 3: try createJob(context)
        case 4, 5: try changePerson(context)
        case 6: try changeOthers(context)
        case 7: try swapNames(context)
        case 8: try delete(context)
        case 9: try attempt { try $0.update(context) }
        case 10: try attempt { try $0.deleteSome(context) }
        case 11: try upsert(context)
        case 12, 13: try attempt { try $0.executeSQL(context) }
        case 14, 15: try nest(context)
        case 16, 17: try changeAndReturn(context)
        default: try deleteAndDiscard(context)
        }
    }

    /// Runs a step whose failure the write survives.
    private mutating func attempt(_ body: (inout CrewWrites) throws -> Void) throws {
        do { try body(&self) } catch is Refused {
        } catch let error as StoreError where Self.isExpected(error) {}
    }
}

/// By objects.
extension CrewWrites {
    private mutating func createPerson(_ context: WriteContext) throws {
        let boss = try person(context)?.id
        let team = try team(context)?.id
        try Person.create(in: context) {
            $0.name = name()
            $0.age = random.below(50)
            $0.boss = random.happens(50) ? boss : nil
            $0.team = team
        }
    }

    private mutating func createTeam(_ context: WriteContext) throws {
        let job = try job(context)?.id
        try Team.create(id: Team.ID(rawValue: "é\(random.next())"), in: context) {
            $0.title = name()
            $0.current = job
        }
    }

    private mutating func createJob(_ context: WriteContext) throws {
        let (team, owner) = (try team(context)?.id, try person(context)?.id)
        try Job.create(in: context) {
            $0.title = name()
            $0.team = team
            $0.owner = owner
        }
    }

    private mutating func changePerson(_ context: WriteContext) throws {
        guard let person = try person(context) else { return }
        if random.happens(60) { person.age = random.below(50) }
        if random.happens(30) { person.mood = .allCases[random.below(3)] }
        if random.happens(30) { person.team = try team(context)?.id }
        if random.happens(20) {
            person.boss = random.happens(50) ? nil : try self.person(context)?.id
        }
        // Others see some of the changes of one object one by one.
        if random.happens(30) {
            _ = try Person.count(in: context)
            if !person.isDeleted { person.age += 1 }
        }
    }

    private mutating func changeOthers(_ context: WriteContext) throws {
        let job = try job(context)
        let team = try team(context)
        team?.current = random.happens(30) ? nil : job?.id
        if random.happens(50) { job?.team = team?.id }
        if random.happens(50) { job?.title = name() }
    }

    /// The store checks unique keys row by row, and so has to give one of them another name
    /// meanwhile.
    private mutating func swapNames(_ context: WriteContext) throws {
        guard let first = try person(context), let second = try person(context) else { return }
        (first.name, second.name) = (second.name, first.name)
    }

    private mutating func delete(_ context: WriteContext) throws {
        switch random.below(4) {
        case 0: try team(context)?.delete()
        case 1: try job(context)?.delete()
        default: try person(context)?.delete()
        }
    }

    private mutating func deleteAndDiscard(_ context: WriteContext) throws {
        guard let person = try person(context) else { return }
        let followers = try Person.count(where: { $0.boss == person.id }, in: context)
        guard followers == 0 else { return }
        try person.delete()
        if random.happens(70) { _ = try Person.count(in: context) }
        try person.discardChanges()
    }

    /// Changes a row, and leaves it as it was, or with another age.
    private mutating func changeAndReturn(_ context: WriteContext) throws {
        guard let person = try person(context) else { return }
        let before = person.value
        switch random.below(3) {
        case 0: person.age += 1
        case 1:
            try Person.update(
                where: { $0.id == before.id }, set: { [$0.age.add(1)] }, in: context)
        default: try person.delete()
        }
        if random.happens(80) { _ = try Person.count(in: context) }
        let age = before.age + (random.happens(70) ? 0 : 1)
        if person.isDeleted {
            // The flush that makes the row again deletes another one, too.
            if random.happens(50), let other = try self.person(context), other.id != before.boss {
                try other.delete()
            }
            try Person.create(id: before.id, in: context) {
                $0 = before
                $0.age = age
            }
        } else if random.happens(50) {
            person.age = age
        } else {
            try Person.update(
                where: { $0.id == before.id }, set: { [$0.age.set(to: age)] }, in: context)
        }
    }

    private mutating func upsert(_ context: WriteContext) throws {
        let age = random.below(50)
        let values = (0...random.below(3)).map { _ in
            var value = Person()
            value.name = name()
            value.age = age
            return value
        }
        try Person.upsert(values, by: \.name, in: context)
    }

    private mutating func nest(_ context: WriteContext) throws {
        let seed = random.next()
        let isRefused = random.happens(50)
        try attempt { _ in
            try context.nested { context in
                var steps = CrewWrites(seed: seed)
                for _ in 0...steps.random.below(3) { try steps.step(context) }
                if isRefused { throw Refused() }
            }
        }
    }

    private mutating func person(_ context: WriteContext) throws -> Managed<Person>? {
        try Person.all(in: context).randomElement(using: &random)
    }

    private mutating func team(_ context: WriteContext) throws -> Managed<Team>? {
        try Team.all(in: context).randomElement(using: &random)
    }

    private mutating func job(_ context: WriteContext) throws -> Managed<Job>? {
        try Job.all(in: context).randomElement(using: &random)
    }

    private mutating func name() -> String { "n\(random.below(60))" }
}

/// Without objects.
extension CrewWrites {
    private mutating func update(_ context: WriteContext) throws {
        let age = random.below(50)
        switch random.below(5) {
        // Some of these have the value already.
        case 0:
            try Person.update(
                where: { $0.age < age }, set: { [$0.mood.set(to: .merry)] }, in: context)
        case 1: try Person.update(where: { $0.age < 10 }, set: { [$0.age.add(3)] }, in: context)
        // One name for two persons is refused, after the first of them was changed.
        case 2:
            let name = name()
            try Person.update(
                where: { $0.age < age }, set: { [$0.name.set(to: name)] }, in: context)
        case 3:
            let team = try team(context)?.id
            try Job.update(set: { [$0.team.set(to: team)] }, in: context)
        default:
            let title = name()
            try Team.order { $0.title }.limit(2).update(
                set: { $0.title.set(to: title) }, in: context)
        }
    }

    private mutating func deleteSome(_ context: WriteContext) throws {
        let age = random.below(20)
        switch random.below(6) {
        case 0: try Job.deleteAll(in: context)
        case 1, 2: try Team.order { $0.title }.limit(3).deleteAll(in: context)
        case 3: try Job.order { $0.title }.limit(1).deleteAll(in: context)
        default:
            try Person.deleteAll(where: { $0.age >= age && $0.age < age + 4 }, in: context)
        }
    }

    private mutating func executeSQL(_ context: WriteContext) throws {
        let (number, fresh, name) = (random.below(40), Int64(random.next() >> 40), name())
        let person = random.happens(30) ? try person(context) : nil
        let choice = random.below(11)
        try context.sqlite { db in
            // Set while the raw SQL changes the same row.
            if let person { person.mood = person.mood == .cross ? .calm : .cross }
            switch choice {
            case 0:
                try db.execute(
                    sql: #"UPDATE "person" SET "age" = "age" + 1 WHERE "age" < \#(number)"#)
            case 1: try db.execute(sql: #"DELETE FROM "person" WHERE "id" % 9 = \#(number % 9)"#)
            case 2:
                // Deletes the person who has the name.
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO "person" ("name", "age", "mood")
                        VALUES ('\(name)', \(number), 'calm'), ('r\(fresh)', \(number), 'merry')
                        """)
            case 3:
                try db.execute(
                    sql: """
                        INSERT INTO "person" ("name", "age", "mood") VALUES ('\(name)', 1, 'calm')
                        ON CONFLICT ("name") DO UPDATE SET "age" = \(number)
                        """)
            case 4:
                // Another ID; refused at the end of the write where rows refer to the old one.
                try db.execute(
                    sql: """
                        UPDATE "person" SET "id" = (SELECT max("id") FROM "person") + 1
                        WHERE "id" = (SELECT "id" FROM "person" WHERE "age" < \(number) LIMIT 1)
                        """)
            case 5: try db.execute(sql: #"UPDATE "team" SET "title" = "title""#)
            case 6:
                try db.inSavepoint {
                    try db.execute(sql: #"DELETE FROM "job""#)
                    try db.execute(sql: #"UPDATE "person" SET "age" = 99"#)
                    return .rollback
                }
            case 7:
                try db.execute(sql: #"DELETE FROM "team" WHERE "title" < '\#(name)'"#)
                throw Refused()
            case 8: try db.execute(sql: #"DELETE FROM "job""#)
            case 9:
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO "team" ("id", "title") VALUES ('raw', '\(name)')
                        """)
            default:
                try db.execute(
                    sql: #"INSERT INTO "job" ("id", "title") VALUES (randomblob(16), '\#(name)')"#)
            }
        }
    }
}
