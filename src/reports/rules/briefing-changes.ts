import type { Changes } from './changes'
import { onGrid } from './estimates'
import type { ItemFact } from './facts'
import { asMarkdownText } from './markdown'
import { dateText } from './moments'
import { agreeing, capitalized, count } from './wording'

export const MOST_NAMED = 5

/** What happened to the backlog since the date of the last briefing, or in the usual period. */
export function changesSection(changes: Changes | null): string {
  if (changes === null) return ''
  const { completed, started, added } = changes
  const lines = [changeText(completed, 'completed'), changeText(started, 'started'), changeText(added, 'added')].filter(
    (line) => line !== null,
  )
  const none = '- No backlog item was completed, started or added.'
  return [`## Changes since ${dateText(changes.since)}`, '', ...(lines.length > 0 ? lines : [none])].join('\n')
}

export function pointsOf(facts: readonly ItemFact[]): number {
  return facts.reduce((sum, { points }) => onGrid(sum + (points ?? 0)), 0)
}

function changeText(facts: readonly ItemFact[], verb: string): string | null {
  if (facts.length === 0) return null
  const points = pointsOf(facts)
  const size = points > 0 ? ` (${count(points, 'point')})` : ''
  const named = facts.slice(0, MOST_NAMED).map(({ id, title }) => `#${id} ${asMarkdownText(title)}`)
  const more = facts.length > named.length ? `; and ${facts.length - named.length} more` : ''
  const subject = `${count(facts.length, 'backlog item')}${size} ${agreeing(facts.length, 'was', 'were')} ${verb}`
  return `- ${capitalized(subject)}: ${named.join('; ')}${more}.`
}
