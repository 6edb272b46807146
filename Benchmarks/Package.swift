// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that nothing it needs ever reaches a user. The macro is off: building
// swift-syntax optimised takes minutes, and the entity is written by hand just as it would expand.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let skiathos = Target.Dependency.product(name: "Skiathos", package: "Skiathos")

let locator = Target.Dependency.product(name: "ServiceLocator", package: "Skiathos")
let persistence = Target.Dependency.product(name: "PersistenceService", package: "Skiathos")

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Skiathos", path: "..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        .target(name: "CSupport"),
        .target(name: "BenchmarkReports"),
        .target(name: "PackedRows"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BenchmarkReports", "CSupport", "PackedRows", grdb, locator, persistence, skiathos,
                sqlite,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        // Processes whose start is measured, and which hold nothing else.
        .executableTarget(name: "StartRaw", dependencies: [sqlite]),
        .executableTarget(name: "StartGRDB", dependencies: [grdb]),
        .executableTarget(name: "StartSkiathos", dependencies: [skiathos]),
        .testTarget(name: "BenchmarkReportsTests", dependencies: ["BenchmarkReports"]),
        .testTarget(name: "PackedRowsTests", dependencies: ["PackedRows"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
