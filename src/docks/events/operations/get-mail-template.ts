import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { MailTemplate, MailTemplateId } from '../mail-template-schemas'
import { textVariables } from '../rules/mail-templates'
import { presentMailTemplate, readOwnTemplates } from '../services/mail-templates'

const variables = Object.entries(textVariables).map(([name, about]) => ({ name, about }))

export const getMailTemplate = operation({
  id: 'mail-templates.get',
  summary: 'Show the template of a mail, and the variables that it can have',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({ id: MailTemplateId.describe('Mail to show') }),
  output: MailTemplate.extend({
    variables: z
      .array(z.object({ name: z.string(), about: z.string() }))
      .describe('What the template can have between double braces'),
  }),
  errors: [],
  http: { method: 'get', path: '/api/mail-templates/{id}', extension: true },
  cli: {
    command: 'mail-template get',
    args: ['id'],
    argumentNames: { id: 'mail' },
    examples: ['studio mail-template get booked', 'studio mail-template get booked --json --fields text'],
    seeAlso: ['mail-template list', 'mail-template set', 'mail-template preview'],
  },
  async run(ctx: Context & StorageContext, { id }) {
    const own = await ctx.db.read((tx) => readOwnTemplates(ctx, tx))
    return { ...presentMailTemplate(own, id), variables }
  },
})
