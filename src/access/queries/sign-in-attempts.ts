import type { WriteTx } from '../../storage'
import type { SignInAttemptTable } from '../tables'
import { accessTables } from './access-tables'

/** Also deletes those that have expired. */
export async function insertAttempt(tx: WriteTx, attempt: SignInAttemptTable, now: number): Promise<void> {
  await accessTables(tx).deleteFrom('sign_in_attempt').where('expires_at', '<=', now).execute()
  await accessTables(tx).insertInto('sign_in_attempt').values(attempt).execute()
}

/** Deletes an attempt, so that it is used once; null if there is none, or if it has expired. */
export async function takeAttempt(tx: WriteTx, id: string, now: number): Promise<SignInAttemptTable | null> {
  const [attempt] = await accessTables(tx).deleteFrom('sign_in_attempt').where('id', '=', id).returningAll().execute()
  return attempt !== undefined && Number(attempt.expires_at) > now ? attempt : null
}
