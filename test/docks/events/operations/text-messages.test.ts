import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { listWebhooks } from '../../../../src/docks/events/operations/list-webhooks'
import { removeWebhook } from '../../../../src/docks/events/operations/remove-webhook'
import { replayWebhook } from '../../../../src/docks/events/operations/replay-webhook'
import { resumeWebhook } from '../../../../src/docks/events/operations/resume-webhook'
import { setMailTemplate } from '../../../../src/docks/events/operations/set-mail-template'
import { testWebhook } from '../../../../src/docks/events/operations/test-webhook'
import { updateWebhook } from '../../../../src/docks/events/operations/update-webhook'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { remindOfAppointments } from '../../../../src/docks/reminders/operations/remind'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { startMailServer } from '../../../mail/mail-server'
import { load, NO_MAIL, officeWith } from '../../dock-fixtures'
import { startReceiver } from '../webhook-fixtures'

const JSON_BODY = '{"to":"{{phone}}","text":"{{text}}"}'
const PHONE = '+15005550100'

/** The office with a gateway for text messages. */
async function officeWithGateway({ answer, ...more }: { answer?: () => number; [field: string]: unknown } = {}) {
  const { received, url } = await startReceiver(answer)
  const office = await officeWith({ minMinutes: 15, slotMinutes: 15 })
  const ctx = { ...office.ctx, webhooks: { allowedNetworks: ['127.0.0.1'] }, findPublicUrl: () => null, mail: NO_MAIL }
  const add = (input: object): Promise<any> => office.run(addWebhook as any, { url, ...input }, ctx as never)
  const webhook = await add({ bodyTemplate: JSON_BODY, ...more })
  const deliver = (): Promise<any> => office.run(deliverWebhooks as any, {}, ctx as never)
  const update = (input: object): Promise<any> =>
    office.run(updateWebhook as any, { id: webhook.id, ...input }, ctx as never)
  const test = (input: object): Promise<any> =>
    office.run(testWebhook as any, { id: webhook.id, ...input }, ctx as never)
  const book = async (changes: object) =>
    (await office.run(bookAppointment, load({ contactPhone: PHONE, ...changes }))).data
  return { office, ctx, received, url, webhook, add, update, test, deliver, book }
}

