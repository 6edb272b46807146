// swift-tools-version: 6.1

import PackageDescription

// A package of its own beside the benchmarks of the store, which build no NIO.
let package = Package(
    name: "RequestBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Skiathos", path: "../..", traits: ["Requests"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "RequestBenchmarks",
            dependencies: [
                .product(name: "DataRequestService", package: "Skiathos"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ])
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
