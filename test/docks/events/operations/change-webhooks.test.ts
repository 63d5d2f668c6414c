import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { listWebhooks } from '../../../../src/docks/events/operations/list-webhooks'
import { rotateWebhookSecret } from '../../../../src/docks/events/operations/rotate-webhook'
import { updateWebhook } from '../../../../src/docks/events/operations/update-webhook'
import { insertChange } from '../../../../src/docks/queries'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { changeKinds } from '../../../../src/docks/visits/rules/appointment-steps'
import { NO_MAIL } from '../../dock-fixtures'
import { book, officeWithWebhook, startReceiver } from '../webhook-fixtures'

const CALLER = { id: 'terminal', name: null }

const signatureOf = (secret: string, { headers, text }: { headers: any; text: string }) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
    .digest('base64')}`

describe('the secret of a webhook', () => {
  it('is replaced with an overlap, in which events have the signatures of both secrets, the new one first', async () => {
    const { received, url } = await startReceiver()
    const { office, ctx, webhook } = await officeWithWebhook(url)
    const rotated = await office.run(rotateWebhookSecret, { id: webhook.id, overlapHours: 2 })
    expect(rotated).toMatchObject({ id: webhook.id, previousSecretUntil: '2026-11-16T16:00:00.000Z' })
    expect(rotated.secret).not.toBe(webhook.secret)
    const deliverOne = async () => {
      await book(office)
      await office.run(deliverWebhooks, {}, ctx)
      return received.at(-1)!
    }
    const both = await deliverOne()
    expect(both.headers['webhook-signature']).toBe(
      `${signatureOf(rotated.secret, both)} ${signatureOf(webhook.secret, both)}`,
    )
    expect(await office.run(listWebhooks, {})).toMatchObject([{ previousSecretUntil: '2026-11-16T16:00:00.000Z' }])
    expect(JSON.stringify(await office.run(listWebhooks, {}))).not.toContain('whsec_')
    office.at('2026-11-16T16:00:00.000Z')
    const later = await deliverOne()
    expect(later.headers['webhook-signature']).toBe(signatureOf(rotated.secret, later))
    expect(await office.run(listWebhooks, {})).toMatchObject([{ previousSecretUntil: null }])
  })

  it('is not replaced again while receivers may use the one before, unless at once', async () => {
    const { office, ctx, webhook } = await officeWithWebhook('https://tms.example.com/')
    await office.run(rotateWebhookSecret, { id: webhook.id })
    const error = await office.refusal(rotateWebhookSecret, { id: webhook.id })
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('2026-11-17T14:00:00.000Z') })
    expect(await office.run(rotateWebhookSecret, { id: webhook.id, overlapHours: 0 }, ctx)).toMatchObject({
      previousSecretUntil: null,
    })
    office.at('2026-11-18T14:00:00Z')
    await office.run(rotateWebhookSecret, { id: webhook.id })
  })

  it('does not exist for an e-mail address', async () => {
    const { office, ctx } = await officeWithWebhook('https://tms.example.com/')
    const mail = { ...NO_MAIL, url: 'smtp://127.0.0.1:1', from: 'docks@north.example' }
    const { id } = (await office.run(addWebhook as any, { url: 'mailto:a@b.example' }, {
      ...ctx,
      mail,
    } as never)) as any
    expect((await office.refusal(rotateWebhookSecret, { id })).code).toBe('invalid')
  })
})

describe('the events of a webhook', () => {
  it.each([
    [{ allEvents: true, events: ['appointment.booked'] }, '--all-events: cannot be given with --event'],
    [{ allCarriers: true, carrierName: 'Acme' }, '--all-carriers: cannot be given with --carrier'],
  ])('cannot be both all and some on the command line: %j', (typed, message) => {
    expect(() => updateWebhook.cli!.toInput!(typed)).toThrow(message)
    expect(updateWebhook.cli!.toInput!({ allEvents: true })).toEqual({ events: null })
  })

  it('can be those of some kinds only, in order and without gaps among them', async () => {
    const { received, url } = await startReceiver()
    const { office, ctx } = await officeWithWebhook(url, { events: ['appointment.cancelled', 'appointment.booked'] })
    expect(await office.run(listWebhooks, {})).toMatchObject([
      { events: ['appointment.booked', 'appointment.cancelled'] },
    ])
    const { id } = await book(office)
    await office.run(updateAppointment, { id, carrierName: 'Red Freight' })
    await office.run(cancelAppointment, { id })
    const arrived = await book(office)
    await office.run(checkInAppointment, { id: arrived.id })
    await office.run(deliverWebhooks, {}, ctx)
    const typesOf = (appointmentId: string) =>
      received.flatMap(({ body }) => (body.data.appointment.id === appointmentId ? [body.type] : []))
    expect(typesOf(id!)).toEqual(['appointment.booked', 'appointment.cancelled'])
    expect(typesOf(arrived.id!)).toEqual(['appointment.booked'])
  })

  it.each(changeKinds)('of the kind %s are not taken for those of another kind', async (kind) => {
    const others = changeKinds.filter((other) => other !== kind).map((other) => `appointment.${other}`)
    const { office } = await officeWithWebhook('https://tms.example.com/', { events: others })
    const { id } = await book(office)
    const before = (await office.run(listWebhooks, {}))[0]!.pending
    await office.db.write((tx) => insertChange(tx, id!, { kind, at: 0, caller: CALLER }))
    await office.db.write((tx) =>
      insertChange(tx, id!, { kind: kind === 'booked' ? 'swapped' : 'booked', at: 0, caller: CALLER }),
    )
    expect((await office.run(listWebhooks, {}))[0]!.pending - before).toBe(1)
  })

  it('are refused if there is none of that type, with the types that there are', async () => {
    const { office, ctx, webhook } = await officeWithWebhook('https://tms.example.com/')
    const error = await office.refusal(updateWebhook as any, { id: webhook.id, events: ['appointment.moved'] }, ctx)
    expect(error.code).toBe('invalid')
    expect(JSON.stringify(error.details)).toContain('appointment.rescheduled')
    expect((await office.refusal(updateWebhook as any, { id: webhook.id, events: [] }, ctx)).code).toBe('invalid')
  })
})

describe('a change of a webhook', () => {
  it('keeps what is not given, and applies to the events from then on; those that wait go to the new address', async () => {
    const { received, url } = await startReceiver()
    const { office, ctx, webhook } = await officeWithWebhook('https://tms.example.com/', {
      carrierName: 'Blue Freight',
    })
    const update = (input: object) => office.run(updateWebhook as any, { id: webhook.id, ...input }, ctx as never)
    await book(office, { carrierName: 'Blue Freight' })
    expect(await update({ url, facility: 'DC1' })).toMatchObject({ url, carrierName: 'Blue Freight', pending: 1 })
    expect(await update({ events: ['appointment.cancelled'], carrierName: null })).toMatchObject({
      url,
      carrierName: null,
      facilityId: expect.any(String),
      events: ['appointment.cancelled'],
    })
    const { id } = await book(office, { carrierName: 'Red Freight' })
    await office.run(cancelAppointment, { id })
    await office.run(deliverWebhooks, {}, ctx)
    expect(received.map(({ body }) => body.type).sort()).toEqual(['appointment.booked', 'appointment.cancelled'])
    expect(await update({ events: null, facility: null })).toMatchObject({ events: null, facilityId: null })
  })

  it('refuses what adding it would refuse, and an address of the other kind', async () => {
    const { office, ctx, webhook } = await officeWithWebhook('https://tms.example.com/')
    const refusal = async (input: object) =>
      (await office.refusal(updateWebhook as any, { id: webhook.id, ...input }, ctx)).code
    expect(await refusal({ url: 'https://10.0.0.1/' })).toBe('invalid')
    expect(await refusal({ url: 'mailto:a@b.example' })).toBe('invalid')
    expect(await refusal({ facility: 'NONE' })).toBe('not_found')
    expect(await refusal({})).toBe('invalid')
    expect(await refusal({ id: '00000000-0000-4000-8000-999999999999', events: null })).toBe('not_found')
  })
})
