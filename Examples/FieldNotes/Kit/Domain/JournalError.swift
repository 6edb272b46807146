#if Macros
import Skiathos

/// What the application's user has to put right.
package enum JournalError: Error, Equatable, CustomStringConvertible {
    case unknownSite(String)
    case siteExists(String)
    case unknownEntry(Int64)
    case invalidDraft(String)

    package var description: String {
        switch self {
        case .unknownSite(let name):
            "There is no site '\(name)'. Add it with: FieldNotes site '\(name)'"
        case .siteExists(let name): "There is a site '\(name)' already."
        case .unknownEntry(let id):
            "There is no entry \(id). 'FieldNotes list' shows those there are."
        case .invalidDraft(let reason): "The sighting \(reason)."
        }
    }
}
#endif
