import * as z from 'zod'
import { MAX_ANSWER_MS, MODEL_ERRORS, type ModelContext } from '../../assistant'
import { Instant, ItemId } from '../../items'
import { operation, runInTurns } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { buildFigures } from '../rules/figures'
import { BriefingBasis, OnlyTracker } from '../schemas'
import { forecastForBriefing } from '../services/load-forecast'
import { loadReportData } from '../services/load-report'
import { writeBriefing } from '../services/write-briefing'

const MAX_FEATURES = 1000
const MAX_NAME_LENGTH = 200

export const generateBriefing = operation({
  id: 'reports.briefing',
  summary: 'Write a status briefing to forward',
  description:
    'The deterministic text is Markdown and depends only on the cached items: the same workspace always gives the same text. A language ' +
    'model rewrites only that text, and every figure of its answer is checked: `warnings` lists the figures that are not in `basis`. ' +
    '`basis` contains every figure and the rules behind it.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    mode: z
      .enum(['auto', 'ai', 'deterministic'])
      .default('auto')
      .describe(
        'Who writes it: auto asks the language model, and uses fixed rules if none answers; the answer says which',
      ),
    model: z
      .string()
      .min(1)
      .max(MAX_NAME_LENGTH)
      .nullable()
      .default(null)
      .describe('Language model; by default the one of the settings, or else the first installed one'),
    featureIds: z
      .array(ItemId)
      .max(MAX_FEATURES)
      .default([])
      .describe('Only these features or other items, with their descendants; the whole workspace by default'),
    since: z.iso
      .date()
      .nullable()
      .default(null)
      .describe('Date of the last briefing (YYYY-MM-DD, UTC): report what changed since then (default: 14 days ago)'),
    tracker: OnlyTracker,
    explain: z.boolean().default(false).describe('Explain how the figures are made'),
  }),
  output: z.object({
    mode: z.enum(['ai', 'deterministic']).describe('Who wrote the text'),
    model: z.string().nullable().describe('The language model that wrote it; null if none did'),
    notice: z.string().nullable().describe('What a reader should know about how it was written'),
    warnings: z.array(z.string()).describe('Figures of an AI text that are not in `basis`; check them before use'),
    markdown: z.string(),
    generatedAt: Instant,
    basis: BriefingBasis.describe('The figures that the text is made from'),
  }),
  errors: ['not_found', ...MODEL_ERRORS],
  http: { method: 'post', path: '/api/reporting/generate-briefing', withinMs: MAX_ANSWER_MS },
  cli: {
    command: 'brief',
    flags: { model: { value: 'name' }, featureIds: { name: 'feature', value: 'id' }, since: { value: 'date' } },
    examples: [
      'studio brief --mode deterministic',
      'studio brief --feature 101 --format html --out briefing.html',
      'studio brief --since 2026-11-04 --explain',
      'studio brief --json --fields markdown',
    ],
    out: { about: 'Write the text into this file instead' },
    notice: ({ notice }) => notice,
    seeAlso: ['report summary', 'priorities set', 'llm models', 'import'],
  },
  async run(ctx: ModelContext & StorageContext, { mode, model, featureIds, since, explain, tracker }) {
    const sinceMoment = since === null ? null : `${since}T00:00:00.000Z`
    const { items, ...known } = await loadReportData(ctx, {
      ids: featureIds,
      field: 'featureIds',
      since: sinceMoment,
      tracker,
    })
    const options = { ids: featureIds, since: sinceMoment, ...known }
    const figures = await runInTurns(buildFigures(items, options), ctx.signal)
    const basis = { ...figures, forecast: await forecastForBriefing(ctx, featureIds, { items, ...known }) }
    const written = await writeBriefing(ctx, basis, { mode, model, explain })
    return { ...written, generatedAt: formatInstant(ctx.clock.now()), basis }
  },
})
