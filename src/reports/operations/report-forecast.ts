import * as z from 'zod'
import { findIdsByFilter, Instant, ItemId, type WorkspaceContext } from '../../items'
import { inputError, operation, runInTurns } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import { Forecast } from '../forecast-schemas'
import { formatDate } from '../rules/dates'
import { buildForecast } from '../rules/forecast/forecast'
import { MAX_POINTS, parseRecordFile } from '../rules/forecast/parse-record-file'
import { fromDayNumber, toDayNumber } from '../rules/forecast/record'
import type { FinishedItem } from '../rules/forecast/request'
import { MAX_DAYS } from '../rules/forecast/simulate'
import { OnlyTracker } from '../schemas'
import { loadForecast } from '../services/load-forecast'

const MAX_FEATURES = 100
const MAX_ITEMS = 10_000
/** As many as the body of a call has room for. */
const MAX_RECORD = 20_000

const Finished = z.strictObject({
  finished: z.iso.date().describe('The day on which it was finished (YYYY-MM-DD)'),
  points: z.number().min(0).max(MAX_POINTS).nullable().default(null).describe('Its estimate'),
})

export const reportForecast = operation({
  id: 'reports.forecast',
  summary: 'Forecast when work will be done, and how often such forecasts were right',
  description: [
    'Draws many futures from the record of finished backlog items: the pace is uncertain and changes, as it did in the record. The days of',
    '50, 70, 85 and 95 % say how sure a date is; `backtest` says how often past forecasts of this record came true. Without features or a',
    'number of items, the features with a priority are forecast, one after the other. A record that is too short gives no dates.',
  ].join(' '),
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    featureIds: z
      .array(ItemId)
      .max(MAX_FEATURES)
      .default([])
      .describe('These features or other items, in the order in which they are done'),
    items: z.int().min(1).max(MAX_ITEMS).optional().describe('The next so many backlog items, whichever they are'),
    filter: z.string().min(1).max(200).optional().describe('The open items of this saved filter, by ID or name'),
    by: z.iso
      .date()
      .optional()
      .describe('The chance to finish by this date (YYYY-MM-DD), and how many items are finished by then'),
    focus: z
      .int()
      .min(1)
      .max(100)
      .default(100)
      .describe('Percentage of the pace that is for this work, if the team also does other work'),
    explain: z.boolean().default(false).describe('Explain how the dates are made'),
    backtest: z.boolean().default(false).describe('Show how often past forecasts were right'),
    record: z
      .array(Finished)
      .min(1)
      .max(MAX_RECORD)
      .optional()
      .describe('The finished items of a team, instead of those of the workspace; needs items'),
    asOf: z.iso.date().optional().describe('The last day of the record that the call gives (default: its latest day)'),
    seed: z.int().min(1).max(2_147_483_647).default(1).describe('Chooses the random numbers'),
    tracker: OnlyTracker,
  }),
  output: Forecast.extend({ generatedAt: Instant }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/reporting/forecast', extension: true },
  cli: {
    command: 'report forecast',
    args: ['featureIds...'],
    flags: { filter: { value: 'name' }, by: { value: 'date' }, asOf: { value: 'date' }, record: false },
    file: {
      about: 'Forecast from a CSV file with a column "finished" (dates) instead of the workspace',
      parse: async (text, name) => parseRecordFile(text, name),
    },
    examples: [
      'studio report forecast 101',
      'studio report forecast --items 20',
      'studio report forecast 101 102 --backtest --explain',
      'studio report forecast 101 --format html --out forecast.html',
    ],
    out: { about: 'Write the forecast into this file instead' },
    seeAlso: ['report summary', 'brief', 'priorities set'],
  },
  async run(ctx: WorkspaceContext, input) {
    checkSelection(input)
    const { record, asOf, by = null, focus, seed } = input
    const loaded =
      record === undefined
        ? await loadForecast(ctx, { ...input, ids: await findFiltered(ctx, input.filter) })
        : { ...useRecord(record, asOf), work: [{ items: input.items! }] }
    checkDates(by, loaded.asOf)
    const request = { ...loaded, by, focus: focus / 100, seed }
    const forecast = await runInTurns(buildForecast(request), ctx.signal)
    const generatedAt = formatInstant(ctx.clock.now())
    const notes = [...(record === undefined ? noteAge : noteFuture)(loaded.asOf, generatedAt), ...forecast.notes]
    return { ...omitDetails({ ...forecast, notes }, input), generatedAt }
  },
})

