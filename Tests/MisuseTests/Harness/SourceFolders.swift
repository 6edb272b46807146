import Foundation

/// The folders of this target that hold source files for the compiler under test.
enum SourceFolders {
    /// A folder that stands beside the folder of this file.
    static func folder(_ name: String, besideFolderOf file: String = #filePath) -> String {
        URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// The folder of the whole package.
    static var package: String {
        URL(fileURLWithPath: folder("")).deletingLastPathComponent().deletingLastPathComponent()
            .path
    }

    /// The entities of most programs, conformed by hand, so that they need no macro.
    static func support() throws -> [String] {
        let folder = folder("Support")
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .map { folder + "/" + $0 }
    }
}

/// Why programs cannot be compiled at all.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
