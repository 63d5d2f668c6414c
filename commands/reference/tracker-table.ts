import { readFile } from 'node:fs/promises'
import { getAdapter, getCapabilities, TRACKER_KINDS, type TrackerCapabilities } from '../../src/tracker'
import { PART_WORDS } from '../views/stories/tracker'

type Properties = TrackerCapabilities['properties']
type Row = readonly [name: string, value: (capabilities: TrackerCapabilities) => boolean | string]

const PROPERTY_NAMES: Record<Properties[number], string> = {
  title: 'title',
  state: 'state',
  assignedTo: 'assignee',
  description: 'description',
  tags: 'tags',
  iterationPath: 'iteration',
  storyPoints: 'story points',
  priority: 'priority',
  areaPath: 'area',
  acceptanceCriteria: 'acceptance criteria',
}

const rows: readonly Row[] = [
  ['link: parent and children', ({ linkKinds }) => linkKinds.includes('parent') && linkKinds.includes('child')],
  ['link: predecessors', ({ linkKinds }) => linkKinds.includes('predecessor')],
  ['link: successors', ({ linkKinds }) => linkKinds.includes('successor')],
  ['link: related items', ({ linkKinds }) => linkKinds.includes('related')],
  ...Object.entries(PROPERTY_NAMES).map(
    ([property, name]): Row => [
      `field: ${name}`,
      ({ properties }) => (properties as readonly string[]).includes(property),
    ],
  ),
  ...Object.entries(PART_WORDS).map(
    ([part, name]): Row => [name, ({ parts }) => (parts as readonly string[]).includes(part)],
  ),
  ['long texts and comments', ({ textFormat }) => (textFormat === 'html' ? 'HTML' : 'Markdown')],
  ['lists what has changed', ({ listsChanges }) => listsChanges],
  ['tests revisions itself', ({ testsRevisions }) => testsRevisions],
]

/** What each kind of tracker can do, by the descriptions of the adapters. */
export function trackerTable(): string {
  const kinds = TRACKER_KINDS.map(getCapabilities)
  const line = (cells: readonly string[]) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  const show = (value: boolean | string) => (value === true ? 'yes' : value === false ? 'no' : value)
  return [
    line(['', ...TRACKER_KINDS.map((kind) => getAdapter(kind).product)]),
    `|${'---|'.repeat(TRACKER_KINDS.length + 1)}`,
    ...rows.map(([name, value]) => line([name, ...kinds.map((kind) => show(value(kind)))])),
  ].join('\n')
}

/** The page with its table replaced: the only one that begins with an empty cell. */
export async function withTrackerTable(path: string): Promise<string> {
  const page = await readFile(path, 'utf8')
  return page.replace(/^\| \|(?:.*\n)(?:\|.*\n)*/m, `${trackerTable()}\n`)
}
