import SkiathosStore

extension StoreConformanceSuite {
    var copyChecks: [ConformanceCheck] {
        [
            check("a backup can be restored, all or nothing") { shelf in
                let directory = try TemporaryDirectory()
                let path = directory.file("copy")
                try shelf.insertAuthors("Ada", "Charles")
                try copy(shelf.store, to: path)
                try shelf.write { session in
                    _ = try session.delete(FetchRequest(entity: shelf.author))
                }
                // Undone, so nothing of it remains.
                _ = try? shelf.write { session in
                    _ = try session.restore(from: path) { _ in }
                    throw Unexpected(description: "the transaction is undone")
                }
                try requireEqual(try shelf.count(shelf.author), 0)
                try shelf.write { session in
                    let highest = try session.restore(from: path) { _ in }
                    try require(
                        highest[shelf.author] >= 2, "expected the ID 2, found \(highest)")
                }
                try requireEqual(try shelf.count(shelf.author), 2)
                withExtendedLifetime(directory) {}
            },
            check("a backup leaves a file that is there alone, and nothing when it is cancelled") {
                shelf in
                let directory = try TemporaryDirectory()
                let path = directory.file("copy")
                let backup = try shelf.store.beginBackup(to: path, overwriting: false)
                _ = try backup.step()
                backup.cancel()
                try copy(shelf.store, to: path)
                _ = try requireError(.fileExists) {
                    _ = try shelf.store.beginBackup(to: path, overwriting: false)
                }
                withExtendedLifetime(directory) {}
            },
        ]
    }

    private func copy(_ store: any PersistentStore, to path: String) throws {
        let backup = try store.beginBackup(to: path, overwriting: false)
        while true {
            let report = try backup.step()
            if report.completed == report.total { break }
        }
        try backup.finish()
    }
}
