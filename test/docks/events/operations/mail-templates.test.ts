import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../../src/access/operations/create-tenant'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { getMailTemplate } from '../../../../src/docks/events/operations/get-mail-template'
import { listMailTemplates } from '../../../../src/docks/events/operations/list-mail-templates'
import { previewMailTemplate } from '../../../../src/docks/events/operations/preview-mail-template'
import { resetMailTemplate } from '../../../../src/docks/events/operations/reset-mail-template'
import { setMailTemplate } from '../../../../src/docks/events/operations/set-mail-template'
import { testMailTemplate } from '../../../../src/docks/events/operations/test-mail-template'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { startMailServer } from '../../../mail/mail-server'
import { load, NO_MAIL, officeWith } from '../../dock-fixtures'

const ANA = 'ana@blue.example'
const OTHER = { actor: { kind: 'terminal', tenant: 'other' } }

async function officeWithMail(refuse?: Parameters<typeof startMailServer>[0]) {
  const server = await startMailServer(refuse)
  const office = await officeWith({ minMinutes: 15, slotMinutes: 15 })
  const mail = { url: server.url(), from: 'docks@north.example' }
  const ctx = { ...office.ctx, webhooks: { allowedNetworks: [] }, findPublicUrl: () => null, mail }
  const run = (op: object, input: object = {}, more: object = {}): Promise<any> =>
    office.run(op as never, input, { ...ctx, ...more } as never)
  return { ...server, office, run, ctx }
}

const textOf = (source: string) => source.replace(/=\r?\n/g, '').replace(/\r/g, '')

describe('the templates of mails', () => {
  it('are the defaults until the tenant replaces a subject or a text', async () => {
    const { run } = await officeWithMail()
    const before = await run(listMailTemplates)
    expect(before.map(({ id }: any) => id)).toEqual([
      ...[
        'booked',
        'moved',
        'changed',
        'changed_back',
        'cancelled',
        'reminder',
        'booked_again',
        'no_show',
        'turned_away',
        'offer',
        'offer_ended',
        'left_waitlist',
      ],
    ])
    expect(before.every(({ own, updatedAt }: any) => !own && updatedAt === null)).toBe(true)
    const set = await run(setMailTemplate, { id: 'booked', subject: 'Dock {{reference}}' })
    expect(set).toMatchObject({ subject: 'Dock {{reference}}', text: before[0].text, own: true })
    await run(setMailTemplate, { id: 'booked', text: 'Hello\r\n{{details}}' })
    expect(await run(getMailTemplate, { id: 'booked' })).toMatchObject({
      subject: 'Dock {{reference}}',
      text: 'Hello\n{{details}}',
      variables: expect.arrayContaining([{ name: 'start', about: expect.any(String) }]),
    })
    await run(resetMailTemplate, { id: 'booked' })
    expect(await run(listMailTemplates)).toEqual(before)
    expect((await run(resetMailTemplate, { id: 'booked' })).message).toContain('already had')
  })

  it('are of one tenant alone', async () => {
    const { run } = await officeWithMail()
    await run(createTenant, { name: 'other' })
    await run(setMailTemplate, { id: 'booked', subject: 'Ours' })
    expect(await run(getMailTemplate, { id: 'booked' }, OTHER)).toMatchObject({ own: false })
    await run(setMailTemplate, { id: 'booked', subject: 'Theirs' }, OTHER)
    await run(resetMailTemplate, { id: 'booked' }, OTHER)
    expect(await run(getMailTemplate, { id: 'booked' })).toMatchObject({ subject: 'Ours' })
  })

  it.each([
    [
      'an unknown variable',
      { text: 'At {{dor}}' },
      'has the unknown variable {{dor}}: the variables are {{reference}}',
    ],
    ['a variable without an end', { text: 'At {{door' }, 'has {{ without }}: the variables are {{reference}}'],
    ['the table in the subject', { subject: '{{details}}' }, 'has the unknown variable {{details}}'],
    ['a line break in the subject', { subject: 'A\nBcc: b@c.example' }, 'must be one line without control characters'],
    ['another line break in the subject', { subject: 'A\u2028B' }, 'must be one line without control characters'],
    ['a control character', { text: 'A\u001b[31m' }, 'must not contain control characters'],
    ['nothing', {}, 'specify a subject or a text'],
    ['an empty text', { text: ' ' }, 'text'],
  ])('cannot be set to %s', async (_, change, message) => {
    const { run } = await officeWithMail()
    for (const op of 'subject' in change || 'text' in change
      ? [setMailTemplate, previewMailTemplate]
      : [setMailTemplate])
      await expect(run(op, { id: 'booked', ...change })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(message),
      })
    expect(await run(getMailTemplate, { id: 'booked' })).toMatchObject({ own: false })
  })
})

