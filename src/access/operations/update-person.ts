import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { updatePersonRow } from '../queries/people'
import { updatePersonSessions } from '../queries/sessions'
import { EmailAddress, getPersonName, OneLineName, Person, toPerson, UserRole } from '../schemas'
import { requirePerson } from '../services/people/require-person'

export const updatePerson = operation({
  id: 'people.update',
  summary: 'Change the role or the name of a person who signs in by mail',
  description: 'Sessions that are open have the new role with the next request.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    email: EmailAddress,
    role: UserRole.optional().describe('What the person may do from now on'),
    name: OneLineName.optional().describe('Name of the person (default: the address)'),
  }),
  output: Person,
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/people/{email}', extension: true },
  cli: {
    command: 'person update',
    args: ['email'],
    examples: ['studio person update ana@example.com --role publisher'],
    seeAlso: ['person list', 'person remove'],
  },
  run(ctx: Context & StorageContext, { email, role, name }) {
    if (role === undefined && name === undefined)
      throw inputError([{ path: '', message: 'specify at least one field to change' }])
    return ctx.db.write(async (tx) => {
      const row = await requirePerson(tx, email)
      const changed = { ...row, role: role ?? row.role, name: name ?? row.name }
      await updatePersonRow(tx, email, { role: changed.role, name: changed.name })
      await updatePersonSessions(tx, email, { role: changed.role, name: getPersonName(changed) })
      return toPerson(changed)
    })
  },
})
