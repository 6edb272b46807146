/// The ratios of a report as bars to both sides of the first contestant, on a logarithmic scale.
///
/// Bars to the left took less time than the first contestant, bars to the right more. Throughput is
/// turned into the time of one call, so that the same holds for it.
package struct BarPlot {
    private let report: Report
    private let scale: LogScale
    private let layout = Layout()

    package init(_ report: Report) {
        self.report = report
        let ratios = report.lines.flatMap { line in
            report.contestants.indices.dropFirst().compactMap { Self.timeRatio(line, $0) }
        }
        let targets = report.lines.compactMap { Self.targetRatio($0) }
        scale = LogScale(covering: ratios + targets + [0.5, 1, 2])
    }

    /// The picture.
    package var svg: String {
        var canvas = SVGCanvas()
        var top = drawHead(on: &canvas)
        let start = top
        var bands = SVGCanvas()
        for (section, lines) in report.sections {
            top += layout.sectionGap
            bands.text(section.rawValue, layout.margin, top + 14, size: 15, weight: "bold")
            top += layout.sectionHeight
            for line in lines {
                draw(line, top, on: &bands)
                top += groupHeight
            }
        }
        drawAxis(from: start, to: top, on: &canvas)
        canvas.append(bands)
        return canvas.document(width: layout.width, height: top + layout.foot)
    }

    private var others: [Int] { Array(report.contestants.indices.dropFirst()) }

    private var groupHeight: Double { Double(others.count) * layout.barHeight + layout.groupGap }

    private static func timeRatio(_ line: ReportLine, _ contestant: Int) -> Double? {
        guard let ratio = line.ratio(of: contestant), ratio > 0 else { return nil }
        return line.kind == .throughput ? 1 / ratio : ratio
    }

    private static func targetRatio(_ line: ReportLine) -> Double? {
        Targets.ratios[line.id].map { line.kind == .throughput ? 1 / $0.limit : $0.limit }
    }

    private func x(_ ratio: Double) -> Double {
        layout.plotLeft + scale.position(of: ratio) * layout.plotWidth
    }

    private func color(_ contestant: Int) -> String {
        contestant == report.contestants.count - 1
            ? layout.highlight : layout.colors[(contestant - 1) % layout.colors.count]
    }

    private func drawHead(on canvas: inout SVGCanvas) -> Double {
        let first = report.contestants[0]
        canvas.text(
            "Time relative to \(first), logarithmic", layout.margin, 34, size: 20, weight: "bold")
        canvas.text(
            "medians within one process; bars to the left are faster than \(first), to the right slower",
            layout.margin, 56, size: 13, fill: layout.muted)
        var left = layout.margin
        for contestant in others {
            canvas.rectangle(left, 74, 14, 12, fill: color(contestant))
            let name = report.contestants[contestant]
            canvas.text(name, left + 20, 85, size: 13)
            left += 44 + Double(name.count) * 7.5
        }
        canvas.line(left + 7, 72, left + 7, 88, stroke: layout.ink, width: 2.5)
        canvas.text("target", left + 20, 85, size: 13)
        return 100
    }

    private func drawAxis(from top: Double, to bottom: Double, on canvas: inout SVGCanvas) {
        for tick in scale.ticks {
            let x = x(tick)
            let isOne = tick == 1
            canvas.line(
                x, top + 14, x, bottom, stroke: isOne ? layout.ink : layout.grid,
                width: isOne ? 1.5 : 1)
            let label = isOne ? "1 = \(report.contestants[0])" : LogScale.label(tick)
            for y in [top + 8, bottom + 16] {
                canvas.text(
                    label, x, y, size: 12, anchor: "middle", fill: isOne ? layout.ink : layout.muted
                )
            }
        }
        canvas.text(
            "ratio of time to \(report.contestants[0])", layout.plotLeft + layout.plotWidth / 2,
            bottom + 38, size: 13, anchor: "middle")
    }

    private func draw(_ line: ReportLine, _ top: Double, on canvas: inout SVGCanvas) {
        let middle = top + (groupHeight - layout.groupGap) / 2
        canvas.text(
            line.id, layout.margin, middle + 4, size: 12, weight: "bold")
        canvas.text(
            line.title, layout.margin + layout.idWidth, middle + 4, size: 11.5, fill: layout.muted,
            limit: layout.titleWidth)
        for (position, contestant) in others.enumerated() {
            let y = top + Double(position) * layout.barHeight
            guard let ratio = Self.timeRatio(line, contestant) else { continue }
            let (one, end) = (x(1), x(ratio))
            canvas.rectangle(
                min(one, end), y, max(abs(end - one), 1), layout.barHeight - 1.5,
                fill: color(contestant), title: "\(line.id) \(report.contestants[contestant])")
            drawValue(ratio, y, on: &canvas, beside: targetX(line, contestant))
        }
        if let x = targetX(line, others.last ?? 0) {
            let y = top + Double(others.count - 1) * layout.barHeight
            canvas.line(x, y - 2, x, y + layout.barHeight + 1, stroke: layout.ink, width: 2.5)
        }
    }

    /// Where the target is, which is that of the last contestant alone.
    private func targetX(_ line: ReportLine, _ contestant: Int) -> Double? {
        contestant == others.last ? Self.targetRatio(line).map(x) : nil
    }

    /// Draws the number at the end of a bar, or behind the mark of the target if that is there.
    private func drawValue(
        _ ratio: Double, _ y: Double, on canvas: inout SVGCanvas, beside target: Double?
    ) {
        let end = x(ratio)
        let isLeft = ratio < 1
        var start = isLeft ? end - 4 : end + 4
        if let target, isLeft, (start - 26...end).contains(target) { start = target - 5 }
        if let target, !isLeft, (end...start + 26).contains(target) { start = target + 5 }
        canvas.text(
            Format.ratio(ratio), start, y + layout.barHeight - 2.5, size: 9.5,
            anchor: isLeft ? "end" : "start")
    }

    private struct Layout {
        let width = 1180.0
        let margin = 24.0
        let idWidth = 84.0
        let titleWidth = 385.0
        let plotLeft = 490.0
        let plotWidth = 640.0
        let barHeight = 11.0
        let groupGap = 9.0
        let sectionGap = 14.0
        let sectionHeight = 26.0
        let foot = 54.0
        let ink = "#1f2933"
        let muted = "#52606d"
        let grid = "#e4e7eb"
        let highlight = "#d9480f"
        let colors = ["#3b6fb6", "#a5c4e7", "#7b8794"]
    }
}
