import type { Context } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { ReadTx, StorageContext } from '../../storage'
import { type EntryPlace, findEntries, type StoredEntry } from '../queries/audit-entries'
import type { AuditEntry, AuditFilters } from '../schemas'

const READ_AT_ONCE = 1_000

export function toAuditEntry(row: StoredEntry): AuditEntry {
  const { id, at, who, credential, tenant, operation, outcome, code, surface } = row
  return {
    id: Number(id),
    time: formatInstant(Number(at)),
    requestId: row.request_id,
    surface,
    who,
    credential,
    tenant,
    from: row.address,
    operation,
    targets: row.targets.split(' ').filter(Boolean),
    outcome,
    code,
    times: Number(row.times),
  }
}

/** All entries that pass the filters, newest first, in parts: each in a transaction, so that none waits for a slow reader. */
export async function* readEntries(
  ctx: Context & StorageContext,
  filters: AuditFilters,
): AsyncGenerator<AuditEntry[], void, undefined> {
  let from: EntryPlace | null = null
  while (true) {
    ctx.signal.throwIfAborted()
    const read: (tx: ReadTx) => Promise<StoredEntry[]> = (tx) =>
      findEntries(tx, filters, { from, count: READ_AT_ONCE }, ctx)
    const rows = await ctx.db.read(read, { createsNone: true })
    if (rows.length > 0) yield rows.map(toAuditEntry)
    if (rows.length < READ_AT_ONCE) return
    const { at, id } = rows.at(-1)!
    // IDs are whole numbers.
    from = { at: Number(at), id: Number(id) - 1 }
  }
}
