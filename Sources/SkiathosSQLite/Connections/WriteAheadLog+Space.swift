import SkiathosStore

// What is done so that deletions work while the disk is full. They need room in the WAL, and the
// checkpoint that lets the WAL start over needs room in the main file for pages that were added. So
// the WAL is kept short while little is free, and the reserve is given to transactions that only
// delete, and to the checkpoint after them. That one empties the WAL, which frees at least the room
// that the main file took. So the reserve can be taken again before any other write.
extension WriteAheadLog {
    /// How many times the pages of a WAL that is due fit into the reserve: while checkpoints have to
    /// wait for writes it grows further, and a deletion adds to it.
    private static let reservesPerInterval = 8

    /// How many pages the log may have before a checkpoint is due while space is short.
    private var scarceInterval: Int {
        min(usualInterval, max(1, reserve.size / Self.reservesPerInterval / pageSize))
    }

    /// By how much the log may grow before a checkpoint is made while space is short.
    var lengthUntilUrgent: Int { reserve.isHeld ? scarceInterval : 0 }

    /// Has checkpoints follow each other faster while little is free.
    func chooseInterval() {
        let isScarce = isShortOfSpace || reserve.needsShortWAL
        interval = isScarce ? scarceInterval : usualInterval
    }

    /// Records that a write has met a full disk.
    ///
    /// A checkpoint is made at once, since the WAL may have room once it starts over, but not again
    /// for the same pages.
    func spaceRanOut() {
        isShortOfSpace = true
        interval = scarceInterval
        if lengthLeft != pages { urgent = 0 }
    }

    /// Gives the reserve to the open transaction, which has only deleted, if space is short.
    func lendReserve() {
        if !isShortOfSpace, reserve.isSpaceLow { isShortOfSpace = true }
        guard isShortOfSpace else { return }
        reserve.release()
        isReserveLent = true
        urgent = 0
    }

    /// Takes the reserve back from a transaction that does not only delete any more, or was rolled
    /// back.
    func returnReserve() {
        guard isReserveLent else { return }
        isReserveLent = false
        _ = reserve.establish()
    }

    /// Makes sure that the main file has room for a checkpoint.
    ///
    /// One that fails half-way takes the room that is left.
    ///
    /// - Throws: ``StoreError`` with code `diskFull`.
    func makeRoom(_ version: SharedVersion?, _ pauses: inout Int) throws {
        guard isShortOfSpace, let free = reserve.freeSpace,
            let index = try WALIndex(handle, reserve.path).header
        else { return }
        let growth = reserve.growth(toPages: Int(index.pageCount), of: pageSize)
        guard growth > free else { return }
        // A read that is in the way would keep the WAL from being emptied.
        guard growth <= free + reserve.heldSize, version?.awaitRenewal(&pauses) != false else {
            throw StoreError(
                .diskFull,
                "The disk is full: a checkpoint needs \(growth) bytes, and \(free) are free. Nothing is lost, and the WAL keeps what is committed. Free some space."
            )
        }
        reserve.release()
    }

    /// Takes the reserve again after a checkpoint, or an attempt at one.
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
