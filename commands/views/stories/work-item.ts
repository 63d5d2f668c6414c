import type { ResultOf } from '../../../src/catalog'
import { DEFAULT_COLUMNS, type ItemColumn, isItemColumn, readColumn } from '../../../src/items/rules/item-columns'
import { normalizeName } from '../../../src/items/rules/update-fields'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import { htmlToLines } from '../../../src/rich-text'
import type { ViewOptions } from '../../operation/command-parts'
import type { Colors } from '../../terminal/layout'
import { type Canvas, type Column, facts, printable, printableLine, table, wrapText } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'
import { type Cell, onOneLine, renderCsv } from '../csv'
import { pageText } from '../page-text'

type Item = ResultOf<'items.list'>[number]

/** That the tracker no longer returns an item, and why if it says so. */
export function goneText(since: string, reason: string | null): string {
  return [`The tracker has not shown this item since ${since}.`, reason && printableLine(reason)]
    .filter(Boolean)
    .join(' ')
}

export function renderItem(item: ResultOf<'items.get'>, canvas: Canvas): string {
  const { colors } = canvas
  const parts = [
    `${colors.strong(`${printableLine(item.reference)} ${printableLine(item.title)}`)}\n`,
    facts(canvas, [
      ['Type', printableLine(item.type)],
      ['State', stateText(item, colors)],
      ['Assigned to', item.assignedTo && printableLine(item.assignedTo.displayName)],
      ['Points', item.storyPoints === null ? null : String(item.storyPoints)],
      ['Priority', item.priority === null ? null : String(item.priority)],
      ['Area', printableLine(item.areaPath)],
      ['Iteration', printableLine(item.iterationPath)],
      ['Tags', printableLine(item.tags.join(', '))],
      ...Object.entries(item.customFields ?? {}).map(([name, value]): [string, string | null] => [
        printableLine(name),
        printableLine(String(value)),
      ]),
      ['Parent', item.parentReference && printableLine(item.parentReference)],
      ['Children', formatChildren(item.children)],
      [
        'Blocked',
        item.blocked.length ? colors.bad(item.blocked.map((b) => printableLine(b.evidence)).join('; ')) : null,
      ],
      [
        'Comments',
        item.commentCount
          ? `${item.commentCount}: studio item comments ${toArgument(printableLine(item.reference))}`
          : null,
      ],
      ['Attachments', formatAttachments(item.attachments)],
      ['Created', item.createdAt && formatUserTime(item.createdAt)],
      ['Changed', formatUserTime(item.changedAt)],
      ['Revision', revisionText(item)],
      ['Gone', item.goneSince && colors.warn(goneText(item.goneSince, item.goneReason))],
      ['Page', pageText(item.url)],
    ]),
    ...(item.fields
      ? [renderRawFields(item.fields, canvas)]
      : [
          renderLongText('Description', { text: item.description, format: item.descriptionFormat }, canvas),
          renderLongText(
            'Acceptance criteria',
            { text: item.acceptanceCriteria, format: item.acceptanceCriteriaFormat },
            canvas,
          ),
        ]),
  ]
  return parts.join('')
}

function formatChildren(children: ResultOf<'items.get'>['children']): string | null {
  const lines = children.map(
    ({ reference, title, state }) => `${printableLine(`${reference} ${title}`)} (${printableLine(state)})`,
  )
  return lines.length === 0 ? null : lines.join('\n')
}

function formatAttachments(attachments: ResultOf<'items.get'>['attachments']): string | null {
  const names = (attachments ?? []).map(({ name, size }) =>
    size === null ? printableLine(name) : `${printableLine(name)} (${formatByteSize(size)})`,
  )
  return names.length === 0 ? null : names.join(', ')
}

/** `--raw`: every field by its reference name as the tracker returned it, in place of the readable texts. */
function renderRawFields(fields: Record<string, unknown>, canvas: Canvas): string {
  const pairs = Object.entries(fields).map(
    ([name, value]) => [name, printable(typeof value === 'string' ? value : JSON.stringify(value, null, 2))] as const,
  )
  return `\n${canvas.colors.strong('Fields as the tracker returned them')}\n${pairs.map(([name, value]) => `${canvas.colors.faint(name)}: ${value}\n`).join('')}`
}

function revisionText({ rev, fetchedAt, fromFile, stale }: ResultOf<'items.get'>): string {
  if (fromFile === null) return `${rev}, fetched ${fetchedAt}${stale ? ' (from the snapshot)' : ''}`
  const { name, asOf, importedAt } = fromFile
  const age = asOf === null ? `imported ${importedAt}` : `as of ${asOf}`
  return `${rev === 0 ? 'unknown' : rev}, read from the file ${printableLine(name)}, ${age}`
}

