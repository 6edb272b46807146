// swift-tools-version: 6.1
import PackageDescription

let skiathos: Target.Dependency = .product(name: "Skiathos", package: "Skiathos")

let package = Package(
    name: "Shelf",
    dependencies: [
        .package(
            url: "https://github.com/OWNER/Skiathos", from: "0.1.0",
            traits: [.defaults, "Lifecycle"]),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .target(name: "ShelfKit", dependencies: [skiathos]),
        .executableTarget(name: "shelf", dependencies: ["ShelfKit", skiathos]),
        .executableTarget(
            name: "shelfd",
            dependencies: [
                "ShelfKit", skiathos, .product(name: "SkiathosLifecycle", package: "Skiathos"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "ShelfTests",
            dependencies: [
                "ShelfKit", skiathos, .product(name: "SkiathosTesting", package: "Skiathos"),
            ]),
    ])
