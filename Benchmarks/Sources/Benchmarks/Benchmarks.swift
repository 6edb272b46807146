import ArgumentParser

/// The command, whose parts each measure something of their own.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures Skiathos, alone and beside raw SQLite calls and GRDB.",
        subcommands: [
            Compare.self, Anchors.self, Check.self, Counts.self, Growth.self, Latency.self,
            Live.self, LiveWriter.self,
            Memory.self, Rehearsal.self, Resolve.self, Scaling.self, Start.self, Waits.self,
            Walk.self, CountUnit.self, ScaleUnit.self,
        ], defaultSubcommand: Compare.self)
}
