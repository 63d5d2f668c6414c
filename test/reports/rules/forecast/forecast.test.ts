import { describe, expect, it } from 'vitest'
import { runAtOnce } from '../../../../src/kernel'
import { createRandom } from '../../../../src/kernel/random'
import { drawDates } from '../../../../src/kernel/text/forecast-charts'
import { findDaysOff } from '../../../../src/reports/rules/forecast/days-off'
import { describeInOneSentence } from '../../../../src/reports/rules/forecast/describe'
import { buildForecast } from '../../../../src/reports/rules/forecast/forecast'
import { buildRecord, fromDayNumber, toDayNumber } from '../../../../src/reports/rules/forecast/record'
import type { FinishedItem, ForecastRequest, Work } from '../../../../src/reports/rules/forecast/request'
import { item } from '../../sample-workspace'

const AS_OF = '2026-11-29'
const today = toDayNumber(AS_OF)

/** `perWeek` items a week, over so many weeks up to `AS_OF`, on different days. */
function finishedOver(weeks: number, perWeek: (week: number) => number, points: number | null = null): FinishedItem[] {
  const random = createRandom(1)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: perWeek(week) }, () => ({
      finishedAt: fromDayNumber(today - (weeks - week) * 7 + 1 + Math.floor(random() * 7)),
      points,
    })),
  ).flat()
}

const steady = finishedOver(60, () => 5)
const uneven = finishedOver(60, (week) => (week % 4 === 0 ? 17 : 1))

const usual: ForecastRequest = {
  finished: steady,
  asOf: AS_OF,
  isDayOver: true,
  work: [{ items: 20 }],
  by: null,
  focus: 1,
  daysOff: new Set<number>(),
  seed: 1,
}

function forecast(request: Partial<ForecastRequest> = {}) {
  return runAtOnce(buildForecast({ ...usual, ...request }))
}

function daysTo(date: string | null | undefined): number {
  return toDayNumber(date!) - today
}

function feature(id: number, open: number, ratio = 0): Work {
  const items = Array.from({ length: open }, (_, i) => item(id * 1_000 + i))
  return {
    root: item(id, { title: `Feature ${id}`, level: 2 }),
    open: items,
    growth: { ratio, finished: 20, added: 0 },
  }
}

