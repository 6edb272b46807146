import PackedRows
import Testing

@Suite struct PackedRowTests {
    private let layout = PackedLayout(numbers: 3, texts: 3)

    @Test(arguments: [
        ["First 1", "Family 2", "user@example.org"], ["", "", ""], ["", "Ζωή", ""],
        ["👩‍👩‍👧", "", String(repeating: "x", count: 300)],
    ])
    func `a row reads as it was packed`(texts: [String]) {
        let bytes = pack([.min, 7], 0.1, texts)
        bytes.withUnsafeBytes { buffer in
            // From an odd address, as a database may hand a row out.
            guard let start = buffer.baseAddress else { return }
            let row = PackedRow(layout, at: start + 1)
            #expect(row.integer(0) == .min)
            #expect(row.integer(1) == 7)
            #expect(row.double(2) == 0.1)
            #expect((0..<3).map(row.text) == texts)
        }
    }

    @Test func `a row has no byte between its columns`() {
        let layout = PackedLayout(numbers: 1, texts: 2)
        #expect(layout.textStart == 16)
        #expect(layout.size(textBytes: 5) == 21)
        #expect(PackedLayout(numbers: 2, texts: 0).size(textBytes: 0) == 16)
    }

    @Test func `packing writes nothing behind the row`() {
        let bytes = pack([1, 2], 3, ["a", "bc", "def"])
        #expect(bytes.first == 0xff)
        #expect(bytes.last == 0xff)
    }

    /// The row with one byte before and one behind it.
    private func pack(_ integers: [Int64], _ double: Double, _ texts: [String]) -> [UInt8] {
        let size = layout.size(textBytes: texts.reduce(0) { $0 + $1.utf8.count })
        var bytes = [UInt8](repeating: 0xff, count: size + 2)
        bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            var packer = RowPacker(layout, at: start + 1)
            for (position, integer) in integers.enumerated() { packer.put(integer, at: position) }
            packer.put(double, at: integers.count)
            for text in texts { packer.append(text) }
        }
        return bytes
    }
}
