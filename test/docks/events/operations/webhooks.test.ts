import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../../src/access/operations/create-tenant'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { listDeadLetters } from '../../../../src/docks/events/operations/list-dead-letters'
import { listWebhooks } from '../../../../src/docks/events/operations/list-webhooks'
import { removeWebhook } from '../../../../src/docks/events/operations/remove-webhook'
import { replayWebhook } from '../../../../src/docks/events/operations/replay-webhook'
import { testWebhook } from '../../../../src/docks/events/operations/test-webhook'
import { deliverWebhooks as deliver } from '../../../../src/docks/events/services/deliver-webhooks'
import { DAY_MS } from '../../../../src/kernel/time'
import { load, NO_MAIL, NOW, noMail } from '../../dock-fixtures'
import { book, createSender, officeWithWebhook, REFUSED, startReceiver } from '../webhook-fixtures'

describe('a webhook', () => {
  it('gets each change as a signed message, with the appointment as that change left it', async () => {
    const { received, url } = await startReceiver()
    const { office, ctx, webhook } = await officeWithWebhook(url)
    const { id } = await book(office, { carrierName: 'Blue Freight' })
    await office.run(updateAppointment, { id, carrierName: 'Red Freight' })
    await office.run(cancelAppointment, { id })
    expect(await office.run(deliverWebhooks, {}, ctx)).toMatchObject({
      delivered: 3,
      failed: 0,
      dead: 0,
      isBusy: false,
    })
    expect(received.map(({ body }) => [body.type, body.data.appointment.carrierName])).toEqual([
      ['appointment.booked', 'Blue Freight'],
      ['appointment.updated', 'Red Freight'],
      ['appointment.cancelled', 'Red Freight'],
    ])
    expect(received.map(({ body: { data } }) => [data.appointment.status, data.appointment.sequence])).toEqual([
      ['scheduled', 0],
      ['scheduled', 1],
      ['cancelled', 2],
    ])
    for (const { headers, text } of received) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
      const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64')
      const signature = createHmac('sha256', key).update(signed).digest('base64')
      expect(headers['webhook-signature']).toBe(`v1,${signature}`)
      expect(Number(headers['webhook-timestamp'])).toBe(NOW / 1000)
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
    expect(await office.run(listWebhooks, {})).toMatchObject([{ pending: 0, dead: 0 }])
  })

  it('gets everything once and in order for each appointment from a receiver that fails one time in three', async () => {
    let requests = 0
    const { sender, accepted } = createSender(() => (++requests % 3 === 0 ? REFUSED : null))
    const { office, ctx } = await officeWithWebhook('https://tms.example.com/')
    const booked = []
    for (let i = 0; i < 12; i += 1) booked.push(await book(office))
    for (const { id } of booked) {
      await office.run(updateAppointment, { id, carrierName: 'Red Freight' })
      await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
      await office.run(cancelAppointment, { id })
    }
    let now = NOW
    const later = { ...ctx, clock: { now: () => now } }
    for (let day = 0; day < 12; day += 1, now += DAY_MS)
      await deliver(later, { sender, mail: noMail, publicUrl: null, isOnce: true })
    expect(accepted).toHaveLength(48)
    for (const { id } of booked) {
      const own = accepted.filter(({ appointment }) => appointment.id === id)
      expect(own.map(({ appointment }) => appointment.sequence)).toEqual([0, 1, 2, 3])
    }
  })

  it('gets nothing of a change that was refused, or of another tenant', async () => {
    const { sender, accepted } = createSender()
    const { office, ctx } = await officeWithWebhook('https://tms.example.com/')
    await office.refusal(bookAppointment, load({ doorId: 'Door 9', startTime: '09:00' }))
    await office.run(createTenant, { name: 'other' })
    const other = office.as({ kind: 'terminal', tenant: 'other' })
    await office.run(addWebhook as any, { url: 'https://other.example.com/' }, {
      ...other,
      webhooks: { allowedNetworks: [] },
      findPublicUrl: () => null,
      mail: NO_MAIL,
    } as never)
    await book(office)
    await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })
    expect(accepted).toHaveLength(1)
    const { id } = (await office.run(listWebhooks, {}))[0]!
    expect((await office.refusal(removeWebhook, { id }, other)).code).toBe('not_found')
  })

  it('is given up after ten attempts, which holds back the later events of that appointment only, and can be replayed', async () => {
    let isBroken = true
    const { sender, accepted } = createSender((eventId) => (isBroken && eventId === 1 ? REFUSED : null))
    const { office, ctx, webhook } = await officeWithWebhook('https://tms.example.com/')
    const first = await book(office)
    await office.run(cancelAppointment, { id: first.id })
    await book(office)
    let now = NOW
    const later = { ...ctx, clock: { now: () => now } }
    for (let attempt = 1; attempt <= 9; attempt += 1, now += DAY_MS) {
      expect(await deliver(later, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
        failed: 1,
        dead: 0,
      })
      expect(accepted).toHaveLength(1)
    }
    expect(await deliver(later, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      delivered: 1,
      dead: 1,
    })
    expect(await office.run(listDeadLetters, { id: webhook.id })).toMatchObject([
      { eventId: '1', event: 'appointment.booked', appointmentId: first.id, attempts: 10, error: 'refused' },
    ])
    isBroken = false
    expect(await office.run(replayWebhook, { id: webhook.id }, later)).toMatchObject({ replayed: 1 })
    expect(await deliver(later, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      delivered: 1,
    })
    expect(await office.run(listDeadLetters, { id: webhook.id })).toEqual([])
    expect(accepted.map(({ eventId }) => eventId).sort()).toEqual([1, 2, 3])
  })

  it('gets an event again after a crash between its acceptance and the record of it', async () => {
    const { sender, accepted } = createSender()
    const { office, ctx } = await officeWithWebhook('https://tms.example.com/')
    const { id } = await book(office)
    await office.run(cancelAppointment, { id })
    let writes = 0
    const db: typeof ctx.db = {
      ...ctx.db,
      write: (work, options) => (++writes === 2 ? Promise.reject(new Error('crash')) : ctx.db.write(work, options)),
    }
    await expect(deliver({ ...ctx, db }, { sender, mail: noMail, publicUrl: null, isOnce: true })).rejects.toThrow(
      'crash',
    )
    await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })
    expect(accepted.map(({ eventId }) => eventId)).toEqual([1, 1, 2])
  })

  it('is delivered to by one process at a time, and by the next when that one is gone', async () => {
    const { sender, accepted } = createSender()
    const { office, ctx } = await officeWithWebhook('https://tms.example.com/')
    await book(office)
    await new Promise<void>((sends) => {
      const send = () => new Promise<null>(() => sends())
      void deliver(ctx, { sender: { send, close() {} }, mail: noMail, publicUrl: null, isOnce: true })
    })
    expect(await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      isBusy: true,
      delivered: 0,
    })
    office.at('2026-11-16T14:00:31Z')
    expect(await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      isBusy: false,
      delivered: 1,
    })
    expect(accepted).toHaveLength(1)
  })

  it('is sent a test event at once, and neither a redirect nor an error counts as accepted', async () => {
    let status = 200
    const { received, url } = await startReceiver(() => status)
    const { office, ctx, webhook } = await officeWithWebhook(url)
    await office.run(testWebhook as any, { id: webhook.id }, ctx)
    expect(received.map(({ body }) => body.type)).toEqual(['webhook.test'])
    for (status of [302, 500]) {
      const error = await office.refusal(testWebhook as any, { id: webhook.id }, ctx)
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`status ${status}`) })
    }
    expect(received).toHaveLength(1)
  })
})
