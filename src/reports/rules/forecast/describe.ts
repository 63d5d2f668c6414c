import { nameAmounts } from '../../../kernel/text/forecast-charts'
import type { Forecast } from '../../forecast-schemas'
import { formatDate } from '../dates'
import { formatCount, formatPercent } from '../wording'
import type { Learned } from './backtest'
import { describePace } from './pace'
import { type FinishRecord, fromDayNumber, MIN_RECORD_ITEMS, MIN_RECORD_WEEKS } from './record'
import type { ForecastRequest, Work } from './request'

/** Why the record is too short for a forecast; empty if it is not. */
export function listMissing({ weeks, days }: FinishRecord): string[] {
  const items = days.reduce((sum, one) => sum + one, 0)
  const missing: string[] = []
  if (weeks < MIN_RECORD_WEEKS)
    missing.push(
      `The record has ${formatCount(weeks, 'whole week')} since the team began to finish items regularly; a forecast needs at least ${MIN_RECORD_WEEKS}.`,
    )
  if (items < MIN_RECORD_ITEMS)
    missing.push(
      `Its whole weeks have ${formatCount(items, 'finished backlog item')} with a known date; a forecast needs at least ${MIN_RECORD_ITEMS}.`,
    )
  return missing
}

interface Basis extends ForecastRequest {
  record: FinishRecord
  learned: Learned
  unit: 'items' | 'points'
  growth: number
  sizes: readonly number[]
  runs: number
}

/** How the forecast was made, in plain words, and what its reader should know. */
export function describeForecast(basis: Basis): { explanation: string[]; notes: string[] } {
  const { record, learned, unit, work, focus, runs, seed, daysOff, growth } = basis
  const { pace, drift, unevenness } = describePace(learned.belief)
  const { lastDay, weeks } = record
  const explanation = [
    `The record is what was finished from ${formatDate(fromDayNumber(lastDay - weeks * 7 + 1))} to ${formatDate(fromDayNumber(lastDay))}: ${formatCount(weeks, 'week')}.`,
    `Today's pace is about ${round(pace)} items a week. It is uncertain and changes: the record fits best if it changes by about ${formatPercent(drift)} each week, and if a single week is usually ${describeUnevenness(unevenness)}.`,
    `Each of ${runs} runs draws a pace that fits the record, lets it change week by week, draws what is finished in each week, and on which days of it. A date of 85% is the day by which 85% of the runs were finished.`,
    unit === 'points'
      ? 'Work is measured in points, because points forecast this record better than counted items.'
      : 'Work is measured in items: points are not known of nearly all items, or did not forecast this record better.',
    explainCorrection(learned),
    explainSpread(learned.spread),
    explainGrowth(work, growth),
    focus < 1
      ? `Only ${formatPercent(focus)} of the pace is for this work, as requested.`
      : 'The whole pace is for this work, in the order of the list.',
    countFrom(daysOff, lastDay) > 0
      ? `No one works on ${formatCount(countFrom(daysOff, lastDay), 'coming day')} between iterations.`
      : '',
    explainBacktest(learned),
    `The same record and the seed ${seed} give the same dates.`,
  ]
  return { explanation: explanation.filter((text) => text !== ''), notes: listNotes(basis) }
}

function describeUnevenness(unevenness: number): string {
  return unevenness < 0.95 ? `${formatPercent(unevenness)} above or below it` : 'far above it, or near nothing'
}

function round(n: number): number {
  return n < 10 ? Math.round(n * 10) / 10 : Math.round(n)
}

function explainCorrection({ correction, backtest }: Learned): string {
  const change = Math.abs(correction - 1)
  if (change < 0.01)
    return backtest.forecasts === 0
      ? ''
      : 'Past forecasts of this record were hardly too early or too late, so the pace is not corrected.'
  return `The middle of past forecasts of this record was usually too ${correction > 1 ? 'late' : 'early'}, so the pace is multiplied by ${correction.toFixed(2)}.`
}

function explainSpread(spread: number): string {
  if (spread < 0.05) return ''
  return `Past forecasts of this record were surer than right, so the pace of each run differs by about ${formatPercent(spread)} more than the record alone says.`
}

function explainGrowth(work: readonly Work[], growth: number): string {
  if (work.every((one) => 'items' in one)) return ''
  if (growth < 0.005) return 'The record shows no growth of the scope while the work goes on.'
  return `For 10 finished items, ${round(growth * 10)} new ones come; this is what the record shows, and is uncertain too.`
}

function explainBacktest({ backtest }: Learned): string {
  if (backtest.forecasts === 0) return 'The record is too short to say how often past forecasts were right.'
  const of = (percent: number) => {
    const { count } = backtest.right.find((each) => each.percent === percent)!
    return formatPercent(count / backtest.forecasts)
  }
  const { forecasts, unfinished } = backtest
  const late = unfinished === 0 ? '' : ` Of ${unfinished} of them, the work is not finished yet: they count as late.`
  return `${formatCount(forecasts, 'past forecast')} of ${nameAmounts(backtest)}, each from what was known then: what was to be finished by the date of 85% was finished by it in ${of(85)} of them, by that of 50% in ${of(50)}, and by that of 95% in ${of(95)}.${late}`
}

function countFrom(daysOff: ReadonlySet<number>, lastDay: number): number {
  return [...daysOff].filter((day) => day > lastDay).length
}

const QUIET_WEEKS = 4
/** Fewer results are too few to call forecasts too sure. */
const ENOUGH_FORECASTS = 40
const TOO_SURE = 0.78

function listNotes({ record, work, sizes, learned: { backtest } }: Basis): string[] {
  const notes: string[] = []
  const quiet = record.days.subarray(Math.max(0, record.days.length - QUIET_WEEKS * 7))
  if (quiet.every((count) => count === 0))
    notes.push(`Nothing was finished in the last ${QUIET_WEEKS} weeks: check whether the items are up to date.`)
  const right = backtest.right.find(({ percent }) => percent === 85)!.count / backtest.forecasts
  if (backtest.forecasts >= ENOUGH_FORECASTS && right < TOO_SURE)
    notes.push(
      `Past dates of 85% came true only ${formatPercent(right)} of the time: this record changes more than it shows in advance, so plan with later dates.`,
    )
  work.forEach((one, i) => {
    if ('items' in one || sizes[i]! > 0) return
    notes.push(
      `${one.root?.reference ?? 'The filter'} has no open backlog items, so there is nothing to forecast: break it down, or give --items.`,
    )
  })
  return notes
}

/** For the briefing; null if there are no dates. */
export function describeInOneSentence({ work, record, backtest }: Forecast): string | null {
  const finish = work.findLast((row) => row.finish !== null)?.finish ?? null
  if (record === null || finish === null || finish.p50 === null || finish.p85 === null) return null
  const items = work.reduce((sum, row) => sum + row.items, 0)
  const right = backtest?.right.find(({ percent }) => percent === 85)
  const basis = [
    `the record has ${formatCount(record.items, 'item')} in ${formatCount(record.weeks, 'week')}`,
    backtest && right
      ? `its dates of 85% for ${nameAmounts(backtest)} came true ${formatPercent(right.share)} of the time`
      : 'it is too short to check past forecasts',
  ]
  return `${formatCount(items, 'open item')} will be finished by ${formatDate(finish.p85)} with a chance of 85%, and by ${formatDate(finish.p50)} with 50%: ${basis.join(', and ')}`
}
