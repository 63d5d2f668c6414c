import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertPerson } from '../queries/people'
import { EmailAddress, OneLineName, Person, toPerson, UserRole } from '../schemas'

export const addPerson = operation({
  id: 'people.add',
  summary: 'Let a person sign in to the console with a link by mail',
  description:
    'For sites without an identity provider. The person enters the address on the page Sign in, and gets a link that works once, within 15 minutes. It needs a mail server (`STUDIO_SMTP_URL`) and the address of the service (`serve.publicUrl`).',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    email: EmailAddress,
    role: UserRole.default('reader').describe('What the person may do with stories and settings'),
    name: OneLineName.optional().describe('Name of the person (default: the address)'),
  }),
  output: Person,
  errors: ['conflict'],
  http: { method: 'post', path: '/api/people', extension: true },
  cli: {
    command: 'person add',
    args: ['email'],
    examples: [
      'studio person add ana@example.com',
      'studio person add lee@example.com --role editor --name "Lee Park"',
    ],
    seeAlso: ['person list', 'person update', 'person remove', 'session list'],
  },
  run(ctx: Context & StorageContext, { email, role, name = null }) {
    return ctx.db.write(async (tx) => {
      const row = { email, name, role, created_at: ctx.clock.now() }
      if (await insertPerson(tx, row)) return toPerson(row)
      throw new StudioError('conflict', `${email} is added already.`, {
        hint: hint`To change the role: ${suggest('people.update', { email, role })}`,
      })
    })
  },
})