describe('a mail about an appointment', () => {
  it('says what the template of its tenant says, with its invitation', async () => {
    const { received, office, run } = await officeWithMail()
    await run(addWebhook, { url: 'mailto:dispatch@acme.example' })
    await run(setMailTemplate, { id: 'booked', subject: 'Dock {{reference}} {{door}}', text: 'Hi <{{carrier}}>' })
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', carrierName: 'Blue' }))
    await office.run(cancelAppointment, { id: data.id })
    await run(deliverWebhooks)
    expect(received.map(({ subject }) => subject.split(',')[0])).toEqual(['Dock PO-1 Door 1', 'Cancelled: PO-1'])
    const text = textOf(received[0]!.text)
    expect(text).toContain('Hi <Blue>')
    expect(text).toContain('<p>Hi &#60;Blue&#62;</p>')
    expect(text).toContain('METHOD:REQUEST')
    expect(text).not.toContain('<table')
  })

  it('says what the template says when it is sent, not when the change was made', async () => {
    const { received, office, run } = await officeWithMail()
    await run(addWebhook, { url: 'mailto:dispatch@acme.example' })
    await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    await run(setMailTemplate, { id: 'booked', subject: 'Later' })
    await run(deliverWebhooks)
    expect(received.map(({ subject }) => subject)).toEqual(['Later'])
  })

  it('shows the template of a cancellation to a contact that is removed, with nothing of the change', async () => {
    const { received, office, run } = await officeWithMail()
    await run(addWebhook, { url: 'contacts' })
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', contactEmails: [ANA] }))
    await run(deliverWebhooks)
    received.length = 0
    const text = 'Gone {{note}}{{reason}}{{before}} {{details}}'
    await run(setMailTemplate, { id: 'cancelled', subject: 'Gone: {{reference}}', text })
    await office.run(updateAppointment, { id: data.id, contactEmails: [], equipmentId: 'NEW-1' })
    await run(deliverWebhooks)
    expect(received.map(({ to, subject }) => [to[0], subject])).toEqual([[ANA, 'Gone: PO-1']])
    expect(textOf(received[0]!.text)).not.toContain('NEW-1')
  })

  it('reads nothing that is only for the site to a contact, whatever the template', async () => {
    const { received, office, run } = await officeWithMail()
    await run(addWebhook, { url: 'contacts' })
    await run(setMailTemplate, { id: 'booked', text: '{{details}}{{note}}' })
    await office.run(updateFacility, { id: 'DC1', customFields: [{ name: 'margin', seenBy: 'site' }] })
    const secret = { siteFields: { margin: 'SECRET-9' } }
    await office.run(bookAppointment, load({ contactEmails: [ANA], ...secret }))
    await run(deliverWebhooks)
    expect(received).toHaveLength(1)
    expect(textOf(received[0]!.text)).not.toContain('SECRET')
  })
})

describe('a preview', () => {
  it('shows a sample or an appointment, as saved or as given, and sends nothing', async () => {
    const { received, office, run } = await officeWithMail()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-7' }))
    await run(setMailTemplate, { id: 'moved', subject: 'Now {{start}}, not {{before}}' })
    expect((await run(previewMailTemplate, { id: 'moved' })).subject).toBe(
      'Now Tue, 2 Mar 2027, 06:00 (America/Chicago), not Mon, 1 Mar 2027, 09:00 (America/Chicago), Door 1',
    )
    const given = { id: 'booked', appointmentId: data.id, text: 'For {{reference}}\n{{note}}' }
    expect(await run(previewMailTemplate, given)).toMatchObject({
      subject: 'Booked: PO-7, Tue, 17 Nov 2026, 06:00 (America/Chicago) at North, Door 1',
      text: 'For PO-7\n\n',
    })
    expect(await run(getMailTemplate, { id: 'booked' })).toMatchObject({ own: false })
    expect(received).toEqual([])
  })

  it('shows no field that is only for the site, and no appointment of another tenant', async () => {
    const { office, run } = await officeWithMail()
    await office.run(updateFacility, { id: 'DC1', customFields: [{ name: 'margin', seenBy: 'site' }] })
    const { data } = await office.run(bookAppointment, load({ siteFields: { margin: 'SECRET-9' } }))
    const input = { id: 'booked', appointmentId: data.id }
    expect(JSON.stringify(await run(previewMailTemplate, input))).not.toContain('SECRET')
    await run(createTenant, { name: 'other' })
    await expect(run(previewMailTemplate, input, OTHER)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a test mail', () => {
  it('goes to the one address, is marked, and enters no calendar', async () => {
    const { received, run } = await officeWithMail()
    await run(setMailTemplate, { id: 'cancelled', subject: 'Gone: {{reference}}' })
    await run(testMailTemplate, { id: 'cancelled', email: ANA })
    expect(received).toMatchObject([{ to: [ANA], subject: 'Test: Gone: PO-1001' }])
    expect(received[0]!.text).not.toContain('VCALENDAR')
  })

  it('is refused without a mail server, to several addresses, and if the mail server refuses it', async () => {
    const { run } = await officeWithMail(() => 550)
    const send = (email: string, more: object = {}) => run(testMailTemplate, { id: 'booked', email }, more)
    await expect(send(ANA, { mail: NO_MAIL })).rejects.toMatchObject({ code: 'invalid' })
    for (const email of [`${ANA},b@c.example`, `${ANA}\nBcc: b@c.example`, 'ana'])
      await expect(send(email)).rejects.toMatchObject({ code: 'invalid' })
    await expect(send(ANA)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
