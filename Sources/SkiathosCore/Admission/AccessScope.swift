#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Notices a `read` or `write` inside the closure of another one of the same data access layer,
/// which could wait for itself for ever.
///
/// A closure runs from beginning to end on one thread, so the accesses under way are a chain
/// that hangs on the thread. A task that the closure starts runs elsewhere and is not mistaken
/// for it, as it would be with a task-local value.
enum AccessScope {
    /// What is called, in the words of messages.
    enum Kind: String {
        case read = "read { }"
        case write = "write { }"
        case flush = "flush()"
        case reset = "reset()"
        case close = "close()"
        case backUp = "backUp(to:)"
        case restore = "restore(from:)"
    }

    private struct Frame {
        let owner: ObjectIdentifier
        let kind: Kind
        let outer: UnsafeMutablePointer<Frame>?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "No thread-specific key is left: pthread_key_create gave \(code).")
        return key
    }()

    private static var innermost: UnsafeMutablePointer<Frame>? {
        pthread_getspecific(key)?.assumingMemoryBound(to: Frame.self)
    }

    /// Throws if this thread is inside a closure of the owner.
    static func requireOutside(_ owner: AnyObject, for kind: Kind) throws {
        var frame = innermost
        while let current = frame {
            if current.pointee.owner == ObjectIdentifier(owner) {
                let outer = current.pointee.kind
                throw DataAccessError(
                    .nestedAccess,
                    "\(kind.rawValue) was called inside \(outer.rawValue) of the same data access layer, which could wait for itself. Use the context that the closure was given, and write after reading."
                )
            }
            frame = current.pointee.outer
        }
    }

    /// Runs a closure as an access of the owner.
    static func run<R>(_ kind: Kind, of owner: AnyObject, _ body: () throws -> R) rethrows -> R {
        let outer = innermost
        var frame = Frame(owner: ObjectIdentifier(owner), kind: kind, outer: outer)
        return try withUnsafeMutablePointer(to: &frame) { pointer in
            pthread_setspecific(key, pointer)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }
}