function renderLongText(
  title: string,
  stored: { text: string | null; format: 'html' | 'markdown' | null },
  canvas: Canvas,
): string {
  const lines = stored.format === 'html' ? htmlToLines(stored.text ?? '') : (stored.text ?? '')
  const text = printable(lines)
    .replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text ? `\n${canvas.colors.strong(title)}\n${wrapText(text, canvas.width)}\n` : ''
}

export function renderItems(items: readonly Item[], canvas: Canvas, options: Partial<ViewOptions> = {}): string {
  if (items.length === 0) return 'No work items match.\n'
  const columns = options.columns ?? DEFAULT_COLUMNS
  const names = new Map(items.map(({ id, reference }) => [id, toArgument(reference)]))
  const rows = table(
    canvas,
    items,
    columns.map((name) =>
      isItemColumn(name) ? columnOf(name, { names, colors: canvas.colors }) : customColumnOf(name, items),
    ),
  )
  const ofFiles = items.filter(({ fromFile }) => fromFile !== null).length
  const source =
    ofFiles === 0 ? '' : `; ${ofFiles === items.length ? 'all' : ofFiles} from a file, not from the tracker`
  return `${rows}\n${pluralize(items.length, 'item')}, ${ageOf(items)}${source}\n`
}

/** A column of a further field, in any spelling of its name. */
function customColumnOf(name: string, items: readonly Item[]): Column<Item> {
  const plain = normalizeName(name)
  const names = Object.keys(items[0]?.customFields ?? {})
  const found = names.find((own) => normalizeName(own) === plain) ?? name
  return {
    title: printableLine(found).toUpperCase(),
    text: ({ customFields }) => printableLine(String(customFields?.[found] ?? '')),
    shrink: 'cut',
  }
}

/** The columns of the list as lines of a table for programs. */
export function renderItemsCsv(items: readonly Item[], _canvas: Canvas, options: Partial<ViewOptions> = {}): string {
  const columns = options.columns ?? CSV_COLUMNS
  const readCell = (item: Item, name: string): Cell => {
    if (isItemColumn(name)) return onOneLine(readColumn(item, name))
    const found = Object.entries(item.customFields ?? {}).find(([own]) => normalizeName(own) === normalizeName(name))
    const value = found?.[1] ?? null
    return onOneLine(typeof value === 'boolean' ? String(value) : value)
  }
  return renderCsv([columns, ...items.map((item) => columns.map((name) => readCell(item, name)))])
}

const CSV_COLUMNS: readonly ItemColumn[] = [
  'reference',
  'type',
  'state',
  'storyPoints',
  'assignedTo',
  'iterationPath',
  'tags',
  'title',
  'url',
]

const TITLES: { [Name in ItemColumn]?: string } = { storyPoints: 'PTS', blocked: '' }
const NUMBERS: readonly ItemColumn[] = ['id', 'storyPoints', 'priority', 'parentId', 'rev', 'localRev', 'remoteRev']
const LONG_TEXTS: readonly ItemColumn[] = ['title', 'description', 'acceptanceCriteria', 'url']

function columnOf(
  name: ItemColumn,
  { names, colors }: { names: ReadonlyMap<unknown, string>; colors: Colors },
): Column<Item> {
  const isId = name === 'id' || name === 'parentId'
  return {
    title: TITLES[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase(),
    text: (item) => {
      const value = readColumn(item, name)
      return String((isId && names.get(value)) || (value ?? ''))
    },
    ...(NUMBERS.includes(name) && { align: 'right' }),
    ...(LONG_TEXTS.includes(name) && { shrink: 'cut' }),
    ...(name === 'state' && { color: (text: string, item: Item) => stateColor(item, colors)(text) }),
    ...(name === 'blocked' && { color: (text: string) => colors.bad(text) }),
  }
}

/** The age of the snapshots, because the tracker was not asked. */
function ageOf(items: readonly Item[]): string {
  const times = items.map(({ fetchedAt }) => fetchedAt).sort()
  const [oldest, newest] = [formatMinute(times[0]!), formatMinute(times.at(-1)!)]
  return oldest === newest ? `as of ${newest}` : `as of ${oldest} to ${newest}`
}

function formatMinute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`
}

function stateText(item: Item, colors: Colors): string {
  return stateColor(item, colors)(printableLine(item.state))
}

function stateColor(item: Pick<Item, 'stateCategory'>, colors: Colors): (text: string) => string {
  if (item.stateCategory === 'Completed') return colors.good
  if (item.stateCategory === 'InProgress' || item.stateCategory === 'Resolved') return colors.accent
  return colors.faint
}
