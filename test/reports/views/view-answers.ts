import type { z } from 'zod'
import type { Canvas, Colors } from '../../../commands/terminal/layout'
import type { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { renderBriefing } from '../../../src/reports/rules/render-briefing'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { buildFigures, buildHierarchy } from '../at-once'
import { NOW } from '../report-context'

const plain = (text: string) => text
const colors: Colors = { strong: plain, faint: plain, good: plain, warn: plain, bad: plain, accent: plain, hit: plain }

/** A canvas without colors; without a width, as in a pipe. */
export const createCanvas = (width: number | null = null): Canvas => ({ colors, width })

export const createHierarchyAnswer = (items: readonly ReportItem[]) => ({ ...buildHierarchy(items), generatedAt: NOW })

export const createSummaryAnswer = (items: readonly ReportItem[]) => ({ ...buildFigures(items), generatedAt: NOW })

type Briefing = z.infer<typeof generateBriefing.output>

export function createBriefingAnswer(items: readonly ReportItem[], overrides: Partial<Briefing> = {}): Briefing {
  const basis = buildFigures(items)
  return {
    mode: 'deterministic',
    model: null,
    notice: null,
    warnings: [],
    markdown: renderBriefing(basis),
    generatedAt: NOW,
    basis: { ...basis, forecast: null },
    ...overrides,
  }
}
