import ArgumentParser

/// How large the table is and how much is done with it.
struct SizeOptions: ParsableArguments {
    @Option(help: "How many rows the table has.")
    var rows = 100_000

    @Option(help: "How many point reads are timed.")
    var reads = 20_000

    @Option(help: "How long reads and writes at the same time are measured, in seconds.")
    var mixedSeconds = 0.5

    func validate() throws {
        guard rows > 0, reads > 0, mixedSeconds > 0 else {
            throw ValidationError("Rows, reads and seconds must be more than 0.")
        }
    }

    var sizes: Input.Sizes {
        var sizes = Input.Sizes()
        sizes.rows = rows
        sizes.reads = reads
        sizes.mixedSeconds = mixedSeconds
        return sizes
    }
}