describe('a forecast', () => {
  it('is near what a steady team needs', () => {
    const { work, missing, unit } = forecast()
    expect([missing, unit]).toEqual([[], 'items'])
    // 20 items at 5 a week are four weeks.
    expect(daysTo(work[0]!.finish!.p50)).toBeGreaterThan(21)
    expect(daysTo(work[0]!.finish!.p50)).toBeLessThan(36)
  })

  it('has later days for what is surer, and is wider for an uneven team', () => {
    const widthOf = (finished: FinishedItem[]) => {
      const { p50, p70, p85, p95 } = forecast({ finished }).work[0]!.finish!
      expect([p50, p70, p85, p95].toSorted()).toEqual([p50, p70, p85, p95])
      return daysTo(p95) / daysTo(p50)
    }
    expect(widthOf(uneven)).toBeGreaterThan(widthOf(steady))
  })

  it('gives no dates without enough record, and says what is missing', () => {
    const { work, record, backtest, missing } = forecast({ finished: finishedOver(3, () => 1) })
    expect([record, backtest, work[0]!.finish]).toEqual([null, null, null])
    expect(missing.join(' ')).toMatch(/needs at least 8\..*needs at least 10\./)
    expect(forecast({ finished: [] }).missing).toHaveLength(2)
  })

  it('is the same for the same record in another order, and depends on its seed', () => {
    const once = forecast()
    expect(forecast({ finished: steady.toReversed() })).toEqual(once)
    expect(forecast({ seed: 2 }).curve).not.toEqual(once.curve)
  })

  it('does features one after the other', () => {
    const { work } = forecast({ work: [feature(1, 10), feature(2, 10)] })
    const [first, second] = work.map(({ finish }) => daysTo(finish!.p85))
    expect(second).toBeGreaterThan(first! * 1.4)
    const alone = forecast({ work: [feature(2, 10)] }).work[0]!
    expect(Math.abs(daysTo(alone.finish!.p85) - first!)).toBeLessThan(4)
  })

  it('is later if the scope grows, if only a part of the pace is for it, and over holidays', () => {
    const usual = daysTo(forecast({ work: [feature(1, 20)] }).work[0]!.finish!.p85)
    const dayWith = (request: Partial<ForecastRequest>) =>
      daysTo(forecast({ work: [feature(1, 20)], ...request }).work[0]!.finish!.p85)
    expect(dayWith({ work: [feature(1, 20, 0.4)] })).toBeGreaterThan(usual * 1.3)
    expect(dayWith({ focus: 0.5 })).toBeGreaterThan(usual * 1.6)
    const holidays = new Set(Array.from({ length: 14 }, (_, i) => today + 8 + i))
    expect(dayWith({ daysOff: holidays }) - usual).toBeGreaterThan(8)
    expect(dayWith({ daysOff: holidays }) - usual).toBeLessThan(20)
  })

  it('knows past holidays in past forecasts too, so that a slower pace does not count them again', () => {
    // Two of six weeks off, before and after today, and 9 items in each of the others.
    const isHoliday = (week: number) => (week + 600) % 6 < 2
    const finished = finishedOver(120, (week) => (isHoliday(week - 120) ? 0 : 9))
    const daysOff = new Set(
      Array.from({ length: 180 }, (_, i) => i - 120)
        .filter(isHoliday)
        .flatMap((week) => Array.from({ length: 7 }, (_, day) => today + 1 + week * 7 + day)),
    )
    const { work, record, backtest } = forecast({ finished, daysOff, work: [{ items: 60 }] })
    expect(Math.abs(record!.correction - 1)).toBeLessThan(0.05)
    // Two weeks off, four with 36 items, two off, and 24 items in somewhat less than three more.
    expect(Math.abs(daysTo(work[0]!.finish!.p50) - 74)).toBeLessThan(8)
    expect(backtest!.right.find(({ percent }) => percent === 85)!.share).toBeGreaterThan(0.8)
  })

  it('knows that a week with some days off is a part of a week', () => {
    // From Monday to Friday two items a day, and every second week neither on Monday nor on Tuesday.
    const isOff = (day: number) => [1, 2].includes((((day - today) % 14) + 14) % 14)
    const isWorkday = (day: number) => (day + 3) % 7 < 5 && !isOff(day)
    const days = Array.from({ length: 90 * 7 }, (_, i) => today - i)
    const finished = days.filter(isWorkday).flatMap((day) => {
      const finishedAt = fromDayNumber(day)
      return Array.from({ length: 2 }, () => ({ finishedAt, points: null }))
    })
    const daysOff = new Set([...days, ...days.map((day) => day + days.length)].filter(isOff))
    const { work, record } = forecast({ finished, daysOff, work: [{ items: 80 }] })
    expect(Math.abs(record!.correction - 1)).toBeLessThan(0.06)
    // 16 items in two weeks.
    expect(Math.abs(daysTo(work[0]!.finish!.p50) - 70)).toBeLessThan(5)
  })

  it('says nothing of past forecasts where none can be judged', () => {
    const { backtest, explanation } = forecast({ finished: finishedOver(9, () => 2) })
    expect(backtest).toBeNull()
    expect(explanation.filter((text) => /past forecast/i.test(text))).toEqual([
      'The record is too short to say how often past forecasts were right.',
    ])
  })

  it('says the chance by a date, and how much is finished by then, as its dates do', () => {
    const { work, by } = forecast({ by: forecast().work[0]!.finish!.p85 })
    expect(by!.chance).toBeGreaterThanOrEqual(0.85)
    expect(by!.chance).toBeLessThan(0.93)
    expect(work[0]!.chance).toBe(by!.chance)
    const { p50, p70, p85, p95 } = by!.items
    expect([p95, p85, p70, p50].toSorted((a, b) => a - b)).toEqual([p95, p85, p70, p50])
    expect(p85).toBeGreaterThanOrEqual(20)
  })

  it('finishes no more items by a date than are open, unless a number of items was given', () => {
    const itemsBy = (work: Work[]) => forecast({ work, by: '2027-11-29' }).by!.items
    expect(itemsBy([feature(1, 10), feature(2, 5, 0.3)])).toEqual({ p50: 15, p70: 15, p85: 15, p95: 15 })
    expect(itemsBy([{ items: 15 }]).p95).toBeGreaterThan(100)
  })

  it('learns from whole days: what is finished on a day that is not over does not count yet', () => {
    const early = forecast({ isDayOver: false })
    const today = Array.from({ length: 9 }, () => ({ finishedAt: AS_OF, points: null }))
    expect(forecast({ isDayOver: false, finished: [...steady, ...today] })).toEqual(early)
    expect([early.asOf, early.record!.to]).toEqual([AS_OF, '2026-11-28'])
    expect(forecast({ isDayOver: false, by: AS_OF }).by!.items.p50).toBeLessThan(5)
  })

  it('takes few steps for a slow record of four years, and each is short enough for others to take their turns', () => {
    const slow = finishedOver(206, (week) => (week % 3 === 0 ? 1 : 0))
    const steps = buildForecast({ ...usual, finished: slow })
    let count = 0
    while (!steps.next().done) count++
    expect(count).toBeGreaterThan(150)
    expect(count).toBeLessThan(2_500)
  })

  it('says so if past dates came true too rarely', () => {
    const stopped = finishedOver(80, (week) => (week < 50 ? 5 : 0))
    expect(forecast({ finished: stopped }).notes.join()).toMatch(/Past dates of 85% came true only \d+% of the time/)
    expect(forecast().notes).toEqual([])
  })

  it('counts points where they forecast the record better', () => {
    // The items of some months are four times as large: their number says little, their points are steady.
    const isLarge = (week: number) => Math.floor(week / 10) % 2 === 1
    const finished = Array.from({ length: 100 }, (_, week) => {
      const [count, points] = isLarge(week) ? [3, 8] : [12, 2]
      return Array.from({ length: count }, (_, i) => ({
        finishedAt: fromDayNumber(today - (100 - week) * 7 + 1 + (i % 7)),
        points,
      }))
    }).flat()
    const open = Array.from({ length: 10 }, (_, i) => item(i + 1, { storyPoints: 8 }))
    const work: Work[] = [{ root: null, open, growth: { ratio: 0, finished: 0, added: 0 } }]
    expect(forecast({ finished, work }).unit).toBe('points')
    expect(forecast({ finished, work: [{ items: 10 }] }).unit).toBe('items')
    expect(forecast({ finished: steady, work }).unit).toBe('items')
  })

  it('says how often past forecasts were right, from what was known then', () => {
    const { backtest, explanation } = forecast()
    expect(backtest!.forecasts).toBeGreaterThan(100)
    const shares = backtest!.right.map(({ share }) => share)
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares)
    expect(explanation.join(' ')).toContain(`${backtest!.forecasts} past forecasts`)
  })

  it('is one sentence for a briefing, or none without dates', () => {
    expect(describeInOneSentence(forecast({ work: [feature(1, 20)] }))).toMatch(
      /^20 open items will be finished by \d+ \w+ 202\d with a chance of 85%, and by \d+ \w+ 202\d with 50%: the record has 300 items in 60 weeks, and its dates of 85% for the next 10 to 80 items came true \d+% of the time$/,
    )
    expect(describeInOneSentence(forecast({ finished: [] }))).toBeNull()
    expect(describeInOneSentence(forecast({ work: [feature(1, 0)] }))).toBeNull()
  })

  it('takes the most that a call allows, and says of what is too far away only that', () => {
    const slow = finishedOver(45, (week) => (week % 3 === 0 ? 1 : 0))
    const { work, curve } = forecast({ finished: slow, work: [{ items: 10_000 }] })
    expect(work[0]!.finish).toEqual({ p50: null, p70: null, p85: null, p95: null })
    expect(curve).toEqual([])
    const many = Array.from({ length: 100_000 }, (_, i) => ({
      finishedAt: fromDayNumber(today - (i % 700)),
      points: 1e4,
    }))
    expect(daysTo(forecast({ finished: many, work: [{ items: 10_000 }] }).work[0]!.finish!.p95)).toBeLessThan(120)
  })

  it('has the dates of a feature without those after it', () => {
    const alone = forecast({ work: [feature(1, 20)] }).work[0]!.finish
    expect(forecast({ work: [feature(1, 20), feature(2, 20, 0)] }).work[0]!.finish).toEqual(alone)
    const withGrowth = forecast({ work: [feature(1, 20, 0.2)] }).work[0]!.finish
    expect(forecast({ work: [feature(1, 20, 0.2), feature(2, 20, 0.6)] }).work[0]!.finish).toEqual(withGrowth)
  })

  it('says the dates, the chance and the chart of all work if its last feature is finished', () => {
    const [open, all] = [[feature(1, 20)], [feature(1, 20), feature(2, 0)]].map((work) =>
      forecast({ work, by: '2026-12-31' }),
    )
    expect([all!.by, all!.curve]).toEqual([open!.by, open!.curve])
    expect(describeInOneSentence(all!)).toBe(describeInOneSentence(open!))
    expect(drawDates(all!)).toBe(drawDates(open!))
    expect(drawDates(all!)).toContain('85%: ')
  })

  it('counts past forecasts whose work was not finished by their dates as wrong', () => {
    const stopped = finishedOver(80, (week) => (week < 50 ? 5 : 0))
    const { backtest, explanation } = forecast({ finished: stopped })
    expect(backtest!.right.find(({ percent }) => percent === 95)!.share).toBeLessThan(0.9)
    expect(backtest!.unfinished).toBeGreaterThan(10)
    expect(explanation.join(' ')).toContain(`Of ${backtest!.unfinished} of them, the work is not finished yet`)
    expect(forecast().explanation.join(' ')).not.toContain('not finished yet')
  })

  it('notes a scope without open items', () => {
    const { work, notes } = forecast({ work: [feature(1, 0), feature(2, 5)] })
    expect(work.map(({ finish }) => finish !== null)).toEqual([false, true])
    expect(notes.join()).toContain('#1 has no open backlog items')
  })
})

describe('the record', () => {
  it('begins when items are finished regularly, and has whole weeks up to its last day', () => {
    const stray = [{ day: today - 700, size: 1 }]
    const regular = finishedOver(20, () => 2).map(({ finishedAt }) => ({ day: toDayNumber(finishedAt), size: 1 }))
    const later = [{ day: today + 3, size: 1 }]
    const { weeks, days } = buildRecord([...stray, ...regular, ...later], { lastDay: today })
    expect(weeks).toBe(20)
    expect(days.reduce((sum, count) => sum + count, 0)).toBe(40)
  })

  it('knows the weeks between iterations', () => {
    const iterations = [
      { first: '2026-01-05', last: '2026-01-16' },
      { first: '2026-01-19', last: '2026-01-30' },
      { first: '2026-02-16', last: '2026-02-27' },
    ]
    const off = findDaysOff(iterations)
    expect([off.size, [...off].map(fromDayNumber).at(0), [...off].map(fromDayNumber).at(-1)]).toEqual([
      16,
      '2026-01-31',
      '2026-02-15',
    ])
    expect(findDaysOff([])).toEqual(new Set())
  })
})
