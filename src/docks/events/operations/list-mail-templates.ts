import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { MailTemplate } from '../mail-template-schemas'
import { mailKinds } from '../rules/mail-templates'
import { presentMailTemplate, readOwnTemplates } from '../services/mail-templates'

export const listMailTemplates = operation({
  id: 'mail-templates.list',
  summary: 'List the templates of the mails about appointments',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({}),
  output: z.array(MailTemplate),
  errors: [],
  http: { method: 'get', path: '/api/mail-templates', extension: true },
  listOrder: () => ({ id: ({ id }) => id, key: ({ id }) => [mailKinds.indexOf(id)] }),
  cli: {
    command: 'mail-template list',
    examples: ['studio mail-template list'],
    seeAlso: ['mail-template get', 'mail-template set', 'webhook add'],
  },
  async run(ctx: Context & StorageContext) {
    const own = await ctx.db.read((tx) => readOwnTemplates(ctx, tx))
    return mailKinds.map((id) => presentMailTemplate(own, id))
  },
})
