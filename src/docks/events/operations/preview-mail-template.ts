import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { ReadTx, StorageContext } from '../../../storage'
import { hideSiteFields } from '../../booking/rules/load'
import { AppointmentId } from '../../booking/schemas'
import { presentListedAppointment } from '../../booking/services/present-appointment'
import { requireAppointment, requireFacility } from '../../services/tenant-access'
import { MailTemplateId, SubjectTemplate, TextTemplate } from '../mail-template-schemas'
import { fillMail } from '../rules/fill-mail'
import { describeChange, type MailContent } from '../rules/mail-content'
import { chooseTemplate } from '../rules/mail-templates'
import { createSampleContent } from '../rules/sample-content'
import { readOwnTemplates } from '../services/mail-templates'

export const previewMailTemplate = operation({
  id: 'mail-templates.preview',
  summary: 'Show what a mail says, without sending it',
  description:
    'Fills in the template of the tenant, or a subject and a text that are not saved, for a sample or for an appointment. It shows what a contact of the appointment sees. An appointment is shown as it is now, so what belongs to a change or an offer (such as `before`, `note` and `expires`) is empty.',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: MailTemplateId.describe('Mail to show'),
    appointmentId: AppointmentId.optional().describe('Appointment that it is about (default: a sample)'),
    subject: SubjectTemplate.optional(),
    text: TextTemplate.optional(),
  }),
  output: z.object({
    subject: z.string(),
    text: z.string(),
    html: z.string().describe('The same for readers of HTML'),
  }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/mail-templates/{id}/preview', extension: true, example: { id: 'booked' } },
  cli: {
    command: 'mail-template preview',
    args: ['id'],
    argumentNames: { id: 'mail' },
    flags: { appointmentId: { name: 'appointment', value: 'id' } },
    file: { about: 'Read the text from a file', parse: async (text) => ({ text }) },
    examples: [
      'studio mail-template preview moved',
      "studio mail-template preview booked --subject 'See you at {{start}}'",
      'studio mail-template preview booked --appointment 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10',
    ],
    seeAlso: ['mail-template get', 'mail-template set', 'mail-template test'],
  },
  run(ctx: Context & StorageContext, { id, appointmentId, subject, text }) {
    return ctx.db.read(async (tx) => {
      const template = chooseTemplate(await readOwnTemplates(ctx, tx), id)
      const content = appointmentId === undefined ? createSampleContent(id) : await readContent(ctx, tx, appointmentId)
      return fillMail({ subject: subject ?? template.subject, text: text ?? template.text }, content)
    })
  },
})

async function readContent(ctx: Context, tx: ReadTx, id: string): Promise<MailContent> {
  const { appointment } = await requireAppointment(ctx, tx, id)
  const { timeZone } = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
  const shown = presentListedAppointment(hideSiteFields(appointment), timeZone)
  return describeChange({ appointment: shown, changes: [], reason: null, note: null })
}
