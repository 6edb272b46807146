import Skiathos

/// Fields of embedded values.
extension QueryGenerator {
    mutating func optionalField() -> Operand<Int?> {
        switch number(below: 5) {
        case 0:
            Operand(
                "optionalDetail.number", columns.optionalDetail[\.number],
                { $1.optionalDetail?.number })
        case 1:
            Operand(
                "detail.inner.optionalNumber", columns.detail[\.inner][\.optionalNumber],
                { $1.detail.inner.optionalNumber })
        case 2:
            Operand(
                "detail.optionalInner.optionalNumber",
                columns.detail[\.optionalInner][\.optionalNumber],
                { $1.detail.optionalInner?.optionalNumber })
        case 3:
            Operand(
                "parent.detail.number", columns.parent.detail[\.number],
                { $0.parent(of: $1)?.detail.number })
        default:
            Operand(
                "optionalDetail.inner.optionalNumber",
                columns.optionalDetail[\.inner.optionalNumber],
                { $1.optionalDetail?.inner.optionalNumber })
        }
    }

    /// A condition on a field.
    mutating func fieldTest() -> Test {
        switch number(below: 6) {
        case 0:
            let value = values.text()
            return Test(
                "detail.text == \(value.debugDescription)", columns.detail[\.text] == value
            ) { $1.detail.text.cell == value.cell }
        case 1:
            let value = values.optional { $0.text() }
            return Test(
                "detail.optionalText != \(value.debugDescription)",
                columns.detail[\.optionalText] != value
            ) { $1.detail.optionalText.cell != value.cell }
        case 2:
            let value = values.bool()
            return Test("detail.flag == \(value)", columns.detail[\.flag] == value) {
                $1.detail.flag == value
            }
        case 3:
            let value = values.kind()
            return Test(
                "optionalDetail.kind != \(value)", columns.optionalDetail[\.kind] != value
            ) { $1.optionalDetail?.kind != value }
        case 4:
            let value = values.date()
            return Test("detail.date < \(value)", columns.detail[\.date] < value) {
                $1.detail.date < value
            }
        default:
            let value = values.inner()
            return Test("detail.inner == \(value)", columns.detail[\.inner] == value) {
                $1.detail.inner == value
            }
        }
    }
}
