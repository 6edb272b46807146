// swift-tools-version: 6.1

import CompilerPluginSupport
import PackageDescription

let package = Package(
    name: "Skiathos",
    products: [
        // The store.
        .library(name: "Skiathos", targets: ["Skiathos"]),
        .library(name: "SkiathosGRDB", targets: ["SkiathosGRDB"]),
        .library(name: "SkiathosTesting", targets: ["SkiathosTesting"]),
        .library(name: "SkiathosLifecycle", targets: ["SkiathosLifecycle"]),
        .library(name: "SkiathosTracing", targets: ["SkiathosTracing"]),
        .library(name: "SkiathosHummingbird", targets: ["SkiathosHummingbird"]),
        // The services.
        .library(name: "PersistenceService", targets: ["PersistenceService"]),
        .library(name: "PersistenceServiceTesting", targets: ["PersistenceServiceTesting"]),
        .library(name: "ServiceLocator", targets: ["ServiceLocator"]),
        .library(name: "ServiceLocatorLifecycle", targets: ["ServiceLocatorLifecycle"]),
        .library(name: "WeakProxies", targets: ["WeakProxies"]),
        .library(name: "DataRequestService", targets: ["DataRequestService"]),
        .library(name: "DataRequestPersistence", targets: ["DataRequestPersistence"]),
    ],
    traits: [
        .default(enabledTraits: ["Macros"]),
        .trait(name: "Macros", description: "@Entity and @WeakProxy, with swift-syntax."),
        .trait(
            name: "Lifecycle",
            description:
                "SkiathosLifecycle and ServiceLocatorLifecycle, with swift-service-lifecycle."),
        .trait(name: "Tracing", description: "SkiathosTracing, with swift-distributed-tracing."),
        .trait(
            name: "Hummingbird",
            description:
                "SkiathosHummingbird, server-sent events of live queries, with Hummingbird.",
            enabledTraits: ["Lifecycle"]),
        .trait(
            name: "RequestCore",
            description:
                "DataRequestPersistence, over a transport of your own, with swift-http-types."),
        .trait(
            name: "Requests",
            description: "DataRequestService with its transport, on async-http-client.",
            enabledTraits: ["Lifecycle", "RequestCore", "Tracing"]),
    ],
    dependencies: [
        // What the store needs.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
        // What the traits Lifecycle, Tracing, Hummingbird and Requests need.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"6.0.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // What examples and tests need; packages that depend on this one do not fetch them.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.10.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: store + services + requests + examples + tests.filter(\.isWanted),
    swiftLanguageModes: [.v6]
)

var store: [Target] {
    [
        .target(
            name: "Skiathos",
            dependencies: ["SkiathosCore", "SkiathosSQLite", "SkiathosStore", .entityMacros]),
        .target(
            name: "SkiathosCore",
            dependencies: [
                "CSkiathosThreads", "SkiathosLocks", "SkiathosStore", .logging, .metrics,
            ]
                + .platform),
        .target(name: "SkiathosStore", dependencies: ["SkiathosPlatformFoundation"]),
        .target(
            name: "SkiathosSQLite",
            dependencies: [
                "CSkiathosFiles", "CSkiathosSQLite", "CSkiathosThreads", "SkiathosLocks",
                "SkiathosStore",
                .grdb, .grdbSQLite,
            ] + .platform),
        // The only target that shows GRDB to users.
        .target(name: "SkiathosGRDB", dependencies: ["SkiathosCore", "SkiathosStore", .grdb]),
        .target(
            name: "SkiathosTesting",
            dependencies: [
                "SkiathosLocks", "SkiathosPlatformFoundation", "SkiathosCore", "SkiathosStore",
            ]),
        .target(
            name: "SkiathosLifecycle",
            dependencies: [
                "SkiathosLocks", "SkiathosCore", .logging, .serviceLifecycle, .unixSignals,
            ]),
        .target(
            name: "SkiathosTracing",
            dependencies: ["SkiathosCore", "SkiathosStore", .storeTracing]),
        .target(
            name: "SkiathosHummingbird",
            dependencies: [
                "SkiathosCore", "SkiathosLocks", "SkiathosStore", .httpTypes, .hummingbird,
                .logging,
                .serviceLifecycle,
            ] + .platform),
        // A library, so that the program that expands macros for tests shares it with the plugin.
        .macro(name: "SkiathosMacros", dependencies: ["SkiathosMacroExpansion"] + .plugin),
        .target(name: "SkiathosMacroExpansion", dependencies: .macroExpansion),
        .target(name: "SkiathosLocks", dependencies: ["SkiathosPlatformLibC"]),
        .target(name: "SkiathosPlatformFoundation"),
        .target(name: "SkiathosPlatformLibC"),
        .target(name: "CSkiathosFiles"),
        .target(name: "CSkiathosThreads"),
        .target(
            name: "CSkiathosSQLite", dependencies: ["CSkiathosThreads"],
            linkerSettings: [.linkedLibrary("sqlite3")]),
    ]
}

var services: [Target] {
    [
        .target(
            name: "PersistenceService",
            dependencies: ["SkiathosLocks", "SkiathosCore", "SkiathosStore", .logging]),
        .target(
            name: "PersistenceServiceTesting",
            dependencies: [
                "SkiathosLocks", "PersistenceService", "SkiathosCore", "SkiathosSQLite",
                "SkiathosStore",
            ]),
        .target(name: "ServiceLocator", dependencies: ["SkiathosLocks", "SkiathosPlatformLibC"]),
        .target(
            name: "ServiceLocatorLifecycle",
            dependencies: [
                "ServiceLocator", "SkiathosLocks", .logging, .serviceLifecycle, .unixSignals,
            ]),
        .target(name: "WeakProxies", dependencies: ["ServiceLocator", .weakProxyMacros]),
        .macro(name: "WeakProxyMacros", dependencies: ["WeakProxyMacroExpansion"] + .plugin),
        .target(name: "WeakProxyMacroExpansion", dependencies: .macroExpansion),
    ]
}

var requests: [Target] {
    [
        .target(
            name: "DataRequestService",
            dependencies: ["DataRequestCore", "SkiathosLocks", .httpTypes, .serviceLifecycle]
                + .platform + .transport),
        .target(
            name: "DataRequestCore",
            dependencies: [
                "CSkiathosZlib", "SkiathosLocks", .httpTypes, .logging, .metrics, .tracing,
            ]
                + .platform),
        .target(
            name: "DataRequestPersistence",
            dependencies: [
                "DataRequestCore", "SkiathosLocks", "SkiathosPlatformFoundation", "SkiathosCore",
                "SkiathosStore",
                .httpTypes, .serviceLifecycle,
            ]),
        .systemLibrary(name: "CSkiathosZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    ]
}

var examples: [Target] {
    [
        .example("QuickStart", needs: ["Skiathos"]),
        .example("FirstSteps", needs: ["Skiathos"]),
        .example("ShutdownSafe", needs: ["Skiathos", "SkiathosLifecycle"]),
        .example(
            "ImportCities", needs: ["ExampleSupport", "Skiathos", .argumentParser, .swiftCSV]),
        .example(
            "MusicShop", needs: ["ExampleSupport", "Skiathos", "SkiathosTesting", .argumentParser],
            exclude: ["Data/NOTICE.md"], resources: [.copy("Data/chinook.json")]),
        // Tests cannot import an executable in a clean build, so these are in two parts.
        .example(
            "FieldNotes/App",
            needs: ["FieldNotesKit", "ServiceLocator", "Skiathos", .argumentParser]),
        .kit("FieldNotes", needs: ["PersistenceService", "ServiceLocator", "Skiathos"]),
        .example("NotesServer/App", needs: ["NotesServerKit", .argumentParser]),
        .kit(
            "NotesServer",
            needs: [
                "Skiathos", "SkiathosLifecycle", .argumentParser, .hummingbird, .logging,
                .serviceLifecycle,
            ]),
        .example("LiveBoard/App", needs: ["LiveBoardKit", .argumentParser]),
        .kit(
            "LiveBoard",
            needs: [
                "Skiathos", "SkiathosHummingbird", "SkiathosLifecycle", .argumentParser,
                .hummingbird, .logging, .serviceLifecycle,
            ], resources: [.copy("Page")]),
        .example("OfflineFirst/App", needs: ["OfflineFirstKit", .argumentParser]),
        .kit(
            "OfflineFirst",
            needs: [
                "DataRequestCore", "DataRequestPersistence", "DataRequestService", "ExampleSupport",
                "PersistenceService", "ServiceLocator", "ServiceLocatorLifecycle", "Skiathos",
                "SkiathosLifecycle", .argumentParser, .httpTypes, .hummingbird, .logging,
                .serviceLifecycle,
            ]),
        .target(name: "ExampleSupport", path: "Examples/Support"),
    ]
}

var tests: [Target] {
    [
        // The store.
        .tests(
            "SkiathosCore",
            need: [
                "SkiathosLocks", "QueryTestKit", "ReliabilityKit", "Skiathos", "SkiathosCore",
                "SkiathosStore", "SkiathosTesting", .asyncAlgorithms, .logging, .metrics,
                .metricsTestKit,
            ]),
        .tests(
            "SkiathosSQLite",
            need: [
                "CSkiathosSQLite", "SkiathosLocks", "ReliabilityKit", "SkiathosCore",
                "SkiathosSQLite",
                "SkiathosStore", "SkiathosTesting", .grdb, .grdbSQLite,
            ]),
        .tests(
            "SkiathosGRDB",
            need: [
                "SkiathosLocks", "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosGRDB",
                "SkiathosSQLite", "SkiathosStore", "SkiathosTesting", .grdb, .grdbSQLite,
            ]),
        .tests(
            "SkiathosLifecycle",
            need: [
                "SkiathosLocks", "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosLifecycle",
                "SkiathosStore", "SkiathosTesting", .lifecycleTestKit, .logging, .serviceLifecycle,
                .unixSignals,
            ]),
        .tests(
            "SkiathosTracing",
            need: [
                "SkiathosLocks", "Skiathos", "SkiathosCore", "SkiathosStore", "SkiathosTesting",
                "SkiathosTracing",
                .inMemoryStoreTracing, .storeTracing,
            ]),
        .tests(
            "SkiathosHummingbird",
            need: [
                "SkiathosLocks", "ServerTestKit", "Skiathos", "SkiathosCore", "SkiathosHummingbird",
                "SkiathosLifecycle", "SkiathosStore", "SkiathosTesting", .hummingbird, .logging,
                .serviceLifecycle,
            ]),
        .tests(
            "SkiathosMacros",
            need: ["MacroRequests", "MacroTestSupport", "Skiathos", "SkiathosStore"]),
        // The excluded folders hold programs that the tests give to the compiler.
        .tests(
            "Misuse", need: ["SkiathosLocks", "ReliabilityKit", "Skiathos"],
            exclude: ["Accepted", "Rejected", "Support"]),
        .tests(
            "Reliability",
            need: [
                "SkiathosLocks", "ReliabilityChild", "ReliabilityKit", "Skiathos", "SkiathosCore",
                "SkiathosSQLite", "SkiathosStore", "SkiathosTesting", "soak", .grdb,
            ]),
        .support(
            "ReliabilityKit",
            needs: [
                "FaultVFS", "SkiathosLocks", "Skiathos", "SkiathosCore", "SkiathosStore",
                "SkiathosTesting", "Spawning", "TestTools",
            ]),
        .process(
            "ReliabilityChild",
            needs: [
                "SkiathosLocks", "ReliabilityKit", "Skiathos", "SkiathosLifecycle", "SkiathosStore",
                "TestTools", .logging, .serviceLifecycle, .unixSignals,
            ]),
        .process(
            "soak",
            needs: [
                "QueryTestKit", "ReliabilityChild", "ReliabilityKit", "Skiathos", "SkiathosStore",
                "SkiathosTesting", "TestTools", .argumentParser,
            ]),
        .support(
            "QueryTestKit", needs: ["Skiathos", "SkiathosStore", "SkiathosTesting", "TestTools"]),
        .target(
            name: "FaultVFS", path: "Tests/Support/FaultVFS",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .support("Spawning", needs: ["SkiathosLocks"]),
        // Tests start a program that expands macros, which is built for the machine that compiles, as
        // the plugins are: swift-syntax would be built twice if tests linked it.
        .macro(
            name: "MacroExpander",
            dependencies: ["MacroRequests", "SkiathosMacroExpansion", "WeakProxyMacroExpansion"]
                + .macroTesting,
            path: "Tests/Support/MacroExpander"),
        .support("MacroRequests"),
        .support(
            "MacroTestSupport",
            needs: ["SkiathosLocks", "MacroRequests", "Spawning", .macroExpander]),
        .support("ServerTestKit", needs: ["SkiathosLocks", "SkiathosTesting", "Spawning"]),
        .support("TestClocks", needs: ["SkiathosLocks"]),
        .support("TestSupport", needs: ["TestTools"]),
        // Without the library of the tests, so that programs that tests start can have it.
        .support("TestTools", needs: ["SkiathosLocks"]),
        // The services.
        .tests(
            "PersistenceService",
            need: [
                "SkiathosLocks", "PersistenceService", "PersistenceServiceTesting",
                "ReliabilityKit",
                "Skiathos", "SkiathosCore", "SkiathosStore", "SkiathosTesting",
            ]),
        .tests("ServiceLocator", need: ["SkiathosLocks", "ServiceLocator"]),
        .tests(
            "ServiceLocatorLifecycle",
            need: ["ServiceLocator", "ServiceLocatorLifecycle", .logging, .serviceLifecycle]),
        .tests(
            "WeakProxy",
            need: ["MacroRequests", "MacroTestSupport", "ServiceLocator", "WeakProxies"]),
        // Requests. The excluded folder holds the servers that are not written in Swift.
        .tests(
            "DataRequestCore",
            need: [
                "DataRequestCore", "SkiathosLocks", "Spawning", "TestClocks", .httpTypes,
                .inMemoryLogging, .inMemoryTracing, .logging, .metricsTestKit, .tracing,
            ]),
        .tests(
            "DataRequestService",
            need: [
                "DataRequestCore", "DataRequestService", "SkiathosLocks", "RequestTestKit",
                "Spawning",
                "TestClocks", "TransferChild", .httpTypes, .lifecycleTestKit, .serviceLifecycle,
            ] + [Target.Dependency].transport + [Target.Dependency].peers, exclude: ["Peers"]),
        .tests(
            "DataRequestPersistence",
            need: [
                "DataRequestCore", "DataRequestPersistence", "DeliveryChild", "DeliveryKit",
                "SkiathosLocks", "ReliabilityKit", "Skiathos", "SkiathosCore", "SkiathosLifecycle",
                "SkiathosStore", "SkiathosTesting", "TestClocks", .httpTypes, .lifecycleTestKit,
                .logging, .serviceLifecycle,
            ]),
        .support(
            "DeliveryKit",
            needs: [
                "DataRequestCore", "DataRequestPersistence", "SkiathosLocks", "ReliabilityKit",
                "Skiathos", "SkiathosTesting", "TestTools", .httpTypes,
            ]),
        .process("DeliveryChild", needs: ["DeliveryKit"]),
        .tests(
            "Peer",
            need: [
                "DataRequestCore", "DataRequestPersistence", "DataRequestService", "SkiathosLocks",
                "RequestTestKit", "Skiathos", "SkiathosTesting", "Spawning", .httpTypes,
            ]),
        .target(
            name: "RequestTestKit",
            dependencies: ["DataRequestService"] + [Target.Dependency].certificates,
            path: "Tests/Support/RequestTestKit"),
        .process("TransferChild", needs: ["DataRequestCore", "DataRequestService", .httpTypes]),
        // The examples and the documents.
        .tests(
            "Examples",
            need: [
                "DataRequestCore", "DataRequestPersistence", "DataRequestService", "FieldNotes",
                "FieldNotesKit",
                "FirstSteps", "ImportCities", "SkiathosLocks", "MusicShop", "NotesServer",
                "OfflineFirst",
                "OfflineFirstKit", "PersistenceService", "PersistenceServiceTesting", "QuickStart",
                "ReliabilityKit", "ServiceLocator", "ServiceLocatorLifecycle", "ShutdownSafe",
                "Skiathos", "SkiathosCore",
                "SkiathosGRDB", "SkiathosHummingbird", "SkiathosLifecycle",
                "SkiathosSQLite", "SkiathosStore", "SkiathosTesting", "TestClocks", .grdb,
                .httpTypes, .logging, .metricsTestKit, .serviceLifecycle,
            ]),
        .tests(
            "NotesServer",
            need: [
                "SkiathosLocks", "NotesServer", "NotesServerKit", "ServerTestKit", "Skiathos",
                "SkiathosTesting", .argumentParser, .grdb, .logging, .serviceLifecycle,
            ]),
        // The excluded folder holds the tests in a browser, which are written in Python.
        .tests(
            "LiveBoard",
            need: [
                "LiveBoard", "LiveBoardKit", "SkiathosLocks", "ServerTestKit", "Skiathos",
                "SkiathosTesting", "Spawning", .argumentParser, .hummingbird, .logging,
                .serviceLifecycle,
            ], exclude: ["Browser"]),
    ]
}

extension Target {
    /// What `SKIATHOS_TESTS` says of the tests to compile, as in `"SkiathosSQLiteTests
    /// -SkiathosSQLiteTests/Search"`.
    ///
    /// It names targets (all, if there is none) and, behind a minus, targets, folders and files that are left
    /// out. A build for some tests need not compile the others.
    private static let choice = (Context.environment["SKIATHOS_TESTS"] ?? "").split(separator: " ")

    private static let wanted = choice.filter { !$0.hasPrefix("-") }.map(String.init)

    private static let unwanted = choice.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }

    /// Whether it is no target of tests, or one that is compiled.
    var isWanted: Bool {
        type != .test
            || (Self.wanted.isEmpty || Self.wanted.contains(name)) && !Self.unwanted.contains(name)
    }

    static func tests(
        _ subject: String, need dependencies: [Dependency], exclude: [String] = []
    ) -> Target {
        let name = "\(subject)Tests"
        let folder = name + "/"
        return .testTarget(
            name: name, dependencies: ["TestSupport"] + .platform + dependencies,
            exclude: exclude
                + unwanted.filter { $0.hasPrefix(folder) }.map {
                    String($0.dropFirst(folder.count))
                })
    }

    /// What several suites of tests use.
    static func support(_ name: String, needs dependencies: [Dependency] = []) -> Target {
        .target(
            name: name, dependencies: .platform + dependencies, path: "Tests/Support/\(name)")
    }

    /// A program that tests start.
    static func process(_ name: String, needs dependencies: [Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: .platform + dependencies, path: "Tests/Support/\(name)")
    }

    static func example(
        _ path: String, needs dependencies: [Dependency], exclude: [String] = [],
        resources: [Resource] = []
    ) -> Target {
        .executableTarget(
            name: String(path.prefix { $0 != "/" }), dependencies: dependencies,
            path: "Examples/\(path)", exclude: exclude, resources: resources)
    }

    /// The part of an example that its tests import.
    static func kit(
        _ name: String, needs dependencies: [Dependency], resources: [Resource] = []
    ) -> Target {
        .target(
            name: "\(name)Kit", dependencies: dependencies, path: "Examples/\(name)/Kit",
            resources: resources)
    }
}

/// What other packages give, where a trait asks for it.
extension Target.Dependency {
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift")
    static let logging = product(name: "Logging", package: "swift-log")
    static let inMemoryLogging = product(name: "InMemoryLogging", package: "swift-log")
    static let metrics = product(name: "Metrics", package: "swift-metrics")
    static let metricsTestKit = product(name: "MetricsTestKit", package: "swift-metrics")
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncAlgorithms = product(
        name: "AsyncAlgorithms", package: "swift-async-algorithms")
    static let swiftCSV = product(name: "SwiftCSV", package: "SwiftCSV")

    static let entityMacros = target(
        name: "SkiathosMacros", condition: .when(traits: ["Macros"]))
    static let weakProxyMacros = target(
        name: "WeakProxyMacros", condition: .when(traits: ["Macros"]))
    static let macroExpander = target(
        name: "MacroExpander", condition: .when(traits: ["Macros"]))
    static let serviceLifecycle = product(
        "ServiceLifecycle", of: "swift-service-lifecycle", with: "Lifecycle")
    static let unixSignals = product(
        "UnixSignals", of: "swift-service-lifecycle", with: "Lifecycle")
    static let lifecycleTestKit = product(
        "ServiceLifecycleTestKit", of: "swift-service-lifecycle", with: "Lifecycle")

    static let storeTracing = product("Tracing", of: "swift-distributed-tracing", with: "Tracing")
    static let inMemoryStoreTracing = product(
        "InMemoryTracing", of: "swift-distributed-tracing", with: "Tracing")

    static let httpTypes = product(
        "HTTPTypes", of: "swift-http-types", with: "Hummingbird", "RequestCore")
    static let tracing = product("Tracing", of: "swift-distributed-tracing", with: "RequestCore")
    static let inMemoryTracing = product(
        "InMemoryTracing", of: "swift-distributed-tracing", with: "RequestCore")

    static let hummingbird = product(
        "Hummingbird", of: "hummingbird", with: "Hummingbird", "Requests")

    /// - Parameter traits: Those of which one at least asks for it.
    static func product(
        _ name: String, of package: String, with traits: String...
    ) -> Target.Dependency {
        product(name: name, package: package, condition: .when(traits: Set(traits)))
    }
}

extension [Target.Dependency] {
    /// What re-exports the modules that each platform has under names of its own.
    static let platform: Self = ["SkiathosPlatformFoundation", "SkiathosPlatformLibC"]

    static let plugin = syntax("SwiftCompilerPlugin", "SwiftSyntaxMacros")
    static let macroExpansion = syntax(
        "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros")
    static let macroTesting = syntax(
        "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion",
        "SwiftSyntaxMacros", "SwiftSyntaxMacrosGenericTestSupport")

    static let transport = requests([
        "AsyncHTTPClient": "async-http-client", "Crypto": "swift-crypto", "NIOCore": "swift-nio",
        "NIOHTTP1": "swift-nio", "NIOHTTP2": "swift-nio-http2", "NIOPosix": "swift-nio",
        "NIOSSL": "swift-nio-ssl", "NIOTLS": "swift-nio",
    ])
    /// The servers of tests, and the certificates that they show.
    static let peers = requests([
        "Hummingbird": "hummingbird", "HummingbirdCore": "hummingbird",
        "HummingbirdHTTP2": "hummingbird", "HummingbirdTLS": "hummingbird",
    ])

    /// What makes certificates.
    static let certificates = requests([
        "Crypto": "swift-crypto", "NIOSSL": "swift-nio-ssl", "SwiftASN1": "swift-asn1",
        "X509": "swift-certificates",
    ])

    private static func syntax(_ products: String...) -> [Target.Dependency] {
        products.map { .product($0, of: "swift-syntax", with: "Macros") }
    }

    private static func requests(
        _ products: KeyValuePairs<String, String>
    ) -> [Target.Dependency] {
        products.map { .product($0.key, of: $0.value, with: "Requests") }
    }
}

// Imports are internal unless they say otherwise, members need the import of the module that
// declares them, and existentials are spelled out.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
