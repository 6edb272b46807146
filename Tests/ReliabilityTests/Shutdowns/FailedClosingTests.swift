import ReliabilityKit
import Skiathos
import SkiathosTesting
import Testing

struct FailedClosingTests {
    @Test func `a disk that fails while a store is closed is in the report of every call`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        let dal = try await DataAccessLayer.open(.sqlite(volume.path), entities: Item.self)
        try await dal.write { context -> Void in
            try Item.create(id: Item.ID(rawValue: "a"), in: context)
        }
        volume.fail(Fault(.sync, isForEver: true, result: 1034))
        let first = await dal.shutDown(within: .seconds(600))
        #expect(first.isClosed)
        #expect(!first.isDurable)
        #expect(first.failure != nil)
        let second = await dal.shutDown(within: .zero)
        #expect(!second.isComplete)
        #expect(second.description == first.description)
    }
}
