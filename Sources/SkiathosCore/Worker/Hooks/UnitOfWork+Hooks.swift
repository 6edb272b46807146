import SkiathosStore

/// The last hook that has run for an object in the flush that is being prepared.
@usableFromInline
struct HookMark<E: Entity> {
    enum Kind {
        case insert, update, delete
    }

    let kind: Kind
    /// The object's value when its hook had returned.
    let value: E
}

extension UnitOfWork {
    /// Runs the hooks that are due for pending objects; returns whether any has run.
    func runHooks() throws -> Bool {
        guard let entity = E.self as? any WriteHooks.Type else { return false }
        return try runHooks(of: entity)
    }

    private func runHooks<H: WriteHooks>(of entity: H.Type) throws -> Bool {
        // H is E, with the conformance that the compiler cannot see.
        let unit = unsafeDowncast(self, to: UnitOfWork<H>.self)
        var hasRun = false
        // Objects that hooks add are processed in the next round.
        for index in 0..<unit.pending.count {
            let object = unit.pending[index]
            guard let kind = unit.dueHook(of: object) else { continue }
            hasRun = true
            switch kind {
            case .insert: try H.willInsert(object, in: context)
            case .update: try H.willUpdate(object, in: context)
            case .delete: try H.willDelete(object, in: context)
            }
            unit.hookMarks = unit.hookMarks ?? [:]
            unit.hookMarks?[ObjectIdentifier(object)] = HookMark(kind: kind, value: object.current)
        }
        return hasRun
    }

    /// The hook that has to run for an object next, if any.
    private func dueHook(of object: Managed<E>) -> HookMark<E>.Kind? {
        let mark = hookMarks?[ObjectIdentifier(object)]
        switch object.pendingChange.kind {
        case .none: return nil
        case .insert: return mark?.kind == .insert ? nil : .insert
        case .delete: return mark?.kind == .delete ? nil : .delete
        case .update:
            guard let mark, mark.kind == .update else { return .update }
            return object.current.changedColumns(from: mark.value).isEmpty ? nil : .update
        }
    }
}
