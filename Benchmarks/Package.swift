// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that nothing it needs ever reaches a user. The macro is off: building
// swift-syntax optimised takes minutes, and the entity is written by hand just as it would expand.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Skiathos", path: "..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .target(name: "CHeap"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CHeap",
                .product(name: "Skiathos", package: "Skiathos"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
