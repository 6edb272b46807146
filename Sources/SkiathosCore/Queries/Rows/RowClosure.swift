import CSkiathosThreads
import SkiathosStore
import Synchronization

/// Runs the closures of queries, so that the columns of each belong to its own row.
///
/// The columns of an outermost closure are the static ones of the entity. A closure that runs inside of
/// another one gets columns of its own, which name their row. The closures under way form a chain that
/// belongs to the thread: none of them can suspend.
@usableFromInline
enum RowClosure {
    /// A closure that runs inside of another one.
    private struct Frame {
        /// The entity of its rows.
        let entity: ObjectIdentifier
        let row: QueryRow
        /// How many closures run around it.
        let depth: Int
        /// The closure around it.
        let outer: UnsafeMutableRawPointer?
        /// Whether its columns are being made.
        var makesColumns = true
        /// Whether one of them has asked for its row.
        var hasColumns = false
    }

    /// The most closures inside of each other.
    ///
    /// No backend accepts as many; a function that calls itself without an end shall not overflow the
    /// stack.
    private static let deepest = 64

    /// The numbers of closures, unique in the process, so that a column is never taken for one of a
    /// later closure.
    private static let last = Atomic<Int>(0)

    /// The mark of an outermost closure.
    ///
    /// It needs no frame: its columns carry no name.
    private static var outermost: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: 1)
    }

    /// Runs a closure about the rows of a query.
    @inlinable
    static func run<E: Entity, Made: RowDependent>(
        _ entity: E.Type, _ body: (E.Columns) -> Made
    ) -> Made {
        guard beginOutermost() else { return runInside(entity, body) }
        let made = body(E.columns)
        endOutermost()
        return made
    }

    /// Runs a closure about rows that stand inside of another row.
    @usableFromInline
    static func runInside<E: Entity, Made: RowDependent>(
        _ entity: E.Type, _ body: (E.Columns) -> Made
    ) -> Made {
        let outer = skiathos_innermost_closure()
        let depth = frame(at: outer).map { $0.pointee.depth + 1 } ?? 1
        guard depth <= deepest else { return Made.refused(tooDeep(entity)) }
        let row = QueryRow(closure: last.add(1, ordering: .relaxed).newValue)
        var frame = Frame(entity: ObjectIdentifier(entity), row: row, depth: depth, outer: outer)
        let made = withUnsafeMutablePointer(to: &frame) { frame in
            skiathos_set_innermost_closure(frame)
            defer { skiathos_set_innermost_closure(outer) }
            let columns = E.makeColumns()
            precondition(
                frame.pointee.hasColumns,
                "\(entity).makeColumns() returned columns that were made before. Make them anew in it, as in 'Columns()'."
            )
            frame.pointee.makesColumns = false
            return body(columns)
        }
        return made.resolved(
            RowResolution(
                ending: RowName(row.closure, entity), outermost: RowName(0, entity)))
    }

    /// The row of columns that are being made; the outermost one outside of closures.
    @usableFromInline
    static func rowOfNewColumns<E: Entity>(_ entity: E.Type) -> QueryRow {
        guard let frame = frame(at: skiathos_innermost_closure()), frame.pointee.makesColumns,
            frame.pointee.entity == ObjectIdentifier(entity)
        else { return .outermost }
        frame.pointee.hasColumns = true
        return frame.pointee.row
    }

    /// The row of the innermost closure about an entity, for conditions that are made without a column.
    static func innermostRow<E: Entity>(of entity: E.Type) -> QueryRow {
        var current = frame(at: skiathos_innermost_closure())
        while let frame = current {
            if frame.pointee.entity == ObjectIdentifier(entity) { return frame.pointee.row }
            current = Self.frame(at: frame.pointee.outer)
        }
        return .outermost
    }

    /// Whether a closure runs inside of another one.
    static var isInside: Bool { frame(at: skiathos_innermost_closure()) != nil }

    /// Runs a closure that makes something independent of the closures around it.
    static func apart<Made>(_ body: () -> Made) -> Made {
        let outer = skiathos_innermost_closure()
        skiathos_set_innermost_closure(nil)
        defer { skiathos_set_innermost_closure(outer) }
        return body()
    }

    private static func frame(
        at pointer: UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<Frame>? {
        pointer == outermost ? nil : pointer?.assumingMemoryBound(to: Frame.self)
    }

    @usableFromInline
    static func beginOutermost() -> Bool {
        guard skiathos_innermost_closure() == nil else { return false }
        skiathos_set_innermost_closure(outermost)
        return true
    }

    @usableFromInline
    static func endOutermost() { skiathos_set_innermost_closure(nil) }

    private static func tooDeep<E: Entity>(_ entity: E.Type) -> StoreError {
        StoreError(
            .tooComplex,
            "More than \(deepest) closures of a query about \(entity) stand inside of each other. Split the query, or fetch a part of it first."
        )
    }
}
