#if RequestCore
import PlatformFoundation

/// Which run of the system this is, so that it can be told whether it was restarted meanwhile.
enum SystemRun {
    /// Differs between two runs of the system; differs between processes where it is unknown.
    static let current: String = {
        let file = "/proc/sys/kernel/random/boot_id"
        let text = (try? ReadableFile(path: file)).flatMap { try? $0.read(at: 0, upTo: 64) }
        return text.map { String(decoding: $0, as: UTF8.self) } ?? UUID().uuidString
    }()
}
#endif
