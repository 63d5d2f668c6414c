import type { ResultOf } from '../../src/catalog'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, table } from '../layout'
import { isTextChange, renderTextChange } from './text-change'

type Answer = ResultOf<'items.batch-update'>
type Entry = Answer['results'][number]

export function renderBatchOutcome(answer: Answer, canvas: Canvas): string {
  const { colors } = canvas
  const tint = (entry: Entry) =>
    entry.status === 'applied' ? colors.good : entry.status === 'notAttempted' ? colors.faint : colors.bad
  const rows = table(canvas, answer.results, [
    { title: 'ID', text: (entry) => String(entry.id), align: 'right' },
    {
      title: answer.dryRun ? 'WOULD' : 'STATUS',
      text: (entry) => verdict(entry, answer.dryRun),
      color: (text, entry) => tint(entry)(text),
    },
    { title: 'CHANGE', text: changeText },
    {
      title: 'NOTE',
      text: (entry) => (answer.dryRun && entry.status === 'notAttempted' ? '' : (entry.message ?? '')),
    },
  ])
  return `${rows}\n${textChanges(answer, canvas)}${linkedItems(answer, canvas)}${summary(answer)}\n`
}

function verdict(entry: Entry, dryRun: boolean): string {
  if (!dryRun || entry.status !== 'notAttempted') return entry.status
  return entry.changes.length > 0 ? 'change' : 'stay the same'
}

function changeText(entry: Entry): string {
  return entry.changes.map(formatChange).join('; ')
}

function formatChange(change: Entry['changes'][number]): string {
  const { field, from, to } = change
  if (isTextChange(change)) return `${field}: see below`
  if (!LINKS_OF_MANY.has(field)) return `${field}: ${from ?? '(empty)'} → ${to ?? '(empty)'}`
  return from === null ? `+ ${field} ${to}` : `- ${field} ${from}`
}

/** Links of which an item can have several, so that a new one replaces none. */
const LINKS_OF_MANY = new Set(['Predecessor', 'Successor', 'Related'])

function textChanges({ results }: Answer, canvas: Canvas): string {
  return results
    .flatMap(({ id, changes }) => changes.filter(isTextChange).map((change) => ({ id, change })))
    .map(({ id, change }) => {
      const heading = canvas.colors.strong(`#${id} ${change.field}`)
      const conversion = change.storedAs === 'html' ? canvas.colors.faint(' (Markdown, sent as HTML)') : ''
      return `${heading}${conversion}\n${renderTextChange(change, canvas)}\n`
    })
    .join('')
}

/** The titles of the items whose IDs are in the changes of links. */
function linkedItems({ linked }: Answer, canvas: Canvas): string {
  if (linked.length === 0) return ''
  const rows = table(canvas, linked, [
    { title: 'LINKED', text: ({ id }) => String(id), align: 'right' },
    { title: 'TYPE', text: ({ type }) => type },
    { title: 'TITLE', text: ({ title }) => title },
  ])
  return `${rows}\n`
}

function summary(answer: Answer): string {
  if (answer.dryRun) return `Dry run: nothing was sent. ${pluralize(answer.requested, 'item')} checked.`
  const counts = [
    `${answer.applied} of ${pluralize(answer.requested, 'item')} applied`,
    answer.conflicts ? pluralize(answer.conflicts, 'conflict') : '',
    answer.rejected ? `${answer.rejected} rejected` : '',
    answer.notAttempted ? `${answer.notAttempted} not attempted` : '',
    answer.unknown ? `${answer.unknown} unknown: fetch them before you send more changes` : '',
  ]
  return counts.filter(Boolean).join(', ')
}