async function findFiltered(ctx: WorkspaceContext, filter: string | undefined): Promise<number[] | undefined> {
  return filter === undefined ? undefined : findIdsByFilter(ctx, filter)
}

const OLD_DAYS = 7

/** Dates count from the newest data: of old data, even a date of 95 % may have passed. */
function noteAge(asOf: string, now: string): string[] {
  const days = toDayNumber(now) - toDayNumber(asOf)
  if (days < OLD_DAYS) return []
  return [
    `The newest change in the workspace is ${days} days old, and the dates count from then: sync first. If nothing happened since, the dates are too early.`,
  ]
}

/** The clock may be a day behind the place of the team. */
const FUTURE_DAYS = 1

function noteFuture(asOf: string, now: string): string[] {
  if (toDayNumber(asOf) - toDayNumber(now) <= FUTURE_DAYS) return []
  return [
    `The record ends on ${formatDate(asOf)}, in the future: correct its latest date, or give the last day that is known.`,
  ]
}

/** What `right` has without `backtest`. */
const MAIN_PERCENTS = [50, 85, 95]

function omitDetails(forecast: Forecast, { explain, backtest }: { explain: boolean; backtest: boolean }): Forecast {
  const past = forecast.backtest
  return {
    ...forecast,
    explanation: explain ? forecast.explanation : [],
    backtest: past && {
      ...past,
      right: past.right.filter(({ percent }) => backtest || MAIN_PERCENTS.includes(percent)),
    },
  }
}

/** Dates after the year 9999 have another format. */
const LATEST_AS_OF = '9989-12-31'

function checkDates(by: string | null, asOf: string): void {
  if (asOf > LATEST_AS_OF)
    throw inputError([{ path: 'asOf', message: `the record must not end after ${LATEST_AS_OF}; it ends on ${asOf}` }])
  if (by === null) return
  if (by < asOf) throw inputError([{ path: 'by', message: `must not be before ${asOf}, the day of the newest data` }])
  const latest = fromDayNumber(toDayNumber(asOf) + MAX_DAYS - 1)
  if (by > latest)
    throw inputError([{ path: 'by', message: `must not be after ${latest}: a forecast reaches ten years ahead` }])
}

interface Selection {
  featureIds: readonly number[]
  items?: number | undefined
  filter?: string | undefined
  record?: unknown
  asOf?: string | undefined
}

function checkSelection({ featureIds, items, filter, record, asOf }: Selection): void {
  const chosen = [featureIds.length > 0, items !== undefined, filter !== undefined].filter(Boolean).length
  if (chosen > 1) throw inputError([{ path: 'items', message: 'give features, items or a filter, only one of them' }])
  if (record !== undefined && items === undefined)
    throw inputError([{ path: 'items', message: 'give how many items to forecast: a record has no open items' }])
  if (record === undefined && asOf !== undefined)
    throw inputError([{ path: 'asOf', message: 'is only for a record that the call gives' }])
}

function useRecord(record: readonly z.infer<typeof Finished>[], asOf: string | undefined) {
  const finished = record.map(({ finished, points }): FinishedItem => ({ finishedAt: finished, points }))
  const latest = finished.reduce((last, { finishedAt }) => (finishedAt > last ? finishedAt : last), '')
  return { finished, asOf: asOf ?? latest, isDayOver: true, daysOff: new Set<number>() }
}
