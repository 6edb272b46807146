#if RequestCore
import DeliveryKit

/// A process that is killed while it writes changes and delivers their requests, or syncs.
@main
struct DeliveryChild {
    static func main() async throws {
        #if canImport(Glibc)
        let words = CommandLine.arguments
        guard words.count == 4, let port = UInt16(words[2]) else { return print(usage) }
        if words[3] == "sync" { return try await SyncLife(path: words[1], port: port).work() }
        guard let seed = UInt64(words[3]) else { return print(usage) }
        let life = try await DeliveryLife(path: words[1], port: port)
        if seed == 0 { try await life.finish() } else { try await life.work(seed: seed) }
        #endif
    }

    private static let usage =
        "DeliveryChild STORE PORT SEED|sync, where the seed 0 finishes what is left"
}
#else
@main
struct DeliveryChild {
    static func main() { print("DeliveryChild needs the trait RequestCore.") }
}
#endif
