import Foundation
import Skiathos

extension Specimen {
    /// A value with fields of every kind.
    struct Detail: Embedded, Equatable {
        /// A value with fields inside of one.
        struct Inner: Embedded, Equatable {
            var size = 0.0
            var optionalNumber: Int?

            private enum CodingKeys: String, CodingKey {
                case size = "the size"
                case optionalNumber
            }

            static let fields: [EmbeddedField<Inner>] = [
                EmbeddedField(\.size, CodingKeys.size),
                EmbeddedField(\.optionalNumber, CodingKeys.optionalNumber),
            ]
        }

        var number = 0
        var text = ""
        var optionalText: String?
        var flag = false
        var kind = Kind.round
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var inner = Inner()
        var optionalInner: Inner?

        static let fields: [EmbeddedField<Detail>] = [
            EmbeddedField(\.number, CodingKeys.number), EmbeddedField(\.text, CodingKeys.text),
            EmbeddedField(\.optionalText, CodingKeys.optionalText),
            EmbeddedField(\.flag, CodingKeys.flag), EmbeddedField(\.kind, CodingKeys.kind),
            EmbeddedField(\.date, CodingKeys.date), EmbeddedField(\.inner, CodingKeys.inner),
            EmbeddedField(\.optionalInner, CodingKeys.optionalInner),
        ]
    }
}
