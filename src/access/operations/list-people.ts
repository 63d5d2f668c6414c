import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listPersonRows } from '../queries/people'
import { Person, toPerson } from '../schemas'

export const listPeople = operation({
  id: 'people.list',
  summary: 'List the people who sign in with a link by mail',
  description: 'People of an identity provider are not listed: the provider has them.',
  effect: 'read',
  access: 'admin',
  input: z.strictObject({}),
  output: z.array(Person),
  errors: [],
  http: { method: 'get', path: '/api/people', extension: true },
  listOrder: () => ({ id: ({ email }) => email }),
  cli: {
    command: 'person list',
    examples: ['studio person list', 'studio person list --json --fields email,role'],
    seeAlso: ['person add', 'person remove', 'session list'],
  },
  async run(ctx: Context & StorageContext) {
    return (await ctx.db.read(listPersonRows, { createsNone: true })).map(toPerson)
  },
})
