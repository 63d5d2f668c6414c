import { type Insertable, type Selectable, sql } from 'kysely'
import { getEngine, pauseIfLong, precompileQuery, type ReadTx, tables, type WriteTx } from '../../storage'
import type { AuditEntryTable, AuditTables } from '../migrations'
import type { AuditFilters, AuditOutcome } from '../schemas'

export type NewEntry = Insertable<AuditEntryTable>
export type StoredEntry = Selectable<AuditEntryTable>

const auditTables = (tx: ReadTx) => tables<AuditTables>(tx)

const insertion = (tx: ReadTx, entry: NewEntry) =>
  auditTables(tx).insertInto('audit_entry').values({
    at: entry.at,
    request_id: entry.request_id,
    surface: entry.surface,
    who: entry.who,
    credential: entry.credential,
    tenant: entry.tenant,
    address: entry.address,
    operation: entry.operation,
    targets: entry.targets,
    outcome: entry.outcome,
    code: entry.code,
    times: entry.times,
  })
const runInsert = precompileQuery(insertion)
const runInsertReturning = precompileQuery((tx, entry: NewEntry) => insertion(tx, entry).returning('id'))

/** Adds an entry before the commit. */
export function addEntry(tx: WriteTx, entry: NewEntry): Promise<void> {
  return runInsert.later(tx, entry)
}

/** Adds an entry that will be completed, and returns its ID. */
export async function openEntry(tx: WriteTx, entry: NewEntry): Promise<number> {
  const [row] = await runInsertReturning(tx, entry)
  return row!.id
}

interface Completion {
  outcome: AuditOutcome
  code: string | null
  targets: string
}

export async function completeEntry(tx: WriteTx, id: number, changes: Completion): Promise<void> {
  await auditTables(tx).updateTable('audit_entry').set(changes).where('id', '=', id).execute()
}

/** Completes the entry that a call wrote with its changes, whose ID was not read then. */
export async function correctEntry(tx: WriteTx, { at, request_id, operation }: NewEntry, changes: Completion) {
  await auditTables(tx)
    .updateTable('audit_entry')
    .set(changes)
    .where('at', '=', at)
    .where('request_id', '=', request_id)
    .where('operation', '=', operation)
    .execute()
}

/** Raises how many calls an entry counts. */
export async function raiseTimes(tx: WriteTx, id: number, times: number): Promise<void> {
  const entry = auditTables(tx).updateTable('audit_entry').where('id', '=', id)
  await entry.set({ times }).where('times', '<', times).execute()
}

/** The place of an entry in the list, which is ordered by time. */
export interface EntryPlace {
  at: number
  id: number
}

/** So many entries are searched by one statement, which no other call can interrupt. */
const SEARCHED_AT_ONCE = 10_000

/** The entries at and before a place that pass the filters, newest first. */
export async function findEntries(
  tx: ReadTx,
  filters: AuditFilters,
  { from, count }: { from: EntryPlace | null; count: number },
  call?: { signal: AbortSignal },
): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  for await (const within of listRanges(tx, filters, from, call)) {
    const rows = await filtered(tx, within, filters)
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(count - found.length)
      .execute()
    found.push(...rows)
    if (found.length >= count) break
  }
  return found
}

export async function countEntries(tx: ReadTx, filters: AuditFilters, call?: { signal: AbortSignal }): Promise<number> {
  let total = 0
  for await (const within of listRanges(tx, filters, null, call)) {
    const { count } = await filtered(tx, within, filters)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += Number(count)
  }
  return total
}

const entriesBetween = (tx: ReadTx, first: EntryPlace | null, last: EntryPlace) => {
  const upTo = auditTables(tx)
    .selectFrom('audit_entry')
    .where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '<=', tuple(last.at, last.id)))
  return first === null
    ? upTo
    : upTo.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '>', tuple(first.at, first.id)))
}

type Entries = ReturnType<typeof entriesBetween>

/** The entries between the times of the filters in ranges of a bounded length, the newest range first. */
async function* listRanges(
  tx: ReadTx,
  { since, until }: AuditFilters,
  from: EntryPlace | null,
  call?: { signal: AbortSignal },
): AsyncGenerator<Entries> {
  const end = { at: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until) - 1, id: Number.MAX_SAFE_INTEGER }
  const first = since === undefined ? null : { at: Date.parse(since) - 1, id: Number.MAX_SAFE_INTEGER }
  let last = from !== null && isBefore(from, end) ? from : end
  while (true) {
    const next = await entriesBetween(tx, first, last)
      .select(['at', 'id'])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .offset(SEARCHED_AT_ONCE)
      .limit(1)
      .executeTakeFirst()
    yield entriesBetween(tx, next ?? first, last)
    if (next === undefined) return
    last = next
    await pauseIfLong(tx, call)
  }
}

function isBefore(a: EntryPlace, b: EntryPlace): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}

function filtered(tx: ReadTx, entries: Entries, { who, operation, target, outcome, surface }: AuditFilters): Entries {
  let query = entries
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (surface !== undefined) query = query.where('surface', '=', surface)
  if (operation !== undefined) {
    const group = `${operation}.`
    const isInGroup = sql<boolean>`substr(operation, 1, ${sql.lit(group.length)}) = ${group}`
    query = query.where(({ eb, or }) => or([eb('operation', '=', operation), isInGroup]))
  }
  if (who !== undefined) {
    const credentials = [
      who,
      ...['token', 'key', 'person', 'member', 'link', 'invitation', 'gate-link'].map((kind) => `${kind} ${who}`),
    ]
    query = query.where(({ eb, or }) => or([eb('who', '=', who), eb('credential', 'in', credentials)]))
  }
  if (target !== undefined)
    query = query.where(({ or }) => or([contains(tx, ` ${target} `), contains(tx, `:${target} `)]))
  return query
}

function contains(tx: ReadTx, text: string) {
  const find = sql.raw(getEngine(tx) === 'postgres' ? 'strpos' : 'instr')
  return sql<boolean>`${find}(targets, ${text}) > 0`
}

/** Removes up to `limit` entries from before a time, the oldest first, and returns how many it removed. */
export async function removeEntries(tx: WriteTx, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await auditTables(tx)
    .deleteFrom('audit_entry')
    .where('id', 'in', (old) =>
      old.selectFrom('audit_entry').select('id').where('at', '<', before).orderBy('at').orderBy('id').limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Whether there are entries from before a time. */
export async function hasEntriesBefore(tx: ReadTx, before: number): Promise<boolean> {
  return (await runFindBefore(tx, { before })).length > 0
}

const runFindBefore = precompileQuery((tx, { before }: { before: number }) =>
  auditTables(tx).selectFrom('audit_entry').select('id').where('at', '<', before).limit(1),
)
