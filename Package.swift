// swift-tools-version: 6.1

import CompilerPluginSupport
import PackageDescription

/// A product of swift-syntax, which is built only where macros are wanted.
func swiftSyntax(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

let macros = Target.Dependency.target(
    name: "SkiathosMacros", condition: .when(traits: ["Macros"]))

let weakProxyMacros = Target.Dependency.target(
    name: "WeakProxyMacros", condition: .when(traits: ["Macros"]))

/// A product that is built only where HTTP is really spoken.
func networking(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Networking"]))
}

let transportProducts = [
    networking("AsyncHTTPClient", "async-http-client"), networking("Crypto", "swift-crypto"),
    networking("NIOCore", "swift-nio"), networking("NIOHTTP1", "swift-nio"),
    networking("NIOHTTP2", "swift-nio-http2"), networking("NIOPosix", "swift-nio"),
    networking("NIOSSL", "swift-nio-ssl"), networking("NIOTLS", "swift-nio"),
]

let package = Package(
    name: "Skiathos",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Skiathos", targets: ["Skiathos"]),
        .library(name: "SkiathosGRDB", targets: ["SkiathosGRDB"]),
        .library(name: "SkiathosLifecycle", targets: ["SkiathosLifecycle"]),
        .library(name: "SkiathosTesting", targets: ["SkiathosTesting"]),
        .library(name: "ServiceLocator", targets: ["ServiceLocator"]),
        .library(name: "PersistenceService", targets: ["PersistenceService"]),
        .library(name: "PersistenceServiceTesting", targets: ["PersistenceServiceTesting"]),
        .library(name: "ServiceLocatorLifecycle", targets: ["ServiceLocatorLifecycle"]),
        .library(name: "WeakProxies", targets: ["WeakProxies"]),
        .library(name: "DataRequestService", targets: ["DataRequestService"]),
        .library(name: "DataRequestPersistence", targets: ["DataRequestPersistence"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description:
                "The macros @Entity and @WeakProxy. Without them, such types are written by hand and swift-syntax is not built."
        ),
        .trait(
            name: "Networking",
            description:
                "The transport of DataRequestService on async-http-client, and the tests and examples that talk to servers. Without it, NIO is not built."
        ),
        .default(enabledTraits: ["Macros", "Networking"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"6.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
    ],
    targets: [
        .target(name: "Locks"),
        .target(name: "SkiathosStore"),
        .target(
            name: "SkiathosCore",
            dependencies: [
                "Locks",
                "SkiathosStore", .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]),
        .target(name: "CSkiathosFiles"),
        .target(name: "CSkiathosSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "SkiathosSQLite",
            dependencies: [
                "Locks",
                "CSkiathosFiles", "CSkiathosSQLite", "SkiathosStore",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        // Not part of Skiathos, so that nobody sees GRDB who does not ask for it.
        .target(
            name: "SkiathosGRDB",
            dependencies: ["SkiathosCore", .product(name: "GRDB", package: "GRDB.swift")]),
        .target(
            name: "Skiathos",
            dependencies: ["SkiathosCore", "SkiathosSQLite", "SkiathosStore", macros]),
        .macro(
            name: "SkiathosMacros",
            dependencies: [
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax",
                "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
            ].map(swiftSyntax)),
        .target(
            name: "SkiathosLifecycle",
            dependencies: [
                "SkiathosCore", .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .target(name: "SkiathosTesting", dependencies: ["SkiathosCore", "SkiathosStore"]),
        .target(
            name: "PersistenceService",
            dependencies: ["Locks", "Skiathos", "SkiathosCore", "SkiathosStore"]),
        .target(
            name: "PersistenceServiceTesting",
            dependencies: [
                "Locks",
                "PersistenceService", "Skiathos", "SkiathosCore", "SkiathosStore",
                "SkiathosTesting",
            ]),

        .executableTarget(
            name: "FirstSteps", dependencies: ["Skiathos"], path: "Examples/FirstSteps"),
        .executableTarget(
            name: "QuickStart", dependencies: ["Skiathos"], path: "Examples/QuickStart"),
        .executableTarget(
            name: "ImportCities",
            dependencies: [
                "ExampleSupport", "Skiathos", .product(name: "SwiftCSV", package: "SwiftCSV"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Examples/ImportCities"),
        .executableTarget(
            name: "MusicShop",
            dependencies: [
                "ExampleSupport", "Skiathos", "SkiathosTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Examples/MusicShop", exclude: ["Data/NOTICE.md"],
            resources: [.copy("Data/chinook.json")]),
        // A target of its own, since tests cannot import an executable in a clean build.
        .target(
            name: "FieldNotesKit",
            dependencies: ["PersistenceService", "ServiceLocator", "Skiathos"],
            path: "Examples/FieldNotes/Kit"),
        .executableTarget(
            name: "FieldNotes",
            dependencies: [
                "FieldNotesKit", "ServiceLocator", "Skiathos",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Examples/FieldNotes/App"),
        .target(
            name: "NotesServerKit",
            dependencies: [
                "Skiathos", "SkiathosLifecycle", networking("Hummingbird", "hummingbird"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], path: "Examples/NotesServer/Kit"),
        .executableTarget(
            name: "NotesServer",
            dependencies: [
                "NotesServerKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Examples/NotesServer/App"),
        .testTarget(
            name: "NotesServerTests",
            dependencies: [
                "Locks", "NotesServer", "NotesServerKit", "Skiathos", "SkiathosTesting", "Spawning",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "OfflineFirstKit",
            dependencies: [
                "DataRequestCore", "DataRequestPersistence", "DataRequestService", "ExampleSupport",
                "Skiathos", networking("Hummingbird", "hummingbird"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], path: "Examples/OfflineFirst/Kit"),
        .executableTarget(
            name: "OfflineFirst",
            dependencies: [
                "OfflineFirstKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Examples/OfflineFirst/App"),
        .target(name: "ExampleSupport", path: "Examples/Support"),

        .testTarget(
            name: "SkiathosCoreTests",
            dependencies: [
                "Locks",
                "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosStore", "SkiathosTesting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "SkiathosLifecycleTests",
            dependencies: [
                "Locks",
                "Skiathos", "SkiathosCore", "SkiathosLifecycle", "SkiathosStore",
                "SkiathosTesting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "SkiathosSQLiteTests",
            dependencies: [
                "Locks",
                "ReliabilityKit", "SkiathosCore", "SkiathosSQLite", "SkiathosStore",
                "SkiathosTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "SkiathosGRDBTests",
            dependencies: [
                "Locks",
                "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosGRDB", "SkiathosSQLite",
                "SkiathosStore",
                "SkiathosTesting", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "SkiathosMacrosTests",
            dependencies: ["Skiathos", "SkiathosStore", macros]
                + [
                    "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion",
                    "SwiftSyntaxMacros", "SwiftSyntaxMacrosGenericTestSupport",
                ].map(swiftSyntax)),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "FieldNotes", "FieldNotesKit", "FirstSteps", "ImportCities", "MusicShop",
                "OfflineFirst", "PersistenceService",
                "PersistenceServiceTesting", "QuickStart", "ReliabilityKit", "ServiceLocator",
                "Skiathos", "SkiathosCore",
                "SkiathosGRDB", "SkiathosSQLite", "SkiathosStore", "SkiathosTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        // Support of the tests, which no product holds.
        .target(
            name: "FaultVFS", path: "Tests/Support/FaultVFS",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "Spawning", path: "Tests/Support/Spawning"),
        .target(
            name: "ReliabilityKit",
            dependencies: [
                "Locks",
                "FaultVFS", "Skiathos", "SkiathosCore", "SkiathosStore", "SkiathosTesting",
                "Spawning",
            ], path: "Tests/Support/ReliabilityKit"),
        .executableTarget(
            name: "ReliabilityChild",
            dependencies: [
                "Locks",
                "ReliabilityKit", "Skiathos", "SkiathosLifecycle", "SkiathosStore",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], path: "Tests/Support/ReliabilityChild"),
        .executableTarget(
            name: "soak",
            dependencies: [
                "ReliabilityChild", "ReliabilityKit", "Skiathos", "SkiathosStore",
                "SkiathosTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Support/Soak"),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: [
                "Locks",
                "ReliabilityChild", "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosStore",
                "SkiathosTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "PersistenceServiceTests",
            dependencies: [
                "Locks",
                "PersistenceService", "PersistenceServiceTesting", "ReliabilityKit", "Skiathos",
                "SkiathosCore", "SkiathosStore", "SkiathosTesting",
            ]),
        // The excluded folders hold programs that the tests give to the compiler.
        .testTarget(
            name: "MisuseTests", dependencies: ["ReliabilityKit", "Skiathos"],
            exclude: ["Accepted", "Rejected", "Support"]),

        // The service locator, which knows nothing of the store.
        .target(name: "ServiceLocator", dependencies: ["Locks"]),
        .testTarget(name: "ServiceLocatorTests", dependencies: ["Locks", "ServiceLocator"]),
        .target(
            name: "ServiceLocatorLifecycle",
            dependencies: [
                "ServiceLocator", .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "ServiceLocatorLifecycleTests",
            dependencies: [
                "ServiceLocator", "ServiceLocatorLifecycle",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        // Not part of the locator, so that it needs no macro.
        .target(name: "WeakProxies", dependencies: ["ServiceLocator", weakProxyMacros]),
        .macro(
            name: "WeakProxyMacros",
            dependencies: [
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
                "SwiftSyntaxMacros",
            ].map(swiftSyntax)),
        .testTarget(
            name: "WeakProxyTests",
            dependencies: ["ServiceLocator", "WeakProxies", weakProxyMacros]
                + [
                    "SwiftSyntax", "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros",
                    "SwiftSyntaxMacrosGenericTestSupport",
                ].map(swiftSyntax)),

        // The data request service, which knows nothing of the store either.
        .systemLibrary(name: "CSkiathosZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "DataRequestCore",
            dependencies: [
                "CSkiathosZlib", "Locks", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .target(
            name: "DataRequestService",
            dependencies: [
                "DataRequestCore", "Locks",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + transportProducts),
        // Data requests and the store together, without a transport of its own.
        .target(
            name: "DataRequestPersistence",
            dependencies: [
                "DataRequestCore", "Locks", "SkiathosCore", "SkiathosStore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "DataRequestPersistenceTests",
            dependencies: [
                "DataRequestCore", "DataRequestPersistence", "DeliveryChild", "DeliveryKit",
                "Locks",
                "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosStore", "SkiathosTesting",
                "TestClocks",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "TestClocks", dependencies: ["Locks"], path: "Tests/Support/TestClocks"),
        .target(
            name: "DeliveryKit",
            dependencies: [
                "DataRequestCore", "DataRequestPersistence", "Locks", "ReliabilityKit", "Skiathos",
                "SkiathosTesting", .product(name: "HTTPTypes", package: "swift-http-types"),
            ], path: "Tests/Support/DeliveryKit"),
        .executableTarget(
            name: "DeliveryChild", dependencies: ["DeliveryKit"],
            path: "Tests/Support/DeliveryChild"),
        .testTarget(
            name: "DataRequestCoreTests",
            dependencies: [
                "DataRequestCore", "Locks", "Spawning", "TestClocks",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .executableTarget(
            name: "TransferChild",
            dependencies: [
                "DataRequestCore", "DataRequestService",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], path: "Tests/Support/TransferChild"),
        // The excluded folder holds the servers that are not written in Swift.
        .testTarget(
            name: "DataRequestServiceTests",
            dependencies: [
                "DataRequestCore", "DataRequestService", "Locks", "Spawning", "TransferChild",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ] + transportProducts + [
                networking("Hummingbird", "hummingbird"),
                networking("HummingbirdCore", "hummingbird"),
                networking("HummingbirdHTTP2", "hummingbird"),
                networking("HummingbirdTLS", "hummingbird"),
                networking("SwiftASN1", "swift-asn1"), networking("X509", "swift-certificates"),
            ], exclude: ["Peers"]),
    ],
    swiftLanguageModes: [.v6]
)

// One rule for every target: imports are internal unless they say otherwise, members need the
// import of the module that declares them, and existentials are spelled out.
for target in package.targets where target.type != .plugin && target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
