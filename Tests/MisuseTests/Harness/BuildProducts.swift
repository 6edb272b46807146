import Foundation

/// What the build that this test belongs to has made, which is what programs are compiled against.
struct BuildProducts {
    /// The folder of the compiled modules.
    let modules: String
    /// Where compilers keep what they have made of C modules, apart from the build's own, which
    /// must not be entered by another spelling of its path.
    let moduleCache: String
    /// Describe the C modules, without which those of GRDB and of this package cannot be loaded.
    let moduleMaps: [String]
    /// The plugin that expands `@Entity`, if it was built.
    let macroPlugin: String

    /// Searches upwards from the running test, so that any scratch path will do.
    init() throws {
        let products = try Self.nearest("Modules/Skiathos.swiftmodule")
        modules = products + "/Modules"
        moduleCache = products + "/MisuseTests.modulecache"
        macroPlugin = products + "/SkiathosMacros-tool"
        let moduleMap = "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap"
        moduleMaps = [
            try Self.nearest(moduleMap) + "/" + moduleMap,
            SourceFolders.package + "/Sources/CSkiathosFiles/include/module.modulemap",
            SourceFolders.package + "/Sources/CSkiathosSQLite/include/module.modulemap",
            SourceFolders.package + "/Sources/CSkiathosThreads/include/module.modulemap",
        ]
    }

    /// The nearest folder above the running test that holds a file.
    private static func nearest(_ file: String) throws -> String {
        let test = Bundle(for: Anchor.self).executableURL ?? Bundle.main.bundleURL
        var folder = test
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent(file).path
            if FileManager.default.fileExists(atPath: candidate) { return folder.path }
        }
        throw HarnessError("No folder above \(test.path) holds \(file).")
    }
}

/// Lets the bundle of this test be found.
private final class Anchor {}
