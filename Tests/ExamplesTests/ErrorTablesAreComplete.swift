import Testing

struct ErrorTablesAreComplete {
    @Test(arguments: try OpenCode.all())
    func `a document lists each code of an error once and no other`(_ code: OpenCode) throws {
        #expect(code.values.allSatisfy { $0.rawValue.map(String.init) == $0.name })
        #expect(!code.values.isEmpty)
        let tables = try PackageDirectory.files("md", under: "Sources").flatMap { path in
            try Document(path).tables.filter { $0.title == code.column }
        }
        // Tables of codes stand below the name of their error, others are recognised by their column.
        let own = tables.filter {
            code.name != "Code" || $0.headings.contains(code.error)
        }
        // A table may have a row for an error without a value.
        let listed = own.flatMap(\.names).filter { $0 != "nil" }
        #expect(listed.sorted() == code.values.map(\.name).sorted())
    }

    @Test func `every table of codes belongs to an error`() throws {
        let errors = try OpenCode.all().filter { $0.name == "Code" }.map(\.error)
        for path in try PackageDirectory.files("md", under: "Sources") {
            for table in try Document(path).tables where table.title == "code" {
                #expect(table.headings.contains(where: errors.contains), "\(path)")
            }
        }
    }

    @Test func `the errors of the sources are found`() throws {
        let found = try OpenCode.all().map(\.testDescription)
        let expected = try PackageDirectory.files("swift", under: "Sources")
            .map(PackageDirectory.text).flatMap { $0.matches(of: /struct Code: RawRepresentable/) }
        #expect(found.filter { $0.hasSuffix(".Code") }.count == expected.count)
        #expect(Set(found).isSuperset(of: ["StoreError.Code", "DataRequestError.Code"]))
    }
}
