import { precompileQuery, type ReadTx, type WriteTx } from '../../storage'
import type { IdempotencyRecordTable } from '../tables'
import { accessTables } from './access-tables'

export async function findRecord(tx: ReadTx, id: string, now: number): Promise<IdempotencyRecordTable | null> {
  return (await runFindRecord(tx, { id, now }))[0] ?? null
}

const runFindRecord = precompileQuery((tx, { id, now }: { id: string; now: number }) =>
  accessTables(tx).selectFrom('kept_answer').selectAll().where('id', '=', id).where('expires_at', '>', now),
)

/** False if the record exists. Waits for another transaction that is inserting it. */
export async function insertRecord(tx: WriteTx, record: IdempotencyRecordTable, now: number): Promise<boolean> {
  await runDeleteExpired.later(tx, { id: record.id, now })
  return (await runInsertIfNew(tx, record)).length === 1
}

const runDeleteExpired = precompileQuery((tx, { id, now }: { id: string; now: number }) =>
  accessTables(tx).deleteFrom('kept_answer').where('id', '=', id).where('expires_at', '<=', now),
)

const runInsertIfNew = precompileQuery((tx, { id, fingerprint, outcome, expires_at }: IdempotencyRecordTable) =>
  accessTables(tx)
    .insertInto('kept_answer')
    .values({ id, fingerprint, outcome, expires_at })
    .onConflict((existing) => existing.column('id').doNothing())
    .returning('id'),
)

export async function setRecordOutcome(tx: WriteTx, id: string, outcome: string): Promise<void> {
  await runUpdateOutcome.later(tx, { id, outcome })
}

const runUpdateOutcome = precompileQuery((tx, { id, outcome }: { id: string; outcome: string }) =>
  accessTables(tx).updateTable('kept_answer').set({ outcome }).where('id', '=', id),
)

/** Writes the record again without a change. False if there is none. */
export async function rewriteRecord(tx: WriteTx, id: string): Promise<boolean> {
  return (await runRewrite(tx, { id })).length === 1
}

const runRewrite = precompileQuery((tx, { id }: { id: string }) =>
  accessTables(tx)
    .updateTable('kept_answer')
    .set(({ ref }) => ({ expires_at: ref('expires_at') }))
    .where('id', '=', id)
    .returning('id'),
)

/** Deletes up to `limit` expired records, the oldest first, and returns how many it deleted. */
export async function deleteExpiredRecords(tx: WriteTx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await accessTables(tx)
    .deleteFrom('kept_answer')
    .where('id', 'in', (expired) =>
      expired
        .selectFrom('kept_answer')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
