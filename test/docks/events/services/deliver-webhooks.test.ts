import { describe, expect, it } from 'vitest'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { listWebhooks } from '../../../../src/docks/events/operations/list-webhooks'
import { resumeWebhook } from '../../../../src/docks/events/operations/resume-webhook'
import { deliverWebhooks as deliver } from '../../../../src/docks/events/services/deliver-webhooks'
import { noMail } from '../../dock-fixtures'
import { book, createDeferred, createSender, officeWithWebhook, REFUSED } from '../webhook-fixtures'

const URL = 'https://tms.example.com/'

/** A sender whose first events do not end before `release` is called. `arrived` resolves when so many others were accepted. */
function createHangingSender(hangs: (eventId: number, url: string) => boolean) {
  const released = createDeferred<null>()
  const waiting: { count: number; resolve(): void }[] = []
  const { sender, accepted } = createSender((eventId, url) => (hangs(eventId, url) ? released.promise : null))
  const watched: typeof sender = {
    ...sender,
    async send(...args) {
      const failure = await sender.send(...args)
      for (const { count, resolve } of waiting) if (accepted.length >= count) resolve()
      return failure
    },
  }
  const arrived = (count: number) =>
    new Promise<void>((resolve) => void (accepted.length >= count ? resolve() : waiting.push({ count, resolve })))
  return { sender: watched, accepted, arrived, release: () => released.resolve(null) }
}

describe('a receiver that does not answer for one event', () => {
  it('gets the events of all other appointments meanwhile, and the later ones of this appointment after it', async () => {
    const { sender, accepted, arrived, release } = createHangingSender((eventId) => eventId === 1)
    const { office, ctx } = await officeWithWebhook(URL)
    const first = await book(office)
    await office.run(cancelAppointment, { id: first.id })
    for (let i = 0; i < 40; i += 1) await book(office)
    const running = deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })
    await arrived(40)
    expect(accepted.map(({ appointment }) => appointment.id)).not.toContain(first.id)
    release()
    expect(await running).toMatchObject({ delivered: 42, failed: 0 })
    expect(accepted.slice(40).map(({ eventId }) => eventId)).toEqual([1, 2])
  })

  it('gets the events that come after that one began', async () => {
    const { sender, accepted, arrived, release } = createHangingSender((eventId) => eventId === 1)
    const { office, ctx } = await officeWithWebhook(URL)
    await book(office)
    await book(office)
    const ending = new AbortController()
    const running = deliver({ ...ctx, signal: ending.signal }, { sender, mail: noMail, publicUrl: null, isOnce: false })
    await arrived(1)
    await book(office)
    await arrived(2)
    expect(accepted.map(({ eventId }) => eventId)).toEqual([2, 3])
    ending.abort()
    release()
    await running
    expect(await office.run(listWebhooks, {})).toMatchObject([{ pending: 0 }])
  })

  it('delays no other receiver, however many of its events do not end', async () => {
    const { sender, accepted, arrived, release } = createHangingSender((_, url) => url === URL)
    const { office, ctx } = await officeWithWebhook(URL)
    await office.run(addWebhook as any, { url: 'https://erp.example.com/' }, ctx)
    for (let i = 0; i < 60; i += 1) await book(office)
    const running = deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })
    await arrived(60)
    expect(accepted.map(({ eventId }) => eventId).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, i) => i + 1),
    )
    release()
    expect(await running).toMatchObject({ delivered: 120 })
  })
})

describe('a receiver that answers with status 410', () => {
  const GONE = { error: 'the receiver answered with status 410', isGone: true }

  it('is asked once, is listed as stopped with the reason, and gets everything after it is resumed', async () => {
    let attempts = 0
    let isGone = true
    const { sender, accepted } = createSender(() => {
      attempts += 1
      return isGone ? GONE : null
    })
    const { office, ctx, webhook } = await officeWithWebhook(URL)
    await book(office)
    expect(await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      failed: 0,
      dead: 0,
      stopped: 1,
    })
    await book(office)
    office.at('2026-11-18T14:00:00Z')
    expect(await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      delivered: 0,
      stopped: 0,
    })
    expect(attempts).toBe(1)
    expect(await office.run(listWebhooks, {})).toMatchObject([
      { pending: 2, dead: 0, stoppedAt: '2026-11-16T14:00:00.000Z', stopReason: GONE.error },
    ])
    isGone = false
    expect(await office.run(resumeWebhook, { id: webhook.id })).toMatchObject({ pending: 2 })
    expect(await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({ delivered: 2 })
    expect(accepted.map(({ eventId }) => eventId)).toEqual([1, 2])
    expect(await office.run(listWebhooks, {})).toMatchObject([{ pending: 0, stoppedAt: null, stopReason: null }])
  })

  it('stops that webhook only', async () => {
    const { sender, accepted } = createSender((_, url) => (url === URL ? GONE : null))
    const { office, ctx } = await officeWithWebhook(URL)
    await office.run(addWebhook as any, { url: 'https://erp.example.com/' }, ctx)
    for (let i = 0; i < 3; i += 1) await book(office)
    expect(await deliver(ctx, { sender, mail: noMail, publicUrl: null, isOnce: true })).toMatchObject({
      delivered: 3,
      stopped: 1,
    })
    expect(accepted).toHaveLength(3)
    const states = (await office.run(listWebhooks, {})).map(({ stoppedAt }) => stoppedAt === null)
    expect(states.sort()).toEqual([false, true])
  })
})

it('an attempt that fails after another process has delivered its event does not delay the later ones', async () => {
  const late = createDeferred<typeof REFUSED>()
  const started = createDeferred<void>()
  const { office, ctx } = await officeWithWebhook(URL)
  const { id } = await book(office)
  const paused = createSender((eventId) => {
    started.resolve()
    return eventId === 1 ? late.promise : null
  })
  const resumed = deliver(ctx, { sender: paused.sender, mail: noMail, publicUrl: null, isOnce: true })
  await started.promise
  office.at('2026-11-16T14:00:31Z')
  const other = createSender()
  await deliver(ctx, { sender: other.sender, mail: noMail, publicUrl: null, isOnce: true })
  await office.run(cancelAppointment, { id })
  late.resolve(REFUSED)
  expect(await resumed).toMatchObject({ delivered: 1, failed: 0 })
  expect(other.accepted.map(({ eventId }) => eventId)).toEqual([1])
  expect(paused.accepted.map(({ eventId }) => eventId)).toEqual([2])
})
