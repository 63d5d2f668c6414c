import type { Forecast } from '../../forecast-schemas'
import { type Backtest, type Learned, learnFromRecord } from './backtest'
import { describeForecast, listMissing } from './describe'
import { buildRecord, type Finished, type FinishRecord, fromDayNumber, toDayNumber } from './record'
import type { ForecastRequest, Work } from './request'
import { findPercentile, MAX_DAYS, PERCENTS, RUNS, simulate } from './simulate'

/** Points are used if at least so much of the finished and of the open items has them. */
const ENOUGH_POINTS = 0.8
/** Points must say clearly more than counted items. */
const CLEARLY_LESS = 0.97
const CURVE_PERCENTS = Array.from({ length: 99 }, (_, i) => i + 1).filter(
  (percent) => percent % 2 === 1 || percent === 50 || percent === 70,
)

/** A pure function of the request: the same record and seed give the same dates. Yields after each step. */
export function* buildForecast(request: ForecastRequest): Generator<void, Forecast> {
  const { asOf, isDayOver, by, work, focus, daysOff, seed } = request
  const lastDay = toDayNumber(asOf) - (isDayOver ? 0 : 1)
  const isOff = daysOff.size === 0 ? null : (day: number) => daysOff.has(day)
  const items = request.finished.map(({ finishedAt }) => ({ day: toDayNumber(finishedAt), size: 1 }))
  const record = buildRecord(items, { lastDay, isOff })
  const missing = listMissing(record)
  const base = { asOf, by: null, backtest: null, curve: [], seed }
  const rows = work.map((one) => describeWork(one))
  if (missing.length > 0) {
    const undated = rows.map((row) => ({ ...row, finish: null, chance: null }))
    return { ...base, unit: 'items', record: null, work: undated, missing, explanation: [], notes: [] }
  }
  const chosen = yield* chooseUnit(request, record)
  const { unit, learned, points } = chosen
  const sizes = work.map((one) => measure(one, points))
  const countAfter = by === null ? null : Math.max(0, toDayNumber(by) - lastDay)
  const { days, counts } = yield* simulate(chosen.record, learned.belief, {
    amounts: accumulate(sizes),
    growths: work.map((one) => ('items' in one ? 0 : one.growth.ratio)),
    countAfter: countAfter === 0 ? null : countAfter,
    focus,
    correction: learned.correction,
    spread: learned.spread,
    seed,
  })
  const toDate = (day: number) => (day > MAX_DAYS ? null : fromDayNumber(lastDay + Math.max(0, day)))
  const shareBy = (sorted: Float64Array, day: number) => sorted.filter((each) => each <= day).length / sorted.length
  const dated = rows.map((row, i) => ({
    ...row,
    finish:
      sizes[i] === 0 ? null : Object.fromEntries(PERCENTS.map((p) => [`p${p}`, toDate(findPercentile(days[i]!, p))])),
    chance: countAfter === null || sizes[i] === 0 ? null : shareBy(days[i]!, countAfter),
  })) as Forecast['work']
  const toItems = limitItems(work, sizes)
  const least = (percent: number) => (counts.length === 0 ? 0 : toItems(findPercentile(counts, 100 - percent)))
  const lastRow = sizes.findLastIndex((size) => size > 0)
  return {
    ...base,
    unit,
    record: describeRecord(record, items.length, learned),
    work: dated,
    by:
      by === null
        ? null
        : {
            date: by,
            chance: dated[lastRow]?.chance ?? null,
            items: { p50: least(50), p70: least(70), p85: least(85), p95: least(95) },
          },
    curve: lastRow < 0 ? [] : drawCurve(days[lastRow]!, toDate),
    backtest: describeBacktest(learned.backtest),
    missing,
    ...describeForecast({
      ...request,
      record,
      learned,
      unit,
      growth: weighGrowth(work, sizes),
      work,
      sizes,
      runs: RUNS,
    }),
  }
}

interface Chosen {
  unit: 'items' | 'points'
  record: FinishRecord
  learned: Learned
  /** The points of a usual item, which is the unit of the record then; null if items are counted. */
  points: number | null
}

