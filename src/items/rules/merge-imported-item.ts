import type { ErrorCode } from '../../kernel'
import type { ImportedItem, LongText, TrackerItem } from '../../tracker'
import { isClosed } from './blockers'
import type { CachedItem } from './cached-item'
import { diffFields, getLastSegment } from './compare-snapshots'

/** A cached item with the fields of its latest snapshot. */
export interface StoredItem {
  item: CachedItem
  fields: Readonly<Record<string, unknown>>
}

export interface FileDate {
  /** When the file was made, ISO 8601; null if unknown. */
  asOf: string | null
  /** The caller stated the date. Otherwise it is the file's modification time, which a copy changes. */
  isExplicit: boolean
}

/** Levels of types and categories of states, from the process or else from the stock processes. */
export interface ProcessLookup {
  levelOf(type: string): number | null
  categoryOf(type: string, state: string): TrackerItem['stateCategory']
}

export type ImportDecision =
  | { outcome: 'added'; item: TrackerItem }
  | { outcome: 'changed'; item: TrackerItem; fields: string[] }
  | { outcome: 'unchanged'; message: string | null }
  | { outcome: 'refused'; code: ErrorCode; column: string | null; message: string }

/** Differs from every fingerprint of a tracker, so that whatever the tracker has counts as changed. */
const SOURCE_FILE = 'file'

const UNKNOWN_REV = 0
const UNKNOWN_INSTANT = '1970-01-01T00:00:00.000Z'
const MAX_ID = 2 ** 31 - 1

/**
 * Decides what happens to a row. An item that was read from the tracker is replaced only if the row is certainly newer: by a higher
 * revision, by a later date of change, or because the caller stated the date of the file. An item from a file is replaced by a later file.
 */
export function mergeImportedItem(
  imported: ImportedItem,
  stored: StoredItem | null,
  fileDate: FileDate,
  process: ProcessLookup,
): ImportDecision {
  const problem = findProblem(imported, stored)
  if (problem) return { outcome: 'refused', code: 'invalid', ...problem }
  const item = mergeFields(imported, stored, process)
  if (stored === null) return { outcome: 'added', item }
  const fields = listChangedFields(item, stored)
  // The stored date belongs to the values before the change.
  if (fields.length > 0) item.changedAt = imported.changedAt ?? UNKNOWN_INSTANT
  const { rev } = stored.item
  const isLaterRevision = imported.rev !== undefined && imported.rev > rev && rev !== UNKNOWN_REV
  if (fields.length === 0 && !isLaterRevision) return { outcome: 'unchanged', message: null }
  const age =
    stored.item.fromFile === null
      ? compareWithTracker(imported, stored.item, fileDate)
      : compareWithFile(imported, stored.item, fileDate)
  if (age === 'newer') return { outcome: 'changed', item, fields }
  if (age === 'same')
    return {
      outcome: 'unchanged',
      message: 'This revision was read from the tracker before. Its values do not change.',
    }
  return { outcome: 'refused', column: null, ...age }
}

function findProblem(imported: ImportedItem, stored: StoredItem | null): { column: string; message: string } | null {
  for (const [name, column] of [
    ['type', 'Work Item Type'],
    ['title', 'Title'],
    ['state', 'State'],
  ] as const) {
    if (imported[name] === undefined && stored === null)
      return { column, message: 'is required for an item that is not cached yet' }
    if (imported[name] === '') return { column, message: 'is empty' }
  }
  const { parentId } = imported
  if (parentId != null && !(Number.isInteger(parentId) && parentId >= 1 && parentId <= MAX_ID)) {
    return { column: 'Parent', message: `${parentId} is not a work item ID` }
  }
  return parentId === imported.id ? { column: 'Parent', message: 'is the item itself' } : null
}

type RelativeAge = 'newer' | 'same' | { code: ErrorCode; message: string }

