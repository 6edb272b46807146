import Foundation

/// Runs a closure with a directory of its own, which is gone afterwards.
func withTemporaryDirectory<R>(_ body: (URL) throws -> R) throws -> R {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("skiathos-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // Remaining files do no harm.
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
}
