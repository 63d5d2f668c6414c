import type { Kysely } from 'kysely'
import { precompileQuery, type ReadTx, tables, type WriteTx } from '../storage'
import type { KeptAnswerTable, KeptAnswerTables } from './kept-answer-table'

const answers = (tx: ReadTx): Kysely<KeptAnswerTables> => tables<KeptAnswerTables>(tx)

export async function findAnswer(tx: ReadTx, id: string, now: number): Promise<KeptAnswerTable | null> {
  return (await readAnswer(tx, { id, now }))[0] ?? null
}

const readAnswer = precompileQuery((tx, { id, now }: { id: string; now: number }) =>
  answers(tx).selectFrom('kept_answer').selectAll().where('id', '=', id).where('expires_at', '>', now),
)

/** False where it is there already. Waits for another transaction that has put it and is not over. */
export async function putAnswer(tx: WriteTx, answer: KeptAnswerTable, now: number): Promise<boolean> {
  await deleteOutdated(tx, { id: answer.id, now })
  return (await insertIfNew(tx, answer)).length === 1
}

const deleteOutdated = precompileQuery((tx, { id, now }: { id: string; now: number }) =>
  answers(tx).deleteFrom('kept_answer').where('id', '=', id).where('expires_at', '<=', now),
)

const insertIfNew = precompileQuery((tx, { id, fingerprint, outcome, expires_at }: KeptAnswerTable) =>
  answers(tx)
    .insertInto('kept_answer')
    .values({ id, fingerprint, outcome, expires_at })
    .onConflict((there) => there.column('id').doNothing())
    .returning('id'),
)

export async function setOutcome(tx: WriteTx, id: string, outcome: string): Promise<void> {
  await updateOutcome(tx, { id, outcome })
}

const updateOutcome = precompileQuery((tx, { id, outcome }: { id: string; outcome: string }) =>
  answers(tx).updateTable('kept_answer').set({ outcome }).where('id', '=', id),
)

/** Deletes the oldest of those whose time is over, `most` at once; resolves with how many. */
export async function sweepAnswers(tx: WriteTx, now: number, most: number): Promise<number> {
  const { numDeletedRows } = await answers(tx)
    .deleteFrom('kept_answer')
    .where('id', 'in', (over) =>
      over
        .selectFrom('kept_answer')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .orderBy('id')
        .limit(most),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
