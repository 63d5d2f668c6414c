import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { deletePerson } from '../queries/people'
import { updatePersonSessions } from '../queries/sessions'
import { EmailAddress, Person, toPerson } from '../schemas'
import { requirePerson } from '../services/people/require-person'

export const removePerson = operation({
  id: 'people.remove',
  summary: 'Remove a person who signs in by mail',
  description: 'Sessions of the person end with the next request, and links that were sent no longer work.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({ email: EmailAddress }),
  output: Person,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/people/{email}', extension: true },
  cli: {
    command: 'person remove',
    args: ['email'],
    examples: ['studio person remove ana@example.com'],
    seeAlso: ['person list', 'session revoke'],
  },
  run(ctx: Context & StorageContext, { email }) {
    return ctx.db.write(async (tx) => {
      const row = await requirePerson(tx, email)
      await deletePerson(tx, email)
      await updatePersonSessions(tx, email, { revoked_at: ctx.clock.now() })
      return toPerson(row)
    })
  },
})
