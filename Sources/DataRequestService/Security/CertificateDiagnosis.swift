#if Requests
import DataRequestCore
import SkiathosPlatformFoundation

/// Explains why the certificates of a server were refused.
///
/// NIO reports that a chain is not trusted, but not why. This diagnosis only explains a
/// refusal; it neither refuses nor accepts a connection.
struct CertificateDiagnosis: Equatable {
    let problem: DataRequestError.CertificateProblem
    /// What was found, what was expected and what to do; follows the name of an exchange.
    let text: String

    /// Examines a chain as the server has sent it, its own certificate first; nil if no
    /// problem is found.
    ///
    /// - Parameter isForOthers: Whether the chain is trusted, but only for other names.
    init?(_ chain: [ShownCertificate], host: String, now: Date, isForOthers: Bool) {
        guard let own = chain.first else { return nil }
        if isForOthers {
            (problem, text) = (.wrongHost, Self.wrongHost(own, host))
            return
        }
        let path = Self.path(chain)
        if let late = path.first(where: { $0.to < now }) {
            problem = .expired
            text =
                "found \(Self.name(late, own)) that expired on \(Self.date(late.to)), and expected one "
                + "that is valid on \(Self.date(now)). Renew it on the server, or set this machine's "
                + "clock if it is wrong"
        } else if let early = path.first(where: { $0.from > now }) {
            problem = .notYetValid
            text =
                "found \(Self.name(early, own)) that is valid from \(Self.date(early.from)), and expected "
                + "one that is valid on \(Self.date(now)). Set this machine's clock if it is behind, else "
                + "let the server show the certificate before"
        } else if own.isSelfIssued {
            problem = .unknownIssuer
            text =
                "found a self-signed certificate of '\(own.subjectName)', and expected one that a trusted "
                + "authority has signed. Trust it with SecurityPolicy.trust = .authorities, pin it with "
                + ".pinsOnly, or give the server one of an authority"
        } else if path.count == 1, own.locatesIssuer {
            problem = .incompleteChain
            text =
                "found a certificate of '\(own.subjectName)' alone, and expected that of its issuer "
                + "'\(own.issuerName)' with it, which is not a trusted authority. Let the server send the "
                + "whole chain, its own certificate first; else trust that issuer"
        } else {
            problem = .unknownIssuer
            text = Self.unknownIssuer(path[path.count - 1], isAlone: path.count == 1)
        }
    }

    /// The certificates that lead from the server's own towards an authority; servers send others too.
    private static func path(_ chain: [ShownCertificate]) -> [ShownCertificate] {
        var path = Array(chain.prefix(1))
        while let last = path.last, !last.isSelfIssued,
            let next = chain.first(where: { $0.subject == last.issuer && !path.contains($0) })
        {
            path.append(next)
        }
        return path
    }

    private static func unknownIssuer(_ last: ShownCertificate, isAlone: Bool) -> String {
        let text =
            "found a certificate that leads to '\(last.issuerName)', and expected an authority that "
            + "is trusted. Add it to SecurityPolicy.trust = .authorities or to those of the system"
        guard isAlone else { return text }
        return text
            + "; if it is an intermediate one, let the server send its certificate too"
    }

    private static func wrongHost(_ own: ShownCertificate, _ host: String) -> String {
        let names =
            own.hosts.isEmpty
            ? "no host" : own.hosts.prefix(5).joined(separator: ", ")
        let more = own.hosts.count > 5 ? " and \(own.hosts.count - 5) more" : ""
        return "found a certificate for \(names)\(more), and expected one for \(host). Use "
            + "a name that the certificate has, or give it a certificate for this one"
    }

    private static func name(_ certificate: ShownCertificate, _ own: ShownCertificate) -> String {
        certificate == own
            ? "a certificate" : "a certificate of its issuer '\(certificate.subjectName)'"
    }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
#endif
