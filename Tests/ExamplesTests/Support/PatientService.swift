#if Requests
import DataRequestService
import Foundation
import TestClocks

extension DataRequestService {
    /// A service of a server on this machine, with limits that pass however busy the machine is.
    static func patient(_ name: String, at base: URL) throws -> DataRequestService {
        var connections = AsyncHTTPTransport.Configuration()
        connections.connectLimit = .seconds(6000)
        connections.waitingLimit = .seconds(6000)
        connections.idleConnectionLimit = .seconds(6000)
        var configuration = Configuration()
        configuration.clock = PatientClock()
        return try DataRequestService(
            environment: ServerEnvironment(name, baseURL: base), connections: connections,
            configuration: configuration)
    }
}
#endif
