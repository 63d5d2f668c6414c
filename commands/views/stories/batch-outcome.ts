import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, printableLine, table } from '../../terminal/layout'
import { renderPlannedUploads } from './planned-uploads'
import { isTextChange, renderTextChange } from './text-change'

type Answer = ResultOf<'items.batch-update'>
type Entry = Answer['results'][number]

export function renderBatchOutcome(answer: Answer, canvas: Canvas): string {
  const { colors } = canvas
  const tint = (entry: Entry) =>
    entry.status === 'applied' ? colors.good : entry.status === 'notAttempted' ? colors.faint : colors.bad
  const names = listNames(answer)
  const rows = table(canvas, answer.results, [
    { title: 'ID', text: (entry) => toArgument(entry.reference), align: 'right' },
    {
      title: answer.dryRun ? 'WOULD' : 'STATUS',
      text: (entry) => verdict(entry, answer.dryRun),
      color: (text, entry) => tint(entry)(text),
    },
    { title: 'CHANGE', text: (entry) => entry.changes.map((change) => formatChange(change, names)).join('; ') },
    {
      title: 'NOTE',
      text: ({ message }) => (message === null || message === 'dry run' ? '' : message),
    },
  ])
  return `${rows}\n${textChanges(answer, canvas)}${linkedItems(answer, canvas)}${renderPlannedUploads(answer.uploads ?? [], answer)}${summary(answer)}\n`
}

function verdict(entry: Entry, dryRun: boolean): string {
  if (!dryRun || entry.status !== 'notAttempted') return entry.status
  return entry.changes.length > 0 ? 'change' : 'stay the same'
}

/** The references of the items at the ends of links. */
function listNames({ results, linked }: Answer): ReadonlyMap<unknown, string> {
  return new Map([...results, ...linked].map(({ id, reference }) => [id, toArgument(reference)]))
}

function formatChange(change: Entry['changes'][number], names: ReadonlyMap<unknown, string>): string {
  const { field } = change
  const isLink = LINKS.has(field)
  const [from, to] = [change.from, change.to].map((value) => (isLink ? (names.get(value) ?? value) : value))
  if (isTextChange(change)) return `${field}: see below`
  if (!LINKS_OF_MANY.has(field)) return `${field}: ${from ?? '(empty)'} → ${to ?? '(empty)'}`
  return from === null ? `+ ${field} ${to}` : `- ${field} ${from}`
}

/** Links of which an item can have several, so that a new one replaces none. */
const LINKS_OF_MANY = new Set(['Predecessor', 'Successor', 'Related'])
const LINKS = new Set(['Parent', ...LINKS_OF_MANY])

function textChanges({ results }: Answer, canvas: Canvas): string {
  return results
    .flatMap(({ reference, changes }) => changes.filter(isTextChange).map((change) => ({ reference, change })))
    .map(({ reference, change }) => {
      const heading = canvas.colors.strong(printableLine(`${reference} ${change.field}`))
      const conversion = change.storedAs === 'html' ? canvas.colors.faint(' (Markdown, sent as HTML)') : ''
      return `${heading}${conversion}\n${renderTextChange(change, canvas)}\n`
    })
    .join('')
}

/** The titles of the items whose IDs are in the changes of links. */
function linkedItems({ linked }: Answer, canvas: Canvas): string {
  if (linked.length === 0) return ''
  const rows = table(canvas, linked, [
    { title: 'LINKED', text: ({ reference }) => toArgument(reference), align: 'right' },
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
