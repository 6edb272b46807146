#if canImport(Glibc)
import Glibc

/// A call of the operating system that fails.
package struct CallFault: Sendable, Hashable {
    /// Kinds of calls, in the order of `enum call` in `call_faults.c`.
    package enum Call: Int32, Sendable, Hashable, CaseIterable {
        case open, close, read, write, truncate, status, lock, wholeLock, sync, map, access
        case readLink, link, rename, unlink, mode, directory

        /// The errors with which calls of this kind can fail.
        package var errors: [CallFault.Number] {
            switch self {
            case .open:
                [.inputOutput, .noSpace, .noAccess, .noDescriptor, .signal, .noMemory, .readOnly]
            case .close, .read: [.inputOutput, .signal]
            // A system that has met errors makes the disk read-only under open files.
            case .write, .truncate: [.inputOutput, .noSpace, .signal, .readOnly]
            case .sync: [.inputOutput, .noSpace, .signal]
            case .status, .readLink: [.inputOutput, .noAccess, .noMemory]
            case .lock: [.inputOutput, .noAccess, .signal]
            case .wholeLock: [.inputOutput, .signal, .noMemory]
            case .map: [.noAccess, .noMemory]
            case .access: [.inputOutput, .noAccess, .noMemory, .readOnly]
            case .link, .rename, .unlink:
                [.inputOutput, .noSpace, .noAccess, .noMemory, .readOnly]
            case .mode: [.inputOutput, .noAccess, .readOnly]
            case .directory: [.noAccess, .noMemory]
            }
        }
    }

    /// Why a call fails.
    package enum Number: String, Sendable, Hashable, CaseIterable {
        case inputOutput, noSpace, noAccess, noDescriptor, signal, noMemory, readOnly

        /// The system's number.
        package var value: Int32 {
            switch self {
            case .inputOutput: EIO
            case .noSpace: ENOSPC
            case .noAccess: EACCES
            case .noDescriptor: EMFILE
            case .signal: EINTR
            case .noMemory: ENOMEM
            case .readOnly: EROFS
            }
        }
    }

    /// What is done meanwhile.
    package enum Scene: String, Sendable, Hashable, CaseIterable {
        /// A new store is written, read and backed up.
        case creation
        /// The store of a process that was killed is written, read and backed up.
        case recovery
        /// A store is restored and written.
        case restoring
    }

    package var scene: Scene
    package var call: Call
    /// How many calls of the kind come first.
    package var after: Int
    package var number: Number
    /// Whether all later ones fail too.
    package var isLasting: Bool

    /// As a line that a process is given.
    package var line: String {
        "\(scene.rawValue) \(call.rawValue) \(after) \(number.rawValue) \(isLasting ? 1 : 0)"
    }

    package init(
        _ scene: Scene, _ call: Call, after: Int, _ number: Number, isLasting: Bool = false
    ) {
        self.scene = scene
        self.call = call
        self.after = after
        self.number = number
        self.isLasting = isLasting
    }

    /// Reads a line; `nil` if it is none.
    package init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ").map { String($0) }
        guard words.count == 5, let scene = Scene(rawValue: words[0]),
            let call = Int32(words[1]).flatMap({ Call(rawValue: $0) }), let after = Int(words[2]),
            let number = Number(rawValue: words[3])
        else { return nil }
        self.init(scene, call, after: after, number, isLasting: words[4] == "1")
    }
}

extension CallFault: CustomStringConvertible {
    package var description: String {
        "\(scene): \(call) \(after) fails \(isLasting ? "for ever" : "once") with \(number)"
    }
}

/// The library that stands between this process and the system, if it was loaded.
struct CallFaultControl: Sendable {
    private typealias Arm =
        @convention(c) (UnsafePointer<CChar>, Int32, CLong, Int32, Int32) -> Void
    private let armFunction: Arm
    private let disarmFunction: @convention(c) () -> Void
    private let countFunction: @convention(c) (Int32) -> CLong
    private let failuresFunction: @convention(c) () -> CLong

    /// `nil` if the library was not loaded.
    init?() {
        guard let arm = dlsym(nil, "call_faults_arm"),
            let disarm = dlsym(nil, "call_faults_disarm"),
            let count = dlsym(nil, "call_faults_count"),
            let failures = dlsym(nil, "call_faults_failures")
        else { return nil }
        armFunction = unsafeBitCast(arm, to: Arm.self)
        disarmFunction = unsafeBitCast(disarm, to: (@convention(c) () -> Void).self)
        countFunction = unsafeBitCast(count, to: (@convention(c) (Int32) -> CLong).self)
        failuresFunction = unsafeBitCast(failures, to: (@convention(c) () -> CLong).self)
    }

    /// Lets calls on files of a directory fail; none without a fault, though they are counted.
    func arm(_ directory: String, _ fault: CallFault?) {
        armFunction(
            directory, fault?.call.rawValue ?? -1, fault?.after ?? 0, fault?.number.value ?? 0,
            fault?.isLasting == true ? 1 : 0)
    }

    func disarm() { disarmFunction() }

    /// How many calls have failed.
    var failures: Int { failuresFunction() }

    func count(_ call: CallFault.Call) -> Int { countFunction(call.rawValue) }
}
#endif
