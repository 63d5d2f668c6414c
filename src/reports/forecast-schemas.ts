import * as z from 'zod'
import { itemSource } from '../items'

const Day = z.string().describe('YYYY-MM-DD')
const DayOrNull = Day.nullable().describe('YYYY-MM-DD; null if it is more than ten years ahead')
const Chance = z.number().describe('0 to 1')

export const Forecast = z.object({
  asOf: Day.describe('The day of the newest data. A record of the workspace ends the day before, the last whole day'),
  unit: z
    .enum(['items', 'points'])
    .describe('What the forecast counts: points only where they forecast the record better'),
  record: z
    .object({
      from: Day,
      to: Day,
      weeks: z.int(),
      items: z.int().describe('Finished backlog items with a known date'),
      itemsPerWeek: z.number().describe('The mean of the last 12 weeks'),
      correction: z
        .number()
        .describe('Multiplies the pace, because past forecasts were too late (above 1) or too early'),
      spread: z
        .number()
        .describe(
          'How much more the pace of each run differs, because past forecasts were too sure: 0.2 is about 20 %',
        ),
    })
    .nullable()
    .describe('Null if the record is too short'),
  work: z
    .array(
      z.object({
        id: z.int().nullable().describe('Null for a filter or a plain number of items'),
        reference: itemSource.reference.nullable(),
        title: z.string().nullable(),
        items: z.int().describe('Open backlog items'),
        points: z.number().nullable().describe('Of the items with an estimate; null if none has one'),
        growth: z.number().describe('New items for each finished one, from the record'),
        finish: z
          .object({ p50: DayOrNull, p70: DayOrNull, p85: DayOrNull, p95: DayOrNull })
          .nullable()
          .describe(
            'The days by which it is finished with 50, 70, 85 and 95 %; null if there is no work or no forecast',
          ),
        chance: Chance.nullable().describe('To be finished by the date of `by`'),
      }),
    )
    .describe('In the order in which it is done; each row is finished after those before it'),
  by: z
    .object({
      date: Day,
      chance: Chance.nullable().describe('That all of the work is finished by then'),
      items: z
        .object({ p50: z.int(), p70: z.int(), p85: z.int(), p95: z.int() })
        .describe(
          'At least so many items are finished by then with 50, 70, 85 and 95 %: of the open ones, or of any if `items` was given',
        ),
    })
    .nullable(),
  curve: z
    .array(z.object({ date: Day, chance: Chance }))
    .describe('The chance that all of the work is finished by a date, for a chart'),
  backtest: z
    .object({
      forecasts: z.int().describe('Forecasts of past weeks, from what was known then, whose date of 95 % has passed'),
      amounts: z.array(z.int()).describe('The forecasts were for the next 10, 20, 40 and 80 items, or fewer of these'),
      unfinished: z.int().describe('How many of them were for items that are not finished yet; they count as late'),
      right: z
        .array(
          z.object({ percent: z.int(), share: Chance.describe('Of them, finished by the date of this percentage') }),
        )
        .describe('A forecast is right if both agree; without `backtest` only 50, 85 and 95 %'),
      meanLoss: z.number().describe('Mean pinball loss over 50, 70, 85 and 95 %, in days; lower is better'),
    })
    .nullable(),
  missing: z.array(z.string()).describe('Why there are no dates; empty if there are'),
  explanation: z.array(z.string()).describe('How the dates were made; empty without `explain`'),
  notes: z.array(z.string()),
  seed: z.int(),
})
export type Forecast = z.infer<typeof Forecast>
