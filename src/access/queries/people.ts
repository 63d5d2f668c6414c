import type { ReadTx, WriteTx } from '../../storage'
import type { PersonTable } from '../tables'
import { accessTables } from './access-tables'

/** False if there is a person with this address already. */
export async function insertPerson(tx: WriteTx, person: PersonTable): Promise<boolean> {
  const added = await accessTables(tx)
    .insertInto('person')
    .values(person)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('email')
    .execute()
  return added.length === 1
}

export async function findPerson(tx: ReadTx, email: string): Promise<PersonTable | null> {
  return (await accessTables(tx).selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()) ?? null
}

/** By address. */
export function listPersonRows(tx: ReadTx): Promise<PersonTable[]> {
  return accessTables(tx).selectFrom('person').selectAll().orderBy('email').execute()
}

export async function updatePersonRow(
  tx: WriteTx,
  email: string,
  changes: Partial<Pick<PersonTable, 'name' | 'role'>>,
): Promise<void> {
  await accessTables(tx).updateTable('person').set(changes).where('email', '=', email).execute()
}

export async function deletePerson(tx: WriteTx, email: string): Promise<void> {
  await accessTables(tx).deleteFrom('person').where('email', '=', email).execute()
}