describe('a webhook for text messages', () => {
  it('sends what the mails of the contacts say to the phone of each appointment, and nothing of the steps at the door', async () => {
    const { office, received, deliver, book } = await officeWithGateway()
    const { id } = await book({ referenceNumber: 'PO-1', contactPhone: '+1 (500) 555-0100' })
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    await office.run(updateAppointment, { id, palletCount: 3 })
    await office.run(cancelAppointment, { id })
    const arrived = await book({ referenceNumber: 'PO-2' })
    await office.run(checkInAppointment, { id: arrived.id, early: true })
    await book({ referenceNumber: 'PO-3', contactPhone: undefined })
    await book({ referenceNumber: 'PO-4', contactPhone: 'ask for Ben' })
    expect(await deliver()).toMatchObject({ delivered: 8, failed: 0 })
    const texts = received.map(({ body }) => body)
    const slot = (day: string) => `${day} Nov 2026, 06:00 (America/Chicago) at North, Door 1`
    expect(texts.filter(({ text }) => text.includes('PO-1'))).toEqual([
      { to: PHONE, text: `Booked: PO-1, ${slot('Tue, 17')}` },
      { to: PHONE, text: `Moved: PO-1, ${slot('Wed, 18')}` },
      { to: PHONE, text: `Changed: PO-1, ${slot('Wed, 18')}` },
      { to: PHONE, text: `Cancelled: PO-1, ${slot('Wed, 18')}` },
    ])
    expect(texts.filter(({ text }) => !text.includes('PO-1'))).toHaveLength(1)
  })

  it('sends the subjects of the tenant, and only what outsiders may see', async () => {
    const { office, received, deliver, book } = await officeWithGateway({
      bodyTemplate: '{"to":"{{phone}}","text":"{{text}}","door":"{{door}}","note":"{{note}}"}',
    })
    await office.run(updateFacility, { id: 'DC1', customFields: [{ name: 'margin', seenBy: 'site' }] })
    await office.run(setMailTemplate, { id: 'booked', subject: 'Willkommen {{carrier}}: {{reference}}' })
    const { id } = await book({ referenceNumber: 'PO-1' })
    await office.run(updateAppointment, { id, siteFields: { margin: '12' } })
    await deliver()
    expect(received.map(({ body }) => body)).toEqual([
      { to: PHONE, text: 'Willkommen Blue Freight: PO-1', door: 'Door 1', note: '' },
    ])
  })

  it('tells a former phone that the appointment is no longer its own, and the new phone that it changed', async () => {
    const { office, received, deliver, book } = await officeWithGateway()
    const { id } = await book({ referenceNumber: 'PO-1' })
    await office.run(updateAppointment, { id, contactPhone: '+1 500 555 0199' })
    await office.run(updateAppointment, { id, contactPhone: '+1-500-555-0199' })
    await office.run(updateAppointment, { id, contactPhone: null })
    await deliver()
    expect(received.map(({ body }) => [body.to, body.text.split(':')[0]])).toEqual([
      [PHONE, 'Booked'],
      ['+15005550199', 'Changed'],
      [PHONE, 'Cancelled'],
      ['+15005550199', 'Changed'],
      ['+15005550199', 'Cancelled'],
    ])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(5)
  })

  it('of a carrier sends no text of another one', async () => {
    const { office, received, deliver, book } = await officeWithGateway({ carrierName: 'Blue Freight' })
    const { id } = await book({ referenceNumber: 'PO-1' })
    await book({ carrierName: 'Red Freight' })
    await office.run(updateAppointment, { id, carrierName: 'Red Freight', referenceNumber: 'RED-1' })
    await office.run(cancelAppointment, { id })
    await deliver()
    expect(received.map(({ body }) => body.text.split(',')[0])).toEqual(['Booked: PO-1', 'Cancelled: PO-1'])
  })

  it.each([
    ['JSON', JSON_BODY],
    ['a form', 'to={{phone}}&text={{text}}'],
  ])('sends a text of a booking as a text of %s', async (_, bodyTemplate) => {
    const { received, deliver, book } = await officeWithGateway({ bodyTemplate })
    const referenceNumber = `","to":"+1666&to=%2B1666{{phone}}\u2028\\`
    await book({ referenceNumber, carrierName: 'Zoë <b>"x"</b>' })
    await deliver()
    expect(Object.keys(received[0]!.body)).toEqual(['to', 'text'])
    expect(received[0]!.body.to).toBe(PHONE)
    expect(received[0]!.body.text).toMatch(/^Booked: ","to":"\+1666&to=%2B1666\{\{phone\}\}\s\\, Tue/)
  })

  it('repeats what the gateway refuses, in order and with the same ID, and gives up after the last attempt', async () => {
    const statuses = [429, 503]
    const { office, ctx, received, deliver, book } = await officeWithGateway({ answer: () => statuses.shift() ?? 200 })
    const { id } = await book({ referenceNumber: 'PO-1' })
    await office.run(cancelAppointment, { id })
    for (const time of ['2026-11-16T14:00:00Z', '2026-11-16T14:01:00Z', '2026-11-16T14:10:00Z']) {
      office.at(time)
      await deliver()
    }
    expect(received.map(({ body }) => body.text.split(':')[0])).toEqual(['Booked', 'Cancelled'])
    expect(received[0]!.headers['webhook-id']).toMatch(/^evt_\d+$/)
    expect(received[0]!.headers['webhook-signature']).toMatch(/^v1,/)
    statuses.push(...Array(10).fill(400))
    await book({ referenceNumber: 'PO-2' })
    for (let day = 17; day < 27; day++) {
      office.at(`2026-11-${day}T14:00:00Z`)
      await deliver()
    }
    const [{ id: webhookId, dead }] = (await office.run(listWebhooks, {})) as any
    expect(dead).toBe(1)
    await office.run(replayWebhook, { id: webhookId }, ctx)
    await deliver()
    expect(received.at(-1)!.body.text).toContain('PO-2')
  })

  it('does not repeat the message that one of two phones has', async () => {
    const statuses = [200, 200, 500]
    const { office, received, deliver, book } = await officeWithGateway({ answer: () => statuses.shift() ?? 200 })
    const { id } = await book({ referenceNumber: 'PO-1' })
    await office.run(updateAppointment, { id, contactPhone: '+15005550199' })
    expect(await deliver()).toMatchObject({ delivered: 1, failed: 1 })
    office.at('2026-11-16T14:01:00Z')
    await deliver()
    expect(received.map(({ body }) => body.to)).toEqual([PHONE, '+15005550199', PHONE])
  })

  it('is stopped by status 410, and resumed', async () => {
    const statuses = [410]
    const { office, webhook, received, deliver, book } = await officeWithGateway({
      answer: () => statuses.shift() ?? 200,
    })
    await book({ referenceNumber: 'PO-1' })
    expect(await deliver()).toMatchObject({ delivered: 0, stopped: 1 })
    await office.run(resumeWebhook, { id: webhook.id })
    await deliver()
    expect(received).toHaveLength(1)
    await office.run(removeWebhook, { id: webhook.id })
  })

  it('sends a test to the phone that is given, and to no other webhook', async () => {
    const { office, ctx, webhook, url, received, add, test } = await officeWithGateway({ authorization: 'Bearer abc' })
    expect(await test({ phone: '+1 500 555-0100' })).toMatchObject({ message: `${url} accepted the test message.` })
    expect(received[0]).toMatchObject({ body: { to: PHONE }, headers: { authorization: 'Bearer abc' } })
    expect(received[0]!.body.text).toMatch(/^Test: Booked: PO-1001, /)
    const events = await add({})
    const refusal = async (input: object) =>
      (await office.refusal(testWebhook as any, { id: webhook.id, ...input }, ctx)).details
    expect(await refusal({})).toMatchObject([{ path: 'phone', message: expect.stringContaining('must be given') }])
    expect(await refusal({ phone: 'Ben' })).toMatchObject([{ path: 'phone' }])
    expect(await refusal({ id: events.id, phone: PHONE })).toMatchObject([{ path: 'phone' }])
  })
})

