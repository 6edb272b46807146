#if Macros
import Foundation

/// Where the store is: in a file that stays, or in a temporary directory that goes with this value.
final class StorePlace {
    let path: String
    private let temporaryDirectory: URL?

    init(path: String?) throws {
        if let path {
            self.path = path
            temporaryDirectory = nil
        } else {
            let directory = FileManager.default.temporaryDirectory
                .appendingPathComponent("MusicShop-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            self.path = directory.appendingPathComponent("shop.sqlite").path
            temporaryDirectory = directory
        }
    }

    deinit {
        // A remaining directory does no harm.
        if let temporaryDirectory { try? FileManager.default.removeItem(at: temporaryDirectory) }
    }
}
#endif