function compareWithTracker(imported: ImportedItem, stored: CachedItem, { asOf, isExplicit }: FileDate): RelativeAge {
  const source = `read from the tracker on ${stored.fetchedAt}`
  if (imported.rev !== undefined) {
    if (imported.rev === stored.rev) return 'same'
    return imported.rev > stored.rev ? 'newer' : reportOlderRevision(imported.rev, stored, source)
  }
  if (imported.changedAt !== undefined) {
    if (Date.parse(imported.changedAt) > Date.parse(stored.changedAt)) return 'newer'
    return isNotOlderThan(imported, stored.changedAt) ? 'same' : reportOlderChange(imported, stored, source)
  }
  const madeAt = imported.readAt ?? (isExplicit ? asOf : null)
  if (madeAt === null) {
    return {
      code: 'conflict',
      message: `The item differs from the one ${source}, and it is unknown which is newer. Export the column Rev or Changed Date too, or pass --as-of.`,
    }
  }
  if (madeAt > stored.fetchedAt) return 'newer'
  return { code: 'stale_revision', message: `The file is of ${madeAt}. The cached item is newer: it was ${source}.` }
}

function compareWithFile(imported: ImportedItem, stored: CachedItem, { asOf }: FileDate): RelativeAge {
  const source = `read from ${stored.fromFile!.name}`
  if (imported.rev !== undefined && stored.rev !== UNKNOWN_REV && imported.rev !== stored.rev) {
    return imported.rev > stored.rev ? 'newer' : reportOlderRevision(imported.rev, stored, source)
  }
  const isDated = imported.changedAt !== undefined && stored.changedAt !== UNKNOWN_INSTANT
  if (isDated && !isNotOlderThan(imported, stored.changedAt)) return reportOlderChange(imported, stored, source)
  const madeAt = imported.readAt ?? asOf
  const before = stored.fromFile!.asOf
  if (madeAt === null || before === null || madeAt >= before) return 'newer'
  return {
    code: 'stale_revision',
    message: `The file is of ${madeAt}. The cached item is of ${before}: it was ${source}.`,
  }
}

function reportOlderRevision(rev: number, stored: CachedItem, source: string): RelativeAge {
  return { code: 'stale_revision', message: `Revision ${rev} is older than revision ${stored.rev}, ${source}.` }
}

function reportOlderChange({ changedAt }: ImportedItem, stored: CachedItem, source: string): RelativeAge {
  const message = `The item was last changed on ${changedAt} in the file, but on ${stored.changedAt} in the cache, ${source}.`
  return { code: 'stale_revision', message }
}

/** An export may omit the seconds of the date of change, or their fractions. */
function isNotOlderThan({ changedAt, changedAtPrecisionMs = 1 }: ImportedItem, instant: string): boolean {
  return Date.parse(changedAt!) + changedAtPrecisionMs > Date.parse(instant)
}

/** The row over the stored item, whose values stay where the row has none. */
function mergeFields(imported: ImportedItem, stored: StoredItem | null, process: ProcessLookup): TrackerItem {
  const before = stored?.item ?? null
  const type = imported.type ?? before!.type
  const state = imported.state ?? before!.state
  const isSameType = before?.type === type
  return {
    id: imported.id,
    key: String(imported.id),
    rev: imported.rev ?? UNKNOWN_REV,
    type,
    level: (isSameType ? before.level : null) ?? process.levelOf(type),
    title: imported.title ?? before!.title,
    state,
    stateCategory:
      imported.stateCategory ??
      (isSameType && before.state === state ? before.stateCategory : null) ??
      process.categoryOf(type, state),
    assignedTo: resolvePerson(imported.assignedTo, before?.assignedTo),
    areaPath: imported.areaPath ?? before?.areaPath ?? '',
    iterationPath: imported.iterationPath ?? before?.iterationPath ?? '',
    tags: imported.tags ?? before?.tags ?? [],
    storyPoints: imported.storyPoints === undefined ? (before?.storyPoints ?? null) : imported.storyPoints,
    priority: imported.priority === undefined ? (before?.priority ?? null) : imported.priority,
    parentId: imported.parentId === undefined ? (before?.parentId ?? null) : imported.parentId,
    attachments: [],
    predecessorIds: imported.predecessorIds ?? before?.predecessors.map(({ id }) => id) ?? [],
    successorIds: [],
    relatedIds: [],
    blockedField: imported.blockedField ?? (before !== null && hasBlockedField(before)),
    description: resolveText(imported.description, before?.description),
    acceptanceCriteria: resolveText(imported.acceptanceCriteria, before?.acceptanceCriteria),
    createdAt: imported.createdAt ?? null,
    changedAt: imported.changedAt ?? before?.changedAt ?? UNKNOWN_INSTANT,
    url: imported.url ?? before?.url ?? '',
    markdownFields: [],
    relationsFingerprint: SOURCE_FILE,
    fields: { ...carryOverFields(stored, state), ...imported.fields },
  }
}

