import Skiathos

/// The closures of the operations.
extension PlannedOperation {
    private struct Undone: Error {}

    func run(in context: ReadContext, _ notebook: Notebook) throws {
        var page = Notebook.Page()
        defer { notebook.note(page) }
        if isCounted { page.seenPlace = try Register.find(Register.counter, in: context)?.content }
        for (index, step) in steps.enumerated() {
            if index == steps.count - 1 { cancelIfPlanned(notebook) }
            switch step {
            case .readList(let list):
                let values = try ListEntry.all(
                    where: { $0.list == list }, orderedBy: { [$0.id.ascending] }, in: context
                ).map(\.value)
                page.accesses.append(.read(.list(list), values))
            case .readRegisters(let numbers):
                // One by one, from the row cache and earlier snapshots, or together.
                let found =
                    numbers.count.isMultiple(of: 2)
                    ? try Register.find(numbers.map(Self.id), in: context).found
                    : try numbers.compactMap { try Register.find(Self.id($0), in: context) }
                for number in numbers {
                    let value = found.first { $0.id == Self.id(number) }?.content
                    page.accesses.append(.read(.register(number), [value ?? -1]))
                }
            case .append, .undo, .replace, .overwrite:
                preconditionFailure("A read was planned with a step that writes.")
            }
        }
        if isRefused { throw RefusedOperation(number: number) }
    }

    func run(in context: WriteContext, _ notebook: Notebook) throws {
        var page = Notebook.Page()
        defer { notebook.note(page) }
        if isCounted, let counter = try Register.find(Register.counter, in: context) {
            page.seenPlace = counter.content
            counter.content += 1
        }
        for (index, step) in steps.enumerated() {
            if index == steps.count - 1 { cancelIfPlanned(notebook) }
            try run(step, in: context, &page.accesses)
        }
        if isRefused { throw RefusedOperation(number: number) }
    }

    private func run(
        _ step: Step, in context: WriteContext, _ accesses: inout [HistoryAccess]
    ) throws {
        switch step {
        case .readList(let list):
            let objects = try ListEntry.all(
                where: { $0.list == list }, orderedBy: { [$0.id.ascending] }, in: context)
            accesses.append(.read(.list(list), objects.map(\.value.value)))
        case .readRegisters(let numbers):
            for number in numbers {
                let value = try Register.find(Self.id(number), in: context)?.content
                accesses.append(.read(.register(number), [value ?? -1]))
            }
        case .append(let list, let value):
            try append(value, to: list, in: context)
            accesses.append(.write(.list(list), value))
        case .undo(let list, let value):
            accesses.append(.undone(.list(list), value))
            do {
                try context.nested { inner in
                    try append(value, to: list, in: inner)
                    // A query flushes it to the transaction before it is rolled back.
                    if value % 4 > 0 { _ = try ListEntry.count(in: inner) }
                    throw Undone()
                }
            } catch is Undone {}
        case .replace(let number, let value):
            let register = try Register.find(Self.id(number), in: context)
            accesses.append(.read(.register(number), [register?.content ?? -1]))
            register?.content = value
            accesses.append(.write(.register(number), value))
        case .overwrite(let number, let value):
            let id = Self.id(number)
            try Register.update(
                where: { $0.id == id }, set: { [$0.content.set(to: value)] }, in: context)
            accesses.append(.write(.register(number), value))
        }
    }

    private func cancelIfPlanned(_ notebook: Notebook) {
        switch cancellation {
        case .never, .soon: break
        case .inside: withUnsafeCurrentTask { $0?.cancel() }
        case .ending: notebook.willEnd()
        }
    }

    private static func id(_ number: Int) -> Register.ID { Register.ID(rawValue: Int64(number)) }

    private func append(_ value: Int, to list: Int, in context: WriteContext) throws {
        try ListEntry.create(in: context) {
            $0.list = list
            $0.value = value
            $0.register = isDangling ? Self.id(.max) : value % 2 == 0 ? Self.id(1) : nil
        }
    }
}
