import * as z from 'zod'
import { type Context, inputError, operation, StudioError } from '../../../kernel'
import { refuseMail } from '../../../mail'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { MailTemplateId } from '../mail-template-schemas'
import { fillMail } from '../rules/fill-mail'
import { chooseTemplate } from '../rules/mail-templates'
import { createSampleContent } from '../rules/sample-content'
import type { WebhookContext } from '../services/address-policy'
import { readOwnTemplates } from '../services/mail-templates'
import { openMailSender } from '../services/send-mail'

export const testMailTemplate = operation({
  id: 'mail-templates.test',
  summary: 'Send a mail about a sample to one address, without retries',
  description:
    'The subject begins with `Test:`. The mail is about no real appointment, and has no entry for a calendar.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: MailTemplateId.describe('Mail to send'),
    email: z.email().max(254).describe('Address that gets it'),
  }),
  output: Success,
  errors: ['unavailable'],
  http: { method: 'post', path: '/api/mail-templates/{id}/test', extension: true },
  cli: {
    command: 'mail-template test',
    args: ['id', 'email'],
    argumentNames: { id: 'mail' },
    examples: ['studio mail-template test booked ana@example.com'],
    seeAlso: ['mail-template preview', 'mail-template set', 'doctor'],
  },
  async run(ctx: Context & StorageContext & WebhookContext, { id, email }) {
    const refusal = refuseMail(ctx.mail)
    if (refusal !== null) throw inputError([{ path: '', message: refusal }])
    const template = chooseTemplate(await ctx.db.read((tx) => readOwnTemplates(ctx, tx)), id)
    const mail = fillMail(template, createSampleContent(id))
    const sender = openMailSender(ctx.mail, null)
    try {
      const failure = await sender.sendSample(email, { ...mail, subject: `Test: ${mail.subject}` })
      if (failure === null)
        return { status: 'success' as const, message: `The mail server accepted the test mail to ${email}.` }
      throw new StudioError('unavailable', `The test mail was not accepted: ${failure}.`, {
        hint: 'Check STUDIO_SMTP_URL and STUDIO_SMTP_FROM of the service.',
      })
    } finally {
      sender.close()
    }
  },
})
