#if RequestCore
import SkiathosPlatformFoundation

/// Identifies the boot of the system, to detect a restart.
enum SystemRun {
    /// Differs between boots of the system; where the boot is unknown, differs between
    /// processes.
    static let current: String = {
        let file = "/proc/sys/kernel/random/boot_id"
        let text = (try? ReadableFile(path: file)).flatMap { try? $0.read(at: 0, upTo: 64) }
        return text.map { String(decoding: $0, as: UTF8.self) } ?? UUID().uuidString
    }()
}
#endif
