import Dispatch
import Locks
import Skiathos
import Testing

struct ConcurrencyTests {
    @Test(arguments: Place.allCases)
    func `a hundred tasks that read and write at once lose no update`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<100 {
                    group.addTask {
                        for _ in 0..<5 {
                            let written = try await dal.write { context in
                                let user = try User.find(id, in: context)
                                user?.age += 1
                                return user?.age ?? 0
                            }
                            let seen = try await dal.read { try User.find(id, in: $0)?.age } ?? 0
                            #expect(seen >= written, "task \(task)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await dal.read { try User.find(id, in: $0)?.age } == 500)
        }
    }

    @Test func `threads and tasks get their permits in turn`() async throws {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        await withContinuation { continuation in
                            DispatchQueue.global().async {
                                for _ in 0..<25 {
                                    _ = try? dal.write { try User.find(id, in: $0)?.age += 1 }
                                }
                                continuation.resume()
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<25 {
                            _ = try? await dal.write { try User.find(id, in: $0)?.age += 1 }
                        }
                    }
                }
            }
            #expect(try await dal.read { try User.find(id, in: $0)?.age } == 400)
        }
    }
}