/** The requests that the gateways have published. */
describe('the request of a text message has the form of', () => {
  const send = async (more: Record<string, unknown>) => {
    const { received, deliver, book } = await officeWithGateway(more)
    await book({ referenceNumber: 'PO-1' })
    await deliver()
    return received[0]!
  }
  const text = 'Booked: PO-1, Tue, 17 Nov 2026, 06:00 (America/Chicago) at North, Door 1'

  it('Twilio: a form with To, From and Body, and a user and a password', async () => {
    const { headers, body } = await send({
      bodyTemplate: 'To={{phone}}&From=%2B15005550006&Body={{text}}',
      authorization: `Basic ${Buffer.from('AC1:token').toString('base64')}`,
    })
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: 'Basic QUMxOnRva2Vu',
    })
    expect(body).toEqual({ To: PHONE, From: '+15005550006', Body: text })
  })

  it('the Messages API of Vonage: JSON with numbers without +', async () => {
    const { headers, body } = await send({
      bodyTemplate:
        '{"message_type":"text","channel":"sms","to":"{{phone_digits}}","from":"15005550006","text":"{{text}}"}',
      authorization: 'Bearer header.payload.signature',
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer header.payload.signature',
    })
    expect(body).toEqual({ message_type: 'text', channel: 'sms', to: '15005550100', from: '15005550006', text })
  })

  it('MessageBird: JSON with a list of recipients', async () => {
    const { headers, body } = await send({
      bodyTemplate: '{"originator":"Dock","recipients":["{{phone_digits}}"],"body":"{{text}}"}',
      authorization: 'AccessKey live_1',
    })
    expect(headers['authorization']).toBe('AccessKey live_1')
    expect(body).toEqual({ originator: 'Dock', recipients: ['15005550100'], body: text })
  })

  it('Sinch: JSON with a list of recipients', async () => {
    const { body } = await send({ bodyTemplate: '{"from":"15005550006","to":["{{phone}}"],"body":"{{text}}"}' })
    expect(body).toEqual({ from: '15005550006', to: [PHONE], body: text })
  })
})