/** Counts items, and points too if nearly all items have them; then takes what has forecast the record better. */
function* chooseUnit(request: ForecastRequest, record: FinishRecord): Generator<void, Chosen> {
  const learned = yield* learnFromRecord(record, request.seed)
  const byItems: Chosen = { unit: 'items', record, learned, points: null }
  const recent = request.finished.filter(
    ({ finishedAt }) => toDayNumber(finishedAt) > record.lastDay - record.weeks * 7,
  )
  const estimated = recent.flatMap(({ finishedAt, points }) =>
    points === null || points <= 0 ? [] : [{ day: toDayNumber(finishedAt), size: points }],
  )
  const open = request.work.flatMap((one) => ('items' in one ? [] : one.open))
  const isEnough = (known: number, all: number) => all > 0 && known >= all * ENOUGH_POINTS
  const hasPoints =
    request.work.every((one) => !('items' in one)) &&
    isEnough(estimated.length, recent.length) &&
    isEnough(open.filter(({ storyPoints }) => storyPoints !== null && storyPoints > 0).length, open.length)
  if (!hasPoints || learned.backtest.forecasts === 0) return byItems
  const usual = estimated.reduce((sum, { size }) => sum + size, 0) / estimated.length
  const sized: Finished[] = estimated.map(({ day, size }) => ({ day, size: size / usual }))
  const pointRecord = buildRecord(sized, { lastDay: record.lastDay, isOff: record.isOff })
  const byPoints = yield* learnFromRecord(pointRecord, request.seed)
  if (byPoints.backtest.forecasts === 0) return byItems
  if (byPoints.backtest.loss >= learned.backtest.loss * CLEARLY_LESS) return byItems
  return { unit: 'points', record: pointRecord, learned: byPoints, points: usual }
}

/** How much work is left, in the unit of the record. Without an estimate an item counts as a usual one. */
function measure(work: Work, usualPoints: number | null): number {
  if ('items' in work) return work.items
  if (usualPoints === null) return work.open.length
  return work.open.reduce((sum, { storyPoints }) => sum + (storyPoints ? storyPoints / usualPoints : 1), 0)
}

/** The mean growth of the work, each scope by its share of what is left. A plain number of items does not grow. */
function weighGrowth(work: readonly Work[], sizes: readonly number[]): number {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  if (all === 0) return 0
  return work.reduce((sum, one, i) => sum + ('items' in one ? 0 : (one.growth.ratio * sizes[i]!) / all), 0)
}

/** From an amount of work to items, of which no more than the open ones can be finished; with a plain number of items, others come after them. */
function limitItems(work: readonly Work[], sizes: readonly number[]): (amount: number) => number {
  const whole = (amount: number) => Math.floor(amount + 1e-9)
  if (work.some((one) => 'items' in one)) return whole
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const open = work.reduce((sum, one) => sum + ('items' in one ? 0 : one.open.length), 0)
  return (amount) => (all === 0 ? 0 : whole((Math.min(amount, all) / all) * open))
}

function accumulate(sizes: readonly number[]): number[] {
  let sum = 0
  return sizes.map((size) => (sum += size))
}

function describeWork(work: Work): Omit<Forecast['work'][number], 'finish' | 'chance'> {
  if ('items' in work) return { id: null, reference: null, title: null, items: work.items, points: null, growth: 0 }
  const { root, open, growth } = work
  const estimated = open.filter(({ storyPoints }) => storyPoints !== null)
  return {
    id: root?.id ?? null,
    reference: root?.reference ?? null,
    title: root?.title ?? null,
    items: open.length,
    points: estimated.length === 0 ? null : estimated.reduce((sum, { storyPoints }) => sum + storyPoints!, 0),
    growth: Math.round(growth.ratio * 100) / 100,
  }
}

const PACE_WEEKS = 12

function describeRecord(record: FinishRecord, items: number, { correction, spread }: Learned): Forecast['record'] {
  const { weeks, days, lastDay } = record
  const recent = days.subarray(Math.max(0, days.length - PACE_WEEKS * 7))
  return {
    from: fromDayNumber(lastDay - weeks * 7 + 1),
    to: fromDayNumber(lastDay),
    weeks,
    items: Math.min(
      items,
      days.reduce((sum, one) => sum + one, 0),
    ),
    itemsPerWeek: Math.round((recent.reduce((sum, one) => sum + one, 0) / (recent.length / 7)) * 10) / 10,
    correction: Math.round(correction * 100) / 100,
    spread: Math.round(spread * 100) / 100,
  }
}

/** For a chart: the days of about fifty percentages, each with the highest chance that is known of it. */
function drawCurve(days: Float64Array, toDate: (day: number) => string | null): Forecast['curve'] {
  const latest = new Map<string, number>()
  for (const percent of CURVE_PERCENTS) {
    const date = toDate(findPercentile(days, percent))
    if (date !== null) latest.set(date, percent / 100)
  }
  return [...latest].map(([date, chance]) => ({ date, chance }))
}

function describeBacktest({ forecasts, right, unfinished, amounts, loss }: Backtest): Forecast['backtest'] {
  if (forecasts === 0) return null
  return {
    forecasts,
    amounts,
    unfinished,
    right: right.map(({ percent, count }) => ({ percent, share: Math.round((count / forecasts) * 1000) / 1000 })),
    meanLoss: Math.round(loss * 100) / 100,
  }
}
