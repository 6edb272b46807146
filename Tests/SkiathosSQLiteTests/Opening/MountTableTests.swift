import Testing

@testable import SkiathosSQLite

@Suite struct MountTableTests {
    private let table = MountTable(
        """
        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        30 22 0:40 / /mnt/shared\\040files rw - nfs4 server:/files rw
        31 22 0:41 / /mnt rw,nosuid shared:7 master:1 - tmpfs tmpfs rw
        32 22 0:42 / /home rw - ext4 /dev/sdb1 rw
        33 32 0:43 / /home rw - fuse.sshfs host: rw
        nonsense
        """)

    @Test func `the innermost and newest mount decides`() {
        #expect(table.type(at: "/var/data") == "ext4")
        #expect(table.type(at: "/mnt/x") == "tmpfs")
        #expect(table.type(at: "/mnt/shared files") == "nfs4")
        #expect(table.type(at: "/mnt/shared files/deep") == "nfs4")
        #expect(table.type(at: "/mnt/shared filesystem") == "tmpfs")
        #expect(table.type(at: "/home/ada") == "fuse.sshfs")
        #expect(MountTable("").type(at: "/") == nil)
    }

    @Test(arguments: ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse", "fuse.sshfs"])
    func `file systems of other machines are recognised`(type: String) {
        #expect(MountTable.isRemote(type))
    }

    @Test(arguments: ["ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "apfs", "fusectl"])
    func `local file systems are not refused`(type: String) {
        #expect(!MountTable.isRemote(type))
    }
}
