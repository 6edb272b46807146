import Logging
import ReliabilityKit

/// A log handler that reports signals and incomplete shutdowns to the parent.
struct ReportListener: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.level >= .error { ProtocolLine.reached(.reported).say() }
        if "\(event.message)".hasPrefix("Stopping after") { ProtocolLine.reached(.noticed).say() }
    }
}
