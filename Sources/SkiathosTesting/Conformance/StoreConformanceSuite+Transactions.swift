import SkiathosStore

extension StoreConformanceSuite {
    var transactionChecks: [ConformanceCheck] {
        [
            check("a rollback removes its changes, and rolling back nothing is allowed") { shelf in
                try shelf.store.writer.withSession { session in
                    try session.begin()
                    try require(session.isInTransaction, "no transaction is open after begin")
                    try session.apply([
                        .insert(entity: shelf.author, ValueRows([.integer(1), .text("a")]))
                    ])
                    try session.rollback()
                    try require(!session.isInTransaction, "a transaction is open after rollback")
                    try session.rollback()
                }
                try requireEqual(try shelf.count(shelf.author), 0)
            },
            check("a transaction stays open between sessions, unseen by readers") { shelf in
                try shelf.store.writer.withSession { session in
                    try session.begin()
                    try session.apply([
                        .insert(entity: shelf.author, ValueRows([.integer(1), .text("a")]))
                    ])
                }
                if !shelf.store.readers.isEmpty {
                    try requireEqual(try shelf.count(shelf.author), 0)
                }
                try shelf.store.writer.withSession { session in
                    let request = FetchRequest(entity: shelf.author)
                    try requireEqual(try session.count(request), 1)
                    try session.commit()
                }
                try requireEqual(try shelf.count(shelf.author), 1)
            },
            check("savepoints are rolled back and released one by one") { shelf in
                try shelf.write { session in
                    func add(_ id: Int64) throws {
                        try session.apply([
                            .insert(
                                entity: shelf.author, ValueRows([.integer(id), .text("\(id)")]))
                        ])
                    }
                    try add(1)
                    try session.openSavepoint()
                    try add(2)
                    try session.openSavepoint()
                    try add(3)
                    try session.rollbackSavepoint()
                    try session.releaseSavepoint()
                    try session.openSavepoint()
                    try add(4)
                    try session.rollbackSavepoint()
                }
                try requireEqual(try shelf.count(shelf.author), 2)
            },
            check("a read keeps one version from its first statement to its last") { shelf in
                guard let reader = shelf.store.readers.first else { return }
                try shelf.insertAuthors("a")
                let request = FetchRequest(entity: shelf.author)
                try reader.read { session in
                    try requireEqual(try session.count(request), 1)
                    try shelf.write {
                        try $0.apply([
                            .insert(entity: shelf.author, ValueRows([.integer(2), .text("b")]))
                        ])
                    }
                    try requireEqual(try session.count(request), 1)
                }
                try requireEqual(try reader.read { try $0.count(request) }, 2)
            },
            check("a read that has reserved a connection sees the newest version, and no later one")
            {
                shelf in
                guard let reader = shelf.store.readers.first else { return }
                try shelf.insertAuthors("a")
                let request = FetchRequest(entity: shelf.author)
                func count() throws -> Int { try reader.readReserved { try $0.count(request) } }
                // With a snapshot that an earlier read has left, and without.
                for number in 1...3 {
                    if number == 2 {
                        try requireEqual(try reader.read { try $0.count(request) }, number)
                    }
                    // Reserving is optional.
                    guard let version = reader.reserve()?.version else { return }
                    try requireEqual(version % 2, 0)
                    // The commit comes before the first statement of the read, or after it.
                    if number == 3 { try requireEqual(try count(), number) }
                    try shelf.write {
                        try $0.apply([
                            .insert(
                                entity: shelf.author,
                                ValueRows([.integer(Int64(number + 1)), .text("\(number)")]))
                        ])
                    }
                    for _ in 1...2 {
                        try reader.readReserved { session in
                            try requireEqual(session.committedVersion, version)
                            try requireEqual(try session.count(request), number)
                        }
                    }
                    reader.endReservation(discarding: number == 3)
                }
                try requireEqual(try reader.read { try $0.count(request) }, 4)
            },
            check("steps are applied as a whole or not at all") { shelf in
                try shelf.insertAuthors("a")
                try shelf.store.writer.withSession { session in
                    try session.begin()
                    _ = try requireError(.uniqueViolation) {
                        try session.apply([
                            .insert(entity: shelf.author, ValueRows([.integer(2), .text("b")])),
                            .insert(entity: shelf.author, ValueRows([.integer(3), .text("a")])),
                        ])
                    }
                    try session.commit()
                }
                try requireEqual(try shelf.count(shelf.author), 1)
            },
        ]
    }

    var persistenceChecks: [ConformanceCheck] {
        [
            ConformanceCheck(rule: "a committed change is there after closing and opening") {
                let source = try makeSource()
                let first = try ConformanceStore(source)
                try first.insertAuthors("a", "b")
                try first.write { session in
                    try session.apply([
                        .delete(entity: first.author, ValueRows([.integer(2)])),
                        .reserveIDs(entity: first.author, upTo: 2),
                    ])
                }
                try first.store.close()
                let second = try ConformanceStore(source)
                defer { try? second.store.close() }
                try requireEqual(try second.count(second.author), 1)
                try second.write { try requireEqual(try $0.highestID(of: second.author), 2) }
            }
        ]
    }
}
