import Skiathos

extension RawContestant {
    func rowCount() throws -> Int {
        try writing { writer in
            defer { writer.count.reset() }
            return try writer.count.next() ? Int(writer.count.integer(0)) : 0
        }
    }

    func deleteAll() throws { try writing { try $0.run("DELETE FROM user") } }

    func deleteUsers(above number: Int64) throws {
        try writing { try $0.run("DELETE FROM user WHERE id > \(number)") }
    }

    func promise(_ promise: Promise) throws { try writing { try $0.run(promise.pragma) } }

    func insert(_ users: [User], _ watch: Stopwatch) throws {
        try writing { writer in
            try writer.transaction { for user in users { try writer.insert(user) } }
        }
    }

    func insertAlone(_ user: User, _ promise: Promise) throws {
        try writing { writer in try writer.transaction { try writer.insert(user) } }
    }

    func insertAloneInTask(_ user: User, _ promise: Promise) async throws {
        try insertAlone(user, promise)
    }

    /// There is no such promise here: the nearest is to insert them in one transaction.
    func insertMerged(_ users: [User]) throws { try insert(users, Stopwatch()) }

    func increaseAgeAlone(_ id: Int64) throws {
        try writing { writer in
            try writer.transaction {
                writer.byID.bind(1, id)
                try writer.increaseAges(try writer.byID.users())
            }
        }
    }

    func increaseAges(ofFirst count: Int) throws {
        try writing { writer in
            try writer.transaction {
                writer.first.bind(1, Int64(count))
                try writer.increaseAges(try writer.first.users())
            }
        }
    }

    func increaseAges() throws {
        try writing { writer in
            try writer.transaction {
                var users = try writer.all.users()
                for index in users.indices {
                    users[index].age += 1
                    writer.setAge.bind(1, Int64(users[index].age))
                    writer.setAge.bind(2, users[index].id.rawValue)
                    try writer.setAge.run()
                }
            }
        }
    }

    /// Nothing is held here: the nearest is to fetch as well.
    func increaseHeldAges(_ watch: Stopwatch) throws { try increaseAges() }

    func deleteByPredicate() throws {
        try writing { try $0.run("DELETE FROM user WHERE age >= 0") }
    }

    func deleteOneByOne(_ watch: Stopwatch) throws {
        try writing { writer in
            try writer.transaction {
                let users = try writer.all.users()
                watch.start()
                for user in users {
                    writer.deleteOne.bind(1, user.id.rawValue)
                    try writer.deleteOne.run()
                }
            }
        }
    }
}
