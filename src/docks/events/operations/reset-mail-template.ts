import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { deleteMailTemplate } from '../../queries'
import { Success } from '../../schemas'
import { MailTemplateId } from '../mail-template-schemas'

export const resetMailTemplate = operation({
  id: 'mail-templates.reset',
  summary: 'Use the default subject and text of a mail again',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({ id: MailTemplateId.describe('Mail to reset') }),
  output: Success,
  errors: [],
  http: { method: 'delete', path: '/api/mail-templates/{id}', extension: true },
  cli: {
    command: 'mail-template reset',
    args: ['id'],
    argumentNames: { id: 'mail' },
    examples: ['studio mail-template reset booked'],
    seeAlso: ['mail-template list', 'mail-template set'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const tenantId = await findTenantId(ctx, tx)
      const wasOwn = tenantId !== null && (await deleteMailTemplate(tx, { tenant_id: tenantId, kind: id }))
      const message = `The mail ${id} ${wasOwn ? 'has its default subject and text again' : 'already had its defaults'}.`
      return { status: 'success' as const, message }
    })
  },
})
