import type { ErrorCode } from '../../kernel'
import type { ImportedItem, LongText, TrackerItem } from '../../tracker'
import type { CachedItem } from './cached-item'
import { diffFields } from './field-changes'

/** What is kept of the item that a row tells, and the fields of its latest snapshot. */
export interface StoredItem {
  item: CachedItem
  fields: Readonly<Record<string, unknown>>
}

/** What is known of the file besides its rows. */
export interface FileDate {
  /** When it was made, ISO 8601; null where nothing tells. */
  asOf: string | null
  /** Somebody has said so; a file system only tells when the bytes were written here. */
  isExplicit: boolean
}

/** What a process, or for want of one the stock processes, say of a type and a state. */
export interface ProcessLookup {
  levelOf(type: string): number | null
  categoryOf(type: string, state: string): TrackerItem['stateCategory']
}

export type ImportDecision =
  | { outcome: 'added'; item: TrackerItem }
  | { outcome: 'changed'; item: TrackerItem; fields: string[] }
  | { outcome: 'unchanged'; message: string | null }
  | { outcome: 'refused'; code: ErrorCode; column: string | null; message: string }

/** No fingerprint of the tracker's is this: whatever it has of the item is news. */
export const SOURCE_FILE = 'file'

const UNKNOWN_REV = 0
const UNKNOWN_MOMENT = '1970-01-01T00:00:00.000Z'
const MAX_ID = 2 ** 31 - 1

/**
 * What becomes of a row. What the tracker gave is replaced only where the row proves to be newer: by a higher revision, a later date
 * of change, or a word of the caller's for the age of the file. What a file told is replaced by a later file.
 */
export function mergeImportedItem(
  told: ImportedItem,
  kept: StoredItem | null,
  when: FileDate,
  reading: ProcessLookup,
): ImportDecision {
  const flaw = findProblem(told, kept)
  if (flaw) return { outcome: 'refused', code: 'invalid', ...flaw }
  const item = mergeFields(told, kept, reading)
  if (kept === null) return { outcome: 'added', item }
  const fields = changedFields(item, kept)
  // It has changed since, and nobody says when.
  if (fields.length > 0) item.changedAt = told.changedAt ?? UNKNOWN_MOMENT
  const isLaterRevision = told.rev !== undefined && told.rev > kept.item.rev && kept.item.rev !== UNKNOWN_REV
  if (fields.length === 0 && !isLaterRevision) return { outcome: 'unchanged', message: null }
  const standing =
    kept.item.fromFile === null ? compareWithTracker(told, kept.item, when) : compareWithFile(told, kept.item, when)
  if (standing === 'newer') return { outcome: 'changed', item, fields }
  if (standing === 'same')
    return { outcome: 'unchanged', message: 'This revision was read from the tracker; it stays as it was read.' }
  return { outcome: 'refused', column: null, ...standing }
}

interface RowProblem {
  column: string
  message: string
}

function findProblem(told: ImportedItem, kept: StoredItem | null): RowProblem | null {
  for (const [name, column] of [
    ['type', 'Work Item Type'],
    ['title', 'Title'],
    ['state', 'State'],
  ] as const) {
    if (told[name] === undefined && kept === null)
      return { column, message: 'is not told, and the item is not here yet' }
    if (told[name] === '') return { column, message: 'is empty' }
  }
  const { parentId } = told
  if (parentId != null && !(Number.isInteger(parentId) && parentId >= 1 && parentId <= MAX_ID)) {
    return { column: 'Parent', message: `${parentId} is no ID` }
  }
  return parentId === told.id ? { column: 'Parent', message: 'is the item itself' } : null
}

type Comparison = 'newer' | 'same' | { code: ErrorCode; message: string }

function compareWithTracker(
  told: ImportedItem,
  kept: CachedItem,
  { asOf, isExplicit: isVouched }: FileDate,
): Comparison {
  const seen = `read from the tracker on ${kept.fetchedAt}`
  if (told.rev !== undefined) {
    if (told.rev === kept.rev) return 'same'
    if (told.rev > kept.rev) return 'newer'
    return { code: 'stale_revision', message: `Revision ${told.rev} is older than ${kept.rev}, ${seen}.` }
  }
  if (told.changedAt !== undefined) {
    if (Date.parse(told.changedAt) > Date.parse(kept.changedAt)) return 'newer'
    if (isNotOlderThan(told, kept.changedAt)) return 'same'
    return {
      code: 'stale_revision',
      message: `It was last changed on ${told.changedAt}; what is kept on ${kept.changedAt}, ${seen}.`,
    }
  }
  const made = told.readAt ?? (isVouched ? asOf : null)
  if (made === null) {
    return {
      code: 'conflict',
      message: `It differs from what was ${seen}, and nothing tells which is newer: export it with the column Rev or Changed Date, or say --as-of.`,
    }
  }
  return made > kept.fetchedAt
    ? 'newer'
    : { code: 'stale_revision', message: `The file is of ${made}; what is kept was ${seen}.` }
}

function compareWithFile(told: ImportedItem, kept: CachedItem, { asOf }: FileDate): Comparison {
  const from = `from ${kept.fromFile!.name}`
  if (told.rev !== undefined && kept.rev !== UNKNOWN_REV && told.rev !== kept.rev) {
    if (told.rev > kept.rev) return 'newer'
    return { code: 'stale_revision', message: `Revision ${told.rev} is older than ${kept.rev}, ${from}.` }
  }
  if (told.changedAt !== undefined && kept.changedAt !== UNKNOWN_MOMENT && !isNotOlderThan(told, kept.changedAt)) {
    const message = `It was last changed on ${told.changedAt}; what is kept on ${kept.changedAt}, ${from}.`
    return { code: 'stale_revision', message }
  }
  const made = told.readAt ?? asOf
  const before = kept.fromFile!.asOf
  if (made === null || before === null || made >= before) return 'newer'
  return { code: 'stale_revision', message: `The file is of ${made}; what is kept is of ${before}, ${from}.` }
}

