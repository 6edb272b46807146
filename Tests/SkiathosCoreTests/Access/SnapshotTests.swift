import Skiathos
import TestSupport
import Testing

struct SnapshotTests {
    @Test func `a read keeps its version while writes run and return`() async throws {
        try await withStore { dal in
            try await dal.write { try User.create(in: $0) { $0.age = 1 } }
            let door = Door()
            let began = Event()
            async let held: [Int] = onThread {
                try dal.read { context in
                    let before = try User.count(in: context)
                    began.happen()
                    door.pass()
                    return [before, try User.count(in: context), try User.all(in: context)[0].age]
                }
            }
            await began.wait()
            try await dal.write { context in
                try User.first(in: context)?.age = 2
                try User.create(in: context)
            }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 2)
            door.open()
            #expect(try await held == [1, 1, 1])
        }
    }

    @Test func `reads run while a write is under way and do not see it`() async throws {
        try await withStore { dal in
            let door = Door()
            let began = Event()
            async let writer: Void = onThread {
                try dal.write { context in
                    try User.create(in: context)
                    // A query flushes the pending changes to the open transaction.
                    _ = try User.count(in: context)
                    began.happen()
                    door.pass()
                }
            }
            await began.wait()
            for _ in 0..<10 {
                let count: Int = try await dal.read { try User.count(in: $0) }
                #expect(count == 0)
            }
            door.open()
            try await writer
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
        }
    }

    @Test func `more reads than connections are all served`() async throws {
        var configuration = Configuration()
        configuration.readerCount = 2
        try await withStore(configuration: configuration) { dal in
            try await dal.write { try User.create(in: $0) }
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await dal.read { try User.count(in: $0) } }
                    group.addTask { try await onThread { try dal.read { try User.count(in: $0) } } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 1, count: 40))
        }
    }
}
