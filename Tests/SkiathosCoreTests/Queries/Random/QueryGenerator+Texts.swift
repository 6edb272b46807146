import Foundation
import Skiathos

extension QueryGenerator {
    mutating func text(_ depth: Int) -> Operand<String> {
        let plain = column("text", { $0.text }, \.text)
        guard depth > 0 else { return plain }
        switch number(below: 9) {
        case 8: return Operand("detail.text", { $0.detail[\.text] }, { $1.detail.text })
        case 0:
            return Operand("text.lowercased", { $0.text.lowercased() }, { $1.text.lowercased() })
        case 1:
            return Operand("text.uppercased", { $0.text.uppercased() }, { $1.text.uppercased() })
        case 2: return Operand("text.trimmed", { $0.text.trimmed }, { trimmed($1.text) })
        case 3:
            let (left, right) = (text(depth - 1), text(depth - 1))
            return Operand("(\(left.text) + \(right.text))", { left.native($0) + right.native($0) })
            {
                left.model($0, $1) + right.model($0, $1)
            }
        case 4:
            let (text, other) = (values.text(), values.text())
            return Operand(
                "text.replacing(\(text.debugDescription), \(other.debugDescription))",
                { $0.text.replacing(text, with: other) }, { replacing($1.text, text, other) })
        case 5:
            let (left, right) = (optionalText(depth - 1), text(depth - 1))
            return Operand(
                "(\(left.text) ?? \(right.text))", { left.native($0) ?? right.native($0) },
                { left.model($0, $1) ?? right.model($0, $1) },
                combined(left.part, right.part) { Parts.coalesce($0, $1) })
        case 6: return choice(depth, plain, text(depth - 1))
        default: return plain
        }
    }

    mutating func optionalText(_ depth: Int) -> Operand<String?> {
        switch number(below: depth > 0 ? 5 : 2) {
        case 4:
            return Operand(
                "optionalDetail.text", { $0.optionalDetail[\.text] }, { $1.optionalDetail?.text })
        case 2: return Operand("parent.text", { $0.parent.text }, { $0.parent(of: $1)?.text })
        case 3:
            return Operand(
                "optionalText.uppercased", { $0.optionalText.uppercased() },
                { $1.optionalText?.uppercased() })
        default: return column("optionalText", { $0.optionalText }, \.optionalText)
        }
    }

    mutating func real(_ depth: Int) -> Operand<Double> {
        let plain = column("size", { $0.size }, \.size)
        guard depth > 0 else { return plain }
        switch number(below: 8) {
        case 7:
            return Operand(
                "detail.inner.size", { $0.detail[\.inner.size] }, { $1.detail.inner.size })
        case 0:
            let other = real(depth - 1)
            return Operand(
                "(size * \(other.text))", { $0.size * other.native($0) },
                { $1.size * other.model($0, $1) },
                combined(plain.part, other.part) { Parts.arithmetic($0, .multiply, $1) })
        case 1:
            let other = real(depth - 1)
            return Operand(
                "(\(other.text) - size)", { other.native($0) - plain.native($0) },
                { other.model($0, $1) - $1.size },
                combined(other.part, plain.part) { Parts.arithmetic($0, .subtract, $1) })
        case 2: return Operand("size.rounded", { $0.size.rounded }, { $1.size.rounded() })
        case 3: return Operand("size.magnitude", { $0.size.magnitude }, { abs($1.size) })
        case 4:
            let operand = int(depth - 1)
            return Operand("\(operand.text).asDouble", { operand.native($0).asDouble }) {
                Double(operand.model($0, $1))
            }
        case 5:
            let operand = column("optionalSize", { $0.optionalSize }, \.optionalSize)
            return Operand(
                "(optionalSize ?? size)", { $0.optionalSize ?? $0.size },
                { $1.optionalSize ?? $1.size },
                combined(operand.part, plain.part) { Parts.coalesce($0, $1) })
        default: return plain
        }
    }

    mutating func decimal(_ depth: Int) -> Operand<Decimal> {
        let plain = column("price", { $0.price }, \.price)
        guard depth > 0 else { return plain }
        switch number(below: 6) {
        case 0:
            let number = values.decimal()
            return Operand(
                "(price + \(number))", { $0.price + number }, { $1.price + number },
                { Parts.arithmetic(keyPath($0, \.price), .add, argument(number)) })
        case 1:
            let operand = int(depth - 1)
            return Operand(
                "(\(operand.text).asDecimal * price)", { operand.native($0).asDecimal * $0.price }
            ) { Decimal(operand.model($0, $1)) * $1.price }
        case 2:
            let number = values.decimal()
            return Operand(
                "(optionalPrice ?? \(number))", { $0.optionalPrice ?? number },
                { $1.optionalPrice ?? number },
                { Parts.coalesce(keyPath($0, \.optionalPrice), argument(number)) })
        case 3:
            let (test, one, two) = (test(depth - 1), values.decimal(), values.decimal())
            return Operand(
                "(\(test.text) ? \(one) : \(two))", { test.native($0).then(one, else: two) },
                { test.model($0, $1) ? one : two },
                test.part.map { part in { Parts.choose(part($0), argument(one), argument(two)) } })
        case 4:
            let (test, one) = (test(depth - 1), values.decimal())
            return Operand(
                "(\(test.text) ? \(one) : price)", { test.native($0).then(one, else: $0.price) },
                { test.model($0, $1) ? one : $1.price },
                test.part.map { part in
                    { Parts.choose(part($0), argument(one), keyPath($0, \.price)) }
                })
        default: return plain
        }
    }
}

private func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
    let kept = scalars.reversed().drop { $0.properties.isWhitespace }.reversed()
    return kept.reduce(into: "") { $0.unicodeScalars.append($1) }
}

/// Replaces by scalars, from the beginning on; an empty text is found nowhere.
private func replacing(_ text: String, _ part: String, _ other: String) -> String {
    let (bytes, part) = (Array(text.utf8), Array(part.utf8))
    guard !part.isEmpty else { return text }
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
        if bytes[position...].starts(with: part) {
            result += Array(other.utf8)
            position += part.count
        } else {
            result.append(bytes[position])
            position += 1
        }
    }
    return String(decoding: result, as: UTF8.self)
}
