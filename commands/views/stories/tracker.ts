import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import type { TrackerPart } from '../../../src/tracker'
import { type Canvas, printableLine, table } from '../../terminal/layout'

export function renderTrackerMetadata(answer: ResultOf<'items.metadata'>, canvas: Canvas): string {
  const { colors } = canvas
  const types = table(canvas, answer.workItemTypes, [
    { title: 'TYPE', text: (type) => type.name },
    { title: 'LEVEL', text: (type) => levelName(type.level) },
    {
      title: 'STATES',
      text: (type) => type.states.map(({ name, category }) => `${name} (${category ?? 'no category'})`).join(', '),
      shrink: 'cut',
    },
  ])
  const iterations = table(canvas, answer.iterations, [
    { title: 'ITERATION', text: ({ path }) => path, shrink: 'cut' },
    { title: 'FROM', text: ({ startDate }) => day(startDate) },
    { title: 'TO', text: ({ finishDate }) => day(finishDate) },
  ])
  const areas =
    answer.areaPaths.length === 0
      ? ''
      : `${[colors.faint('AREA'), ...answer.areaPaths.map(printableLine)].join('\n')}\n`
  const points = answer.pointsField
    ? `Points are stored in ${printableLine(answer.pointsField.name)} (${printableLine(answer.pointsField.referenceName)}).`
    : 'The process does not define a field for points.'
  if (answer.allowedValues !== undefined) return formatValues(answer.allowedValues)
  return `${types}\n${iterations}\n${areas}\n${formatFields(answer, canvas)}${points}\n${describeCapabilities(answer.capabilities)}`
}

function formatValues(values: readonly string[] | null): string {
  return values === null ? 'Any value is allowed.\n' : values.map((value) => `${printableLine(value)}\n`).join('')
}

/** The fields that people can set. */
function formatFields({ fields }: ResultOf<'items.metadata'>, canvas: Canvas): string {
  const settable = fields.filter(({ readOnly }) => !readOnly)
  if (settable.length === 0) return ''
  const rows = table(canvas, settable, [
    { title: 'FIELD', text: ({ name }) => name },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'REFERENCE NAME', text: ({ referenceName }) => referenceName, shrink: 'cut' },
  ])
  return `${rows}\n`
}

function describeCapabilities(capabilities: ResultOf<'items.metadata'>['capabilities']): string {
  const { tracker, links, properties, parts, textFormat, listsChanges, testsRevisions } = capabilities
  return [
    '',
    `What ${printableLine(tracker)} can do:`,
    `  Links: ${links.join(', ')}.`,
    `  Fields that can be set: ${properties.join(', ')}.`,
    ...(parts.length > 0
      ? [`  It has: ${parts.map((part) => PART_WORDS[part as TrackerPart] ?? part).join(', ')}.`]
      : []),
    `  Long texts and comments are stored as ${textFormat === 'html' ? 'HTML' : 'Markdown'}.`,
    `  A synchronization ${listsChanges ? 'asks for what has changed' : 'compares the versions of all items'}.`,
    `  ${testsRevisions ? 'It refuses a change of an outdated item itself' : 'Items are read just before they are changed'}.`,
    '',
  ].join('\n')
}

/** What a tracker has, by the parts of its adapter. */
export const PART_WORDS: Record<TrackerPart, string> = {
  attachments: 'attachments to read',
  uploads: 'attachments to add',
  transitions: 'workflow steps',
  deletion: 'deletion',
  restoring: 'a recycle bin',
  commentEditing: 'comments to edit',
  queries: 'queries',
  webLinks: 'web links to read',
  webLinkEditing: 'web links to change',
  worklogs: 'worklogs',
}

function levelName(level: number | null): string {
  if (level === null) return ''
  return ['task', 'story', 'feature', 'epic'][level] ?? `level ${level}`
}

function day(instant: string | null): string {
  return instant?.slice(0, 10) ?? ''
}

export function renderFeatures({ total, features }: ResultOf<'features.list'>, canvas: Canvas): string {
  if (features.length === 0) return 'The tracker has no such feature.\n'
  const rows = table(canvas, features, [
    { title: 'ID', text: ({ reference }) => toArgument(reference), align: 'right' },
    { title: 'TYPE', text: ({ type }) => type },
    { title: 'STATE', text: ({ state }) => state },
    { title: 'TITLE', text: ({ title }) => title, shrink: 'cut' },
    { title: '', text: ({ cached }) => (cached ? 'imported' : ''), color: (text) => canvas.colors.faint(text) },
  ])
  const rest =
    total > features.length ? `${features.length} of ${total} features. Narrow it with --title, or add --count.\n` : ''
  return `${rows}${rest === '' ? '' : `\n${rest}`}`
}

export function renderTrackerSearch(answer: ResultOf<'items.search'>, canvas: Canvas): string {
  if (answer.results.length === 0) return 'The tracker found nothing. To search cached items: studio search <words>\n'
  const rows = foundItems(answer.results, canvas)
  const partial = answer.partial ? '; the tracker reports that its search was incomplete' : ''
  return `${rows}\n${answer.results.length} of ${answer.total} found${partial}\n`
}

/** Items as the tracker returned them, and which of them are cached. */
export function foundItems(items: ResultOf<'items.search'>['results'], canvas: Canvas): string {
  return table(canvas, items, [
    { title: 'ID', text: (item) => toArgument(item.reference), align: 'right' },
    { title: 'TYPE', text: (item) => item.type },
    { title: 'STATE', text: (item) => item.state },
    { title: 'ASSIGNED TO', text: (item) => item.assignedTo?.displayName ?? '' },
    { title: 'TITLE', text: (item) => item.title, shrink: 'cut' },
    { title: '', text: (item) => (item.localRev === 0 ? '' : 'cached'), color: (text) => canvas.colors.faint(text) },
  ])
}
