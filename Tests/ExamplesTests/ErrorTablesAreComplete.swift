import Testing

struct ErrorTablesAreComplete {
    @Test(arguments: [
        (
            "StoreError", "Sources/SkiathosStore/Store/StoreError+Codes.swift",
            "Sources/Skiathos/Skiathos.docc/Errors.md"
        ),
        (
            "DataAccessError", "Sources/SkiathosCore/DataAccessLayer/DataAccessError.swift",
            "Sources/Skiathos/Skiathos.docc/Errors.md"
        ),
        (
            "PersistenceError", "Sources/PersistenceService/Service/PersistenceError.swift",
            "Sources/PersistenceService/PersistenceService.docc/ReadinessAndErrors.md"
        ),
    ])
    func `the tables list each code of the sources once and no other`(
        _ type: String, _ source: String, _ path: String
    ) throws {
        let page = try PackageDirectory.text(of: path)
        let section = try #require(
            page.split(separator: "\n## ").first { $0.hasPrefix(type + "\n") })
        let listed = section.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
        let codes = try PackageDirectory.text(of: source)
            .matches(of: /static let (\w+) = Self\(rawValue: "(\w+)"\)/)
        #expect(codes.allSatisfy { $0.1 == $0.2 })
        #expect(!codes.isEmpty)
        #expect(listed.sorted() == codes.map { String($0.1) }.sorted())
    }

    @Test func `the table of the data request service lists each code once and no other`() throws {
        let page = try PackageDirectory.text(
            of: "Sources/DataRequestService/DataRequestService.docc/Errors.md")
        let listed = page.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
        let targets = ["DataRequestCore", "DataRequestService", "DataRequestPersistence"]
        let codes = try targets.flatMap {
            try PackageDirectory.files("swift", under: "Sources/\($0)")
                .filter { !$0.hasSuffix("/CertificateProblem.swift") }
                .map(PackageDirectory.text)
        }.flatMap { $0.matches(of: /static let (\w+) = Self\(rawValue: "(\w+)"\)/) }
        #expect(codes.allSatisfy { $0.1 == $0.2 } && !codes.isEmpty)
        #expect(listed.sorted() == codes.map { String($0.1) }.sorted())
    }

    @Test func `the table of certificates lists each problem once and no other`() throws {
        let page = try PackageDirectory.text(
            of: "Sources/DataRequestService/DataRequestService.docc/Security.md")
        let parts = page.split(separator: "| `certificateProblem` | what was found |\n")
        let table = try #require(parts.last?.split(separator: "\n\n").first)
        let listed = table.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
        let problems = try PackageDirectory.text(
            of: "Sources/DataRequestCore/CertificateProblem.swift"
        ).matches(of: /static let (\w+) = Self\(rawValue: "(\w+)"\)/)
        #expect(problems.allSatisfy { $0.1 == $0.2 } && !problems.isEmpty)
        #expect(listed.sorted() == problems.map { String($0.1) }.sorted())
    }

    @Test func `the table of the locator lists each code once and no other`() throws {
        let page = try PackageDirectory.text(
            of: "Sources/ServiceLocator/ServiceLocator.docc/ServiceLocator.md")
        let section = try #require(
            page.split(separator: "\n### ").first { $0.hasPrefix("Errors\n") })
        let listed = section.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
        let codes = try PackageDirectory.text(
            of: "Sources/ServiceLocator/Errors/ServiceLocatorError+Codes.swift"
        ).matches(of: /static let (\w+) = Self\(rawValue: "(\w+)"\)/)
        #expect(codes.allSatisfy { $0.1 == $0.2 } && !codes.isEmpty)
        #expect(listed.sorted() == codes.map { String($0.1) }.sorted())
    }
}
