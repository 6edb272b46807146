import SkiathosStore

// Makes deletions work while the disk is full. They need space in the WAL, and the checkpoint
// that lets the WAL restart needs space in the main file for added pages. So the WAL is
// kept short while little space is free. The reserve is released for transactions that only
// delete, and for the checkpoint after them. This checkpoint truncates the WAL, which frees at
// least the space that the main file took. So the reserve can be established again before any
// other write.
extension WriteAheadLog {
    /// How many times the pages of a WAL that is due for a checkpoint fit into the reserve.
    ///
    /// The WAL grows further while checkpoints wait for writes, and a deletion adds to it.
    private static let reservesPerInterval = 8

    /// How many pages the WAL may have before a checkpoint is due while space is short.
    private var scarceInterval: Int {
        min(usualInterval, max(1, reserve.size / Self.reservesPerInterval / pageSize))
    }

    /// By how much the WAL may grow before a checkpoint while space is short.
    var lengthUntilUrgent: Int { reserve.isHeld ? scarceInterval : 0 }

    /// Makes checkpoints more frequent while little space is free.
    func chooseInterval() {
        let isScarce = isShortOfSpace || reserve.needsShortWAL
        interval = isScarce ? scarceInterval : usualInterval
    }

    /// Records that a write failed on a full disk.
    ///
    /// A checkpoint is made at once, since the WAL may have space once it restarts, but not
    /// again for the same pages.
    func spaceRanOut() {
        isShortOfSpace = true
        interval = scarceInterval
        if lengthLeft != pages { urgent = 0 }
    }

    /// Releases the reserve for the open transaction, which has only deleted, if space is
    /// short.
    func lendReserve() {
        if !isShortOfSpace, reserve.isSpaceLow { isShortOfSpace = true }
        guard isShortOfSpace else { return }
        reserve.release()
        isReserveLent = true
        urgent = 0
    }

    /// Re-establishes the reserve after a transaction that no longer only deletes, or was
    /// rolled back.
    func returnReserve() {
        guard isReserveLent else { return }
        isReserveLent = false
        _ = reserve.establish()
    }

    /// Ensures that the main file has space for a checkpoint, by releasing the reserve if
    /// necessary.
    ///
    /// A checkpoint that fails half-way uses up the remaining space.
    ///
    /// - Throws: ``StoreError`` with code `diskFull`.
    func makeRoom(_ version: CommitCounter?, _ pauses: inout Int) throws {
        guard isShortOfSpace, let free = reserve.freeSpace,
            let header = index.header
        else { return }
        let growth = reserve.growth(toPages: Int(header.pageCount), of: pageSize)
        guard growth > free else { return }
        // A read with an older snapshot would keep the WAL from being truncated.
        guard growth <= free + reserve.heldSize, version?.awaitRenewal(&pauses) != false else {
            throw StoreError(
                .diskFull,
                "The disk is full: a checkpoint needs \(growth) bytes, and \(free) are free. Nothing is lost, and the WAL keeps what is committed. Free some space."
            )
        }
        reserve.release()
    }

    /// Re-establishes the reserve after a checkpoint, or an attempt at one.
    func checkpointEnded(isWhole: Bool) {
        isReserveLent = false
        if isShortOfSpace || isWhole && !reserve.isHeld {
            let isPlenty = reserve.establish()
            if isPlenty, isWhole { isShortOfSpace = false }
        }
        lengthLeft = isWhole ? nil : pages
        urgent = pages + (isWhole ? lengthUntilUrgent : scarceInterval)
        if isWhole { chooseInterval() }
    }
}
