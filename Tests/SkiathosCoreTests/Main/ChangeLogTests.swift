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

    @Test func `a row of unknown values that was made again has changed in every column`() {
        var log = ChangeLog<User>()
        log.delete(1)
        log.insert(1)
        let columns = User.schema.columns.map(\.name).filter { $0 != "id" }
        #expect(log.outcome(in: "main").updated.map(\.columns) == [columns])
    }

    @Test func `a row that was there is none that was inserted, even if a step is added twice`() {
        var log = ChangeLog<User>()
        log.delete(1)
        for _ in 0..<2 {
            log.delete(2)
            log.insert(1)
            log.insert(3)
        }
        let outcome = log.outcome(in: "main")
        #expect(outcome.updated.map(\.id) == [1])
        #expect(outcome.deleted == [2])
        #expect(outcome.inserted == [3])
    }

    /// Each step is that of an object, or was recorded as it is stored, in any mixture.
    @Test func `it makes no difference to the outcome which steps were recorded`() throws {
        var (first, second, third) = (User(id: 1), User(id: 1), User(id: 1))
        (first.age, second.age, third.age) = (1, 2, 3)
        third.email = "a@b.c"
        let histories: [[User?]] = [
            [nil, first, second, third], [first, second, nil, third], [first, second, third, nil],
            [nil, first, nil, second], [first, nil, second, nil], [nil, first, second, nil],
            // Some columns, or all, have their first values in the end.
            [first, second, third, first], [first, second, nil, first],
            [first, nil, second, first], [first, nil, third, first],
            [second, third, first, second], [first, third, first, second],
            [first, third, nil, second],
        ]
        for states in histories {
            for mixture in 0..<8 {
                var record = ChangeRecord()
                for step in 0..<3 {
                    try record.add(
                        from: states[step], to: states[step + 1],
                        recorded: mixture & (1 << step) != 0)
                }
                let outcome =
                    record.changes(of: User.self, at: 0, in: "main")
                    ?? EntityChanges(ChangeLog(), in: "main")
                let isChanged = states[0] != states[3]
                #expect(outcome.before(1) == (isChanged ? states[0] : nil))
                #expect(outcome.after(1) == (isChanged ? states[3] : nil))
                let (wasThere, isThere) = (states[0] != nil, states[3] != nil)
                let isUpdated = wasThere && isThere && isChanged
                #expect(outcome.inserted == (!wasThere && isThere ? [1] : []))
                #expect(outcome.updated.map(\.id) == (isUpdated ? [1] : []))
                #expect(outcome.deleted == (wasThere && !isThere ? [1] : []))
                var rows: [SkiathosCore.ChangedRow] = []
                try record.forEachRow(of: 0, .all) { rows.append($0) }
                #expect(
                    rows.map(\.before) == (isChanged ? [try states[0]?.storedValues()] : []))
                #expect(
                    rows.map(\.after) == (isChanged ? [try states[3]?.storedValues()] : []))
                guard isUpdated, let before = states[0], let after = states[3] else { continue }
                let columns = after.changedColumns(from: before)
                #expect(outcome.updated.map(\.columnSet) == [columns])
                #expect(rows.map(\.columns) == [columns])
            }
        }
    }

    @Test func `a row that one flush deletes and makes again is one change`() throws {
        var (old, new) = (User(id: 1), User(id: 1))
        (old.age, new.age) = (1, 2)
        var changes = ObjectChanges<User>(entity: 0, upTo: 3)
        changes.delete(old)
        changes.insert(User(id: 2))
        changes.insert(new)
        var record = ChangeRecord()
        record.add([changes])
        var rows: [SkiathosCore.ChangedRow] = []
        try record.forEachRow(of: 0, [0]) { rows.append($0) }
        #expect(rows.map(\.before) == [try old.storedValues(), nil])
        #expect(rows.map(\.after) == [try new.storedValues(), try User(id: 2).storedValues()])
        #expect(rows.first?.columns == [4])
        let outcome = record.changes(of: User.self, at: 0, in: "main")
        #expect(outcome?.updated.map(\.id) == [1])
        #expect(outcome?.updated.map(\.columns) == [["age"]])
        #expect(outcome?.inserted == [2])
    }

    @Test func `only the columns that are needed are encoded`() throws {
        var (old, new) = (User(id: 1), User(id: 1))
        (old.age, new.age) = (1, 2)
        var changes = ObjectChanges<User>(entity: 0, upTo: 1)
        changes.update([4], from: old, to: new)
        for columns: ColumnSet in [[], [0], [1], [4], [0, 4], [1, 5], .all] {
            try changes.forEachRow(columns) { row in
                #expect(row.columns == [4])
                let (whole, count) = (try new.storedValues(), row.after?.count)
                #expect(count == columns.reduce(0) { max($0, $1 + 1) } || columns == .all)
                for column in columns.intersection(ColumnSet(first: whole.count)) {
                    #expect(row.after?[column] == whole[column])
                    #expect(row.before?[column] == (column == 4 ? .integer(1) : whole[column]))
                }
            }
        }
    }

    @Test func `entities that share a bit are never too few`() {
        let mask = EntityMask(entity: 3).union(EntityMask(entity: 130))
        for entity in 0..<200 {
            #expect(mask.contains(entity: entity) == (entity % 64 == 3 || entity % 64 == 2))
        }
        #expect(EntityMask.all.contains(entity: 77))
    }
}

extension ChangeRecord {
    /// Adds the change of a row, by an object or as it was recorded.
    fileprivate mutating func add(from before: User?, to after: User?, recorded: Bool) throws {
        guard !recorded else {
            let row = SkiathosCore.ChangedRow(
                from: try before?.storedValues(), to: try after?.storedValues())
            return add([StoredRows(entity: 0, rows: [row].compactMap { $0 })])
        }
        var changes = ObjectChanges<User>(entity: 0, upTo: 1)
        switch (before, after) {
        case (let before?, let after?):
            changes.update(after.changedColumns(from: before), from: before, to: after)
        case (let before?, nil): changes.delete(before)
        case (nil, let after?): changes.insert(after)
        case (nil, nil): break
        }
        add([changes])
    }
}
