import ReliabilityKit
import SkiathosStore

extension StoreSource {
    /// The same place as if another backend kept it: it lends no connection.
    var ofAnotherBackend: StoreSource {
        mapped { ForwardingStore($0, session: { ForwardingSession($0) }) }
    }
}
