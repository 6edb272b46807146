import Foundation

/// The directory in which this test was built, next to which the executables and modules lie.
enum BuildDirectory {
    static let url: URL = {
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return (bundle ?? .main).bundleURL.deletingLastPathComponent()
        #else
        return Bundle.main.bundleURL
        #endif
    }()

    /// The directory of all builds and of the packages that this one depends on.
    static let scratch = url.deletingLastPathComponent().deletingLastPathComponent()

    static func executable(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// The sources of this package, for tests of documents.
enum PackageDirectory {
    static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The text of a file whose path begins at the package.
    static func text(of path: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
    }

    /// The paths of all files with an extension, without those in hidden directories and in that
    /// of the build.
    static func files(_ pathExtension: String, under directory: String = "") throws -> [String] {
        let start = url.appendingPathComponent(directory)
        let found = FileManager.default.enumerator(
            at: start, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let root = url.standardizedFileURL.path + "/"
        let scratch = BuildDirectory.scratch.standardizedFileURL.path + "/"
        return (found?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == pathExtension }.map(\.standardizedFileURL.path)
            .filter { !$0.hasPrefix(scratch) }.map { String($0.dropFirst(root.count)) }.sorted()
    }
}