/** Whether the row can be of that moment, or a later one: an export may leave out the seconds, or their fractions. */
function isNotOlderThan(
  { changedAt, changedAtPrecisionMs: changedWithinMs = 1 }: ImportedItem,
  moment: string,
): boolean {
  return Date.parse(changedAt!) + changedWithinMs > Date.parse(moment)
}

/** The row over what is kept: what it does not tell stays. */
function mergeFields(told: ImportedItem, kept: StoredItem | null, reading: ProcessLookup): TrackerItem {
  const was = kept?.item ?? null
  const type = told.type ?? was!.type
  const state = told.state ?? was!.state
  const isSameType = was?.type === type
  return {
    id: told.id,
    rev: told.rev ?? UNKNOWN_REV,
    type,
    level: (isSameType ? was.level : null) ?? reading.levelOf(type),
    title: told.title ?? was!.title,
    state,
    stateCategory:
      told.stateCategory ??
      (isSameType && was.state === state ? was.stateCategory : null) ??
      reading.categoryOf(type, state),
    assignedTo: resolvePerson(told.assignedTo, was?.assignedTo),
    areaPath: told.areaPath ?? was?.areaPath ?? '',
    iterationPath: told.iterationPath ?? was?.iterationPath ?? '',
    tags: told.tags ?? was?.tags ?? [],
    storyPoints: told.storyPoints === undefined ? (was?.storyPoints ?? null) : told.storyPoints,
    priority: told.priority === undefined ? (was?.priority ?? null) : told.priority,
    parentId: told.parentId === undefined ? (was?.parentId ?? null) : told.parentId,
    predecessorIds: told.predecessorIds ?? was?.predecessors.map(({ id }) => id) ?? [],
    blockedField: told.blockedField ?? was?.blocked.some(({ by }) => by === 'field') ?? false,
    description: resolveText(told.description, was?.description),
    acceptanceCriteria: resolveText(told.acceptanceCriteria, was?.acceptanceCriteria),
    createdAt: told.createdAt ?? null,
    changedAt: told.changedAt ?? was?.changedAt ?? UNKNOWN_MOMENT,
    url: told.url ?? was?.url ?? '',
    relationsFingerprint: SOURCE_FILE,
    fields: { ...carryOverFields(kept, state), ...told.fields },
  }
}

/** The last part of names of fields that another revision does not share. */
const REVISION_FIELDS = [
  'Rev',
  'ChangedDate',
  'ChangedBy',
  'AuthorizedDate',
  'AuthorizedAs',
  'RevisedDate',
  'Watermark',
]
/** The same of another state. */
const STATE_FIELD = /^(StateChange|Activated|Resolved|Closed)(Date|By)$/

/** What is kept of the fields, but for what goes with the revision and the state that they were of. */
function carryOverFields(kept: StoredItem | null, state: string): Record<string, unknown> {
  const isSameState = kept?.item.state === state
  return Object.fromEntries(
    Object.entries(kept?.fields ?? {}).filter(([name]) => {
      const last = name.slice(name.lastIndexOf('.') + 1)
      return !REVISION_FIELDS.includes(last) && (isSameState || !STATE_FIELD.test(last))
    }),
  )
}

/** A name alone is the person of that name who is known already, with the account. */
function resolvePerson(
  told: ImportedItem['assignedTo'],
  was: TrackerItem['assignedTo'] | undefined,
): TrackerItem['assignedTo'] {
  if (told === undefined) return was ?? null
  return told && was && told.uniqueName === null && told.displayName === was.displayName ? was : told
}

/** A file does not tell the format: the same text stays what it was. */
function resolveText(told: LongText | null | undefined, was: LongText | null | undefined): LongText | null {
  if (told === undefined) return was ?? null
  return told && was && told.text.trim() === was.text.trim() ? was : told
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

/** What would not be as it is kept: by neutral name where there is one, else by the name of the field. */
function changedFields(item: TrackerItem, kept: StoredItem): string[] {
  const neutral = COMPARED_PROPERTIES.filter((name) => !isDeepEqual(item[name], kept.item[name]))
  const predecessors = isDeepEqual(
    item.predecessorIds,
    kept.item.predecessors.map(({ id }) => id),
  )
  const blocked = item.blockedField === kept.item.blocked.some(({ by }) => by === 'field')
  const others = diffFields(kept.fields, item.fields)
    .filter(
      ({ field, from, to }) =>
        field in item.fields && !isComparedAsProperty(field) && String(from ?? '') !== String(to ?? ''),
    )
    .map(({ field }) => field)
  const tags = isDeepEqual([...item.tags].sort(), [...kept.item.tags].sort()) ? [] : ['tags']
  const links = predecessors ? [] : ['predecessors']
  return [...neutral, ...tags, ...links, ...(blocked || isClosed(kept.item) ? [] : ['blocked']), ...others]
}

/** What is done is not told to be blocked, whatever its field says. */
function isClosed({ stateCategory }: CachedItem): boolean {
  return stateCategory === 'Completed' || stateCategory === 'Removed'
}

/** Of fields that are compared under neutral names, or tell of the item as the tracker keeps it. */
const COMPARED_FIELD_NAMES = new Set([
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

function isComparedAsProperty(field: string): boolean {
  return COMPARED_FIELD_NAMES.has(field.slice(field.lastIndexOf('.') + 1))
}

function isDeepEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
