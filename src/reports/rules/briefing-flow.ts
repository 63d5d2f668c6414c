import type { Flow } from './flow/flow'
import { dateText } from './moments'
import { agreeing, count, number } from './wording'

/** How fast the work moved, or that the history is too short to say. */
export function flowSection(flow: Flow | null): string {
  if (flow === null) return ''
  const lines = [throughputText(flow), cycleTimeText(flow), ...flow.notes].filter((line) => line !== null)
  return lines.length === 0 ? '' : ['## Pace', '', ...lines.map((line) => `- ${line}`)].join('\n')
}

function throughputText({ throughput, weeks }: Flow): string | null {
  const last = weeks.findLast(({ isWhole }) => isWhole)
  if (!throughput || !last) return null
  const points = throughput.points > 0 ? ` (${count(throughput.points, 'point')})` : ''
  return `${number(throughput.items)} backlog items${points} were completed per week on average over the ${throughput.weeks} weeks up to the week of ${dateText(last.week)}.`
}

function cycleTimeText({ cycleTime }: Flow): string | null {
  if (!cycleTime) return null
  const { items, p50, p85, p95 } = cycleTime
  const slow = p85 === null || p95 === null ? '' : `; 85% took at most ${days(p85)}, and 95% at most ${days(p95)}`
  return `From first work to completion, the median of ${count(items, 'item')} is ${days(p50)}${slow}.`
}

function days(n: number): string {
  return `${number(n)} ${agreeing(n, 'day', 'days')}`
}
