import { hint, StudioError, suggest } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import { findPerson } from '../../queries/people'
import type { PersonTable } from '../../tables'

export async function requirePerson(tx: ReadTx, email: string): Promise<PersonTable> {
  const person = await findPerson(tx, email)
  if (person !== null) return person
  throw new StudioError('not_found', `There is no person with the address ${email}.`, {
    hint: hint`List the people: ${suggest('people.list')}`,
  })
}
