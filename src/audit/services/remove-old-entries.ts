import { BackgroundWork } from '../../background/background-work'
import type { Context } from '../../kernel'
import { DAY_MS, formatInstant, HOUR_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { addEntry, hasEntriesBefore, removeEntries } from '../queries/audit-entries'
import { createLocalOrigin } from './describe-call'

/** Removed by one transaction, which others wait for. */
const REMOVED_AT_ONCE = 1_000

/** Removes entries that are older than so many days, now and every hour, until the signal of the context is aborted. */
export async function keepAuditShort(ctx: Context & StorageContext, keepDays: number): Promise<void> {
  const work = new BackgroundWork(ctx, 'the removal of old entries of the audit', () => removeOldEntries(ctx, keepDays))
  await work.attempt()
  await work.repeat(HOUR_MS)
}

/** Removes the old entries in several transactions, of which the first also stores that they are removed. */
export async function removeOldEntries(ctx: Context & StorageContext, keepDays: number): Promise<number> {
  const at = ctx.clock.now()
  const before = at - keepDays * DAY_MS
  if (!(await ctx.db.read((tx) => hasEntriesBefore(tx, before), { createsNone: true }))) return 0
  const { surface, requestId, address } = createLocalOrigin('background', ctx.ids.uuid())
  const entry = {
    at,
    request_id: requestId,
    surface,
    who: 'studio',
    credential: null,
    tenant: null,
    address,
    operation: 'audit.remove-old',
    targets: ` before:${formatInstant(before)} `,
    outcome: 'done',
    code: null,
    times: 1,
  } as const
  let removed = 0
  while (!ctx.signal.aborted) {
    const isFirst = removed === 0
    const count = await ctx.db.write(
      async (tx) => {
        const count = await removeEntries(tx, before, REMOVED_AT_ONCE)
        if (isFirst && count > 0) await addEntry(tx, entry)
        return count
      },
      { locksRows: true },
    )
    removed += count
    if (count < REMOVED_AT_ONCE) break
  }
  return removed
}
