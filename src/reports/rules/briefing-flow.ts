import type { Flow } from './flow/flow'
import { dateText } from './moments'
import { agreeing, count, number } from './wording'

/** How fast the work moved, or in plain words that it cannot be told. */
export function flowSection(flow: Flow | null): string {
  if (flow === null) return ''
  const lines = [throughputText(flow), cycleTimeText(flow), ...flow.notes].filter((line) => line !== null)
  return lines.length === 0 ? '' : ['## Flow', '', ...lines.map((line) => `- ${line}`)].join('\n')
}

function throughputText({ throughput, weeks }: Flow): string | null {
  const last = weeks.findLast(({ isWhole }) => isWhole)
  if (!throughput || !last) return null
  const points = throughput.points > 0 ? ` (${count(throughput.points, 'point')})` : ''
  return `${number(throughput.items)} backlog items${points} were completed a week, as the mean of the ${throughput.weeks} whole weeks up to that of ${dateText(last.week)}.`
}

function cycleTimeText({ cycleTime }: Flow): string | null {
  if (!cycleTime) return null
  const { items, p50, p85, p95 } = cycleTime
  return `Half of ${count(items, 'item')} took at most ${days(p50)} from the first work to completion, 85% at most ${days(p85)}, 95% at most ${days(p95)}.`
}

function days(n: number): string {
  return `${number(n)} ${agreeing(n, 'day', 'days')}`
}
