import Skiathos

/// Fields of embedded values.
extension QueryGenerator {
    mutating func optionalField() -> Operand<Int?> {
        switch number(below: 5) {
        case 0:
            Operand(
                "optionalDetail.number", { $0.optionalDetail[\.number] },
                { $1.optionalDetail?.number })
        case 1:
            Operand(
                "detail.inner.optionalNumber", { $0.detail[\.inner][\.optionalNumber] },
                { $1.detail.inner.optionalNumber })
        case 2:
            Operand(
                "detail.optionalInner.optionalNumber",
                { $0.detail[\.optionalInner][\.optionalNumber] },
                { $1.detail.optionalInner?.optionalNumber })
        case 3:
            Operand(
                "parent.detail.number", { $0.parent.detail[\.number] },
                { $0.parent(of: $1)?.detail.number })
        default:
            Operand(
                "optionalDetail.inner.optionalNumber",
                { $0.optionalDetail[\.inner.optionalNumber] },
                { $1.optionalDetail?.inner.optionalNumber })
        }
    }

    /// A condition on a field.
    mutating func fieldTest() -> Test {
        switch number(below: 6) {
        case 0:
            let value = values.text()
            return Test(
                "detail.text == \(value.debugDescription)", { $0.detail[\.text] == value }
            ) { $1.detail.text.cell == value.cell }
        case 1:
            let value = values.optional { $0.text() }
            return Test(
                "detail.optionalText != \(value.debugDescription)",
                { $0.detail[\.optionalText] != value }
            ) { $1.detail.optionalText.cell != value.cell }
        case 2:
            let value = values.bool()
            return Test("detail.flag == \(value)", { $0.detail[\.flag] == value }) {
                $1.detail.flag == value
            }
        case 3:
            let value = values.kind()
            return Test(
                "optionalDetail.kind != \(value)", { $0.optionalDetail[\.kind] != value }
            ) { $1.optionalDetail?.kind != value }
        case 4:
            let value = values.date()
            return Test("detail.date < \(value)", { $0.detail[\.date] < value }) {
                $1.detail.date < value
            }
        default:
            let value = values.inner()
            return Test("detail.inner == \(value)", { $0.detail[\.inner] == value }) {
                $1.detail.inner == value
            }
        }
    }
}