/** Fields that belong to one revision, by the last part of their names. */
const REVISION_FIELDS = new Set([
  'Rev',
  'ChangedDate',
  'ChangedBy',
  'AuthorizedDate',
  'AuthorizedAs',
  'RevisedDate',
  'Watermark',
])
/** Fields that belong to one state. */
const STATE_FIELD = /^(StateChange|Activated|Resolved|Closed)(Date|By)$/

/** The stored fields that are still valid in another revision, and possibly in another state. */
function carryOverFields(stored: StoredItem | null, state: string): Record<string, unknown> {
  const isSameState = stored?.item.state === state
  return Object.fromEntries(
    Object.entries(stored?.fields ?? {}).filter(([name]) => {
      const last = getLastSegment(name)
      return !REVISION_FIELDS.has(last) && (isSameState || !STATE_FIELD.test(last))
    }),
  )
}

/** A name without an account is the stored person of that name. */
function resolvePerson(
  imported: ImportedItem['assignedTo'],
  before: TrackerItem['assignedTo'] = null,
): TrackerItem['assignedTo'] {
  if (imported === undefined) return before
  return imported && before && imported.uniqueName === null && imported.displayName === before.displayName
    ? before
    : imported
}

/** A file does not state the format of a text, so an equal text retains its format. */
function resolveText(imported: LongText | null | undefined, before: LongText | null = null): LongText | null {
  if (imported === undefined) return before
  return imported && before && imported.text.trim() === before.text.trim() ? before : imported
}

const COMPARED_PROPERTIES = [
  'type',
  'title',
  'state',
  'assignedTo',
  'areaPath',
  'iterationPath',
  'storyPoints',
  'priority',
  'parentId',
  'description',
  'acceptanceCriteria',
] as const satisfies readonly (keyof TrackerItem & keyof CachedItem)[]

/** Fields that are compared as properties of the item, by the last part of their names. */
const PROPERTY_FIELDS = new Set([
  'Id',
  'WorkItemType',
  'Title',
  'State',
  'AssignedTo',
  'AreaPath',
  'IterationPath',
  'Tags',
  'StoryPoints',
  'Effort',
  'Size',
  'Priority',
  'Parent',
  'Description',
  'ReproSteps',
  'AcceptanceCriteria',
  'Blocked',
])

/** The names of the properties that differ, and of the fields without a property. */
function listChangedFields(item: TrackerItem, { item: stored, fields }: StoredItem): string[] {
  const predecessorIds = stored.predecessors.map(({ id }) => id)
  // A closed item has no blockers, whatever its field says.
  const isBlockedChanged = item.blockedField !== hasBlockedField(stored) && !isClosed(stored.stateCategory)
  return [
    ...COMPARED_PROPERTIES.filter((name) => !isDeepEqual(item[name], stored[name])),
    ...(isDeepEqual([...item.tags].sort(), [...stored.tags].sort()) ? [] : ['tags']),
    ...(isDeepEqual(item.predecessorIds, predecessorIds) ? [] : ['predecessors']),
    ...(isBlockedChanged ? ['blocked'] : []),
    ...diffFields(fields, item.fields)
      .filter(({ field }) => Object.hasOwn(item.fields, field) && !PROPERTY_FIELDS.has(getLastSegment(field)))
      .filter(({ from, to }) => String(from ?? '') !== String(to ?? ''))
      .map(({ field }) => field),
  ]
}

function hasBlockedField({ blocked }: CachedItem): boolean {
  return blocked.some(({ by }) => by === 'field')
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
