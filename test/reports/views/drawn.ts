import type { z } from 'zod'
import type { Canvas } from '../../../commands/layout'
import type { Paint } from '../../../commands/paint'
import type { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { briefingText } from '../../../src/reports/rules/briefing-text'
import { figuresOf } from '../../../src/reports/rules/figures'
import { hierarchyOf } from '../../../src/reports/rules/hierarchy'
import type { ReportItem } from '../../../src/reports/rules/item'
import { NOW } from '../report-context'

const plain = (text: string) => text
const paint: Paint = { strong: plain, faint: plain, good: plain, warn: plain, bad: plain, accent: plain, hit: plain }

/** A canvas without colour; of no width as in a pipe. */
export const canvas = (width: number | null = null): Canvas => ({ paint, width })

export const hierarchyAnswer = (items: readonly ReportItem[]) => ({ ...hierarchyOf(items), generatedAt: NOW })

export const summaryAnswer = (items: readonly ReportItem[]) => ({ ...figuresOf(items), generatedAt: NOW })

type Briefing = z.infer<typeof generateBriefing.output>

export function briefingAnswer(items: readonly ReportItem[], said: Partial<Briefing> = {}): Briefing {
  const basis = figuresOf(items)
  return {
    mode: 'deterministic',
    model: null,
    notice: null,
    warnings: [],
    markdown: briefingText(basis),
    generatedAt: NOW,
    basis,
    ...said,
  }
}
