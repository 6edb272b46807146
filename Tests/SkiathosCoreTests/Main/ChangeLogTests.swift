import Skiathos
import SkiathosStore
import Testing

@testable import SkiathosCore

struct ChangeLogTests {
    private enum Step: CaseIterable {
        case insert, update, delete
    }

    /// Every possible history of one row, with its net change.
    @Test(arguments: [false, true]) func `the outcome of any history is that of its ends`(
        _ existsBefore: Bool
    ) {
        var histories: [[Step]] = [[]]
        for _ in 0..<5 {
            histories += histories.flatMap { history in Step.allCases.map { history + [$0] } }
        }
        for history in Set(histories) {
            var exists = existsBefore
            var isPossible = true
            var log = ChangeLog<User>()
            for step in history {
                switch step {
                case .insert:
                    isPossible = isPossible && !exists
                    exists = true
                    log.insert(1)
                case .update:
                    isPossible = isPossible && exists
                    log.update(1, ColumnSet(bits: 2))
                case .delete:
                    isPossible = isPossible && exists
                    exists = false
                    log.delete(1)
                }
            }
            guard isPossible, !history.isEmpty else { continue }
            let outcome = log.outcome(in: "main")
            #expect(outcome.inserted == (!existsBefore && exists ? [1] : []), "\(history)")
            #expect(outcome.deleted == (existsBefore && !exists ? [1] : []), "\(history)")
            #expect(outcome.updated.map(\.id) == (existsBefore && exists ? [1] : []), "\(history)")
        }
    }

    @Test func `a row that was made again counts as changed in every column`() {
        var log = ChangeLog<User>()
        log.delete(1)
        log.insert(1)
        let columns = User.schema.columns.map(\.name).filter { $0 != "id" }
        #expect(log.outcome(in: "main").updated.map(\.columns) == [columns])
    }

    @Test func `entities that share a bit are never too few`() {
        let mask = EntityMask(entity: 3).union(EntityMask(entity: 130))
        for entity in 0..<200 {
            #expect(mask.contains(entity: entity) == (entity % 64 == 3 || entity % 64 == 2))
        }
        #expect(EntityMask.all.contains(entity: 77))
    }
}
