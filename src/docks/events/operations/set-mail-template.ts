import * as z from 'zod'
import { findOrCreateTenantId } from '../../../access'
import { type Context, inputError, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { saveMailTemplate } from '../../queries'
import { MailTemplate, MailTemplateId, SubjectTemplate, TextTemplate } from '../mail-template-schemas'
import { presentMailTemplate, readOwnTemplates } from '../services/mail-templates'

export const setMailTemplate = operation({
  id: 'mail-templates.set',
  summary: 'Replace the subject or the text of a mail about appointments',
  description:
    'Applies to all mails of the tenant that are sent from now on. What is not given does not change. Variables such as `{{reference}}` are replaced with what the reader may see; an unknown one is refused. The HTML of the mail is made from the text.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: MailTemplateId.describe('Mail to change'),
    subject: SubjectTemplate.optional(),
    text: TextTemplate.optional(),
  }),
  output: MailTemplate,
  errors: [],
  http: {
    method: 'patch',
    path: '/api/mail-templates/{id}',
    extension: true,
    example: { id: 'booked', subject: 'Your dock appointment {{reference}}: {{start}}' },
  },
  cli: {
    command: 'mail-template set',
    args: ['id'],
    argumentNames: { id: 'mail' },
    file: { about: 'Read the text from a file', parse: async (text) => ({ text }) },
    examples: [
      "studio mail-template set booked --subject 'Dock appointment {{reference}}: {{start}}'",
      "echo 'Please call the gate. {{details}}' | studio mail-template set booked --file -",
    ],
    seeAlso: ['mail-template get', 'mail-template preview', 'mail-template test', 'mail-template reset'],
  },
  run(ctx: Context & StorageContext, { id, subject, text }) {
    if (subject === undefined && text === undefined)
      throw inputError([{ path: '', message: 'specify a subject or a text' }])
    return ctx.db.write(async (tx) => {
      const tenantId = await findOrCreateTenantId(ctx, tx)
      await saveMailTemplate(tx, { tenant_id: tenantId, kind: id }, { subject, text, at: ctx.clock.now() })
      return presentMailTemplate(await readOwnTemplates(ctx, tx), id)
    })
  },
})