describe('the body and the authorization of a webhook', () => {
  it('are changed for the messages from then on, and the authorization is never shown', async () => {
    const { office, received, webhook, update, deliver, book } = await officeWithGateway({
      authorization: 'Bearer first',
    })
    expect(webhook).toMatchObject({ bodyTemplate: JSON_BODY, hasAuthorization: true, secret: expect.any(String) })
    await book({ referenceNumber: 'PO-1' })
    const changed = await update({ bodyTemplate: 'a={{phone}}', authorization: 'Bearer second' })
    expect(changed).toMatchObject({ bodyTemplate: 'a={{phone}}', hasAuthorization: true })
    await deliver()
    expect(received[0]).toMatchObject({ text: 'a=%2B15005550100', headers: { authorization: 'Bearer second' } })
    expect(JSON.stringify([webhook, changed, await office.run(listWebhooks, {})])).not.toMatch(/Bearer|first|second/)
    expect(await update({ authorization: null })).toMatchObject({
      bodyTemplate: 'a={{phone}}',
      hasAuthorization: false,
    })
    await book({ referenceNumber: 'PO-2' })
    await deliver()
    expect(received[1]!.headers).not.toHaveProperty('authorization')
  })

  it('are refused if they cannot be sent', async () => {
    const { office, ctx, add, webhook } = await officeWithGateway()
    const refusal = async (input: object, op: any = updateWebhook) =>
      (await office.refusal(op, op === updateWebhook ? { id: webhook.id, ...input } : input, ctx)).details
    expect(await refusal({ bodyTemplate: '{"to":{{phone}}}' })).toMatchObject([
      { path: 'bodyTemplate', message: expect.stringContaining('between quotes') },
    ])
    for (const authorization of ['', 'Bearer a\r\nHost: evil', 'Bearer \u00e9', 'x'.repeat(4001)])
      expect(await refusal({ authorization })).toMatchObject([{ path: 'authorization' }])
    const mail = { ...ctx, mail: { url: 'smtp://127.0.0.1:1', from: 'docks@north.example' } }
    const added = { url: 'contacts', bodyTemplate: JSON_BODY, authorization: 'Bearer a' }
    expect((await office.refusal(addWebhook as any, added, mail)).details).toMatchObject([
      { path: 'bodyTemplate' },
      { path: 'authorization' },
    ])
    const events = await add({})
    expect(await refusal({ id: events.id, bodyTemplate: JSON_BODY })).toMatchObject([{ path: 'bodyTemplate' }])
  })

  it('do not send a credential to a server that it was not given for', async () => {
    const { office, ctx, webhook, update } = await officeWithGateway({ authorization: 'Bearer first' })
    const error = await office.refusal(updateWebhook as any, { id: webhook.id, url: 'https://evil.example/' }, ctx)
    expect(error.details).toMatchObject([{ path: 'url', message: expect.stringContaining('authorization') }])
    const url = webhook.url.replace('/hook', '/other')
    expect(await update({ url })).toMatchObject({ url, hasAuthorization: true })
    expect(await update({ url: 'https://sms.example.com/', authorization: 'Bearer new' })).toMatchObject({
      hasAuthorization: true,
    })
    expect(await update({ url: 'https://b.example.com/', authorization: null })).toMatchObject({
      hasAuthorization: false,
    })
  })

  it('cannot be given and removed at once on the command line', () => {
    const typed = { withoutAuthorization: true, authorization: 'Bearer a' }
    expect(() => updateWebhook.cli!.toInput!(typed)).toThrow(
      '--without-authorization: cannot be given with --authorization',
    )
    expect(updateWebhook.cli!.toInput!({ withoutAuthorization: true })).toEqual({ authorization: null })
  })
})

describe('a reminder that could not be sent before its appointment began', () => {
  it('is not sent any more, by mail or by text message', async () => {
    const mails = await startMailServer()
    const { office, ctx, received, add, book } = await officeWithGateway()
    const own = { ...ctx, mail: { url: mails.url(), from: 'docks@north.example' } }
    await office.run(addWebhook as any, { url: 'contacts' }, own as never)
    const system = await startReceiver()
    await add({ url: system.url, events: ['appointment.reminded'] })
    await office.run(updateFacility, { id: 'DC1', reminderHours: 4 })
    const { startTime } = await book({ contactEmails: ['ana@blue.example'] })
    office.at('2026-11-17T10:00:00Z')
    expect(await office.run(remindOfAppointments, {})).toMatchObject({ reminders: 1 })
    office.at(startTime)
    expect(await office.run(deliverWebhooks as any, {}, own as never)).toMatchObject({ failed: 0 })
    expect(received.map(({ body }) => body.text.split(':')[0])).toEqual(['Booked'])
    expect(mails.received.map(({ subject }) => subject.split(':')[0])).toEqual(['Booked'])
    expect(system.received).toHaveLength(1)
  })
})
