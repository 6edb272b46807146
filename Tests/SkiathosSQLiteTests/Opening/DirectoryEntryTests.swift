import SkiathosPlatformLibC
import SkiathosTesting
import Testing

@testable import SkiathosSQLite

@Suite struct DirectoryEntryTests {
    @Test func `the name of an entry at the end of readable memory is read, and nothing behind it`()
        throws
    {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(memory != MAP_FAILED)
        defer { munmap(memory, 2 * page) }
        // Reading the second page ends the process.
        try #require(mprotect(memory + page, page, PROT_NONE) == 0)
        let offset = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
        for name in ["7", "123", "20000"] {
            // As the system writes it: as long as the name with its zero, in units of eight bytes.
            let length = (offset + name.utf8.count + 1 + 7) / 8 * 8
            let entry = memory + page - length
            memset(entry, 0, length)
            _ = name.withCString {
                strcpy((entry + offset).assumingMemoryBound(to: CChar.self), $0)
            }
            let pointer = UnsafePointer<dirent>(OpaquePointer(entry))
            #expect(SystemCalls.name(of: pointer) == name)
        }
    }

    @Test func `a file of a process with many open descriptors is found to be open`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("file")
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        // More than one buffer of the system's library holds.
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors + [file] { close(descriptor) } }
        while descriptors.count < 1_500 {
            let next = fcntl(file, F_DUPFD_CLOEXEC, 0)
            // The system may allow fewer.
            guard next >= 0 else { break }
            descriptors.append(next)
        }
        #expect(ftruncate(file, 8) == 0)
        #expect(SystemCalls.readUnlessOpen(path, count: 4) == nil)
    }
}
