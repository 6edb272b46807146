// swift-tools-version: 6.1
import PackageDescription

let skiathos: Target.Dependency = .product(name: "Skiathos", package: "Skiathos")

let package = Package(
    name: "Shelf",
    dependencies: [
        .package(url: "https://github.com/OWNER/Skiathos", from: "0.1.0")
    ],
    targets: [
        .target(name: "ShelfKit", dependencies: [skiathos]),
        .executableTarget(name: "shelf", dependencies: ["ShelfKit", skiathos]),
        .testTarget(
            name: "ShelfTests",
            dependencies: [
                "ShelfKit", skiathos, .product(name: "SkiathosTesting", package: "Skiathos"),
            ]),
    ])
