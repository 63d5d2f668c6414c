import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../src/docks/booking/operations/cancel-appointment'
import { updateAppointment } from '../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../src/docks/events/operations/add-webhook'
import { listWebhooks } from '../../src/docks/events/operations/list-webhooks'
import { createAddressPolicy } from '../../src/docks/events/services/address-policy'
import { deliverWebhooks } from '../../src/docks/events/services/deliver-webhooks'
import { openWebhookSender } from '../../src/docks/events/services/send-webhook'
import { DAY_MS } from '../../src/kernel/time'
import { openDatabase, tables } from '../../src/storage'
import { migrations } from '../../src/studio'
import { firstJsonLine, type Program, program } from '../contract/program'
import { load, NO_MAIL, NOW, noMail, officeWith } from '../docks/dock-fixtures'
import { describeWithPostgres } from '../storage/postgres/server'
import { isLong, momentsUpTo } from './moments'

const KILLS = isLong ? 100 : 4
/** Each has four events. */
const APPOINTMENTS = isLong ? 2_500 : 40

interface Message {
  eventId: number
  appointment: { id: string }
}

/** A receiver on this machine. `answer` sees what it got, says whether it is accepted, and responds. */
async function startReceiver(answer: (id: string, response: ServerResponse) => boolean) {
  const accepted: Message[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (answer(String(request.headers['webhook-id']), response)) accepted.push(JSON.parse(text).data)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { accepted, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Asserts that the events of each appointment came in order; one that came again counts where it came first. */
function expectInOrder(accepted: readonly Message[]): void {
  const last = new Map<string, number>()
  const known = new Set<number>()
  for (const { eventId, appointment } of accepted) {
    if (known.has(eventId)) continue
    known.add(eventId)
    expect(eventId).toBeGreaterThan(last.get(appointment.id) ?? 0)
    last.set(appointment.id, eventId)
  }
}

/** The built program on a database, by its path or address. Two services deliver its events and are killed, one after the other. */
async function expectAllToSurvive(studio: Program, database: string): Promise<void> {
  const seen = new Set<string>()
  const { accepted, url } = await startReceiver((id, response) => {
    // One event in ten gets no answer when it comes first.
    const isFirst = !seen.has(id)
    seen.add(id)
    if (isFirst && Number(id.slice('evt_'.length)) % 10 === 0) return false
    setTimeout(() => response.end(), 10)
    return true
  })
  const env = { STUDIO_DB: database, STUDIO_WEBHOOK_NETWORKS: '127.0.0.1' }
  const json = (args: string[]) => studio.json(args, { env })
  const doors = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((name) => ['--door', name])
  const place = ['--code', 'DC1', '--name', 'North', '--time-zone', 'Etc/UTC', '--queue', 'daily 00:00-24:00']
  await json(['facility', 'create', ...place, ...doors])
  const { key } = await json(['tenant', 'key', 'create'])
  await json(['webhook', 'add', url])
  const call = async (base: string, method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const response = await fetch(`${base}/api/appointments${path}`, { method, headers, body: JSON.stringify(body) })
    return (await response.json()) as any
  }
  const booked: string[] = []
  for (const [round, moment] of momentsUpTo(1_800, KILLS).entries()) {
    const services = [0, 1].map(() => studio.start(['serve', '--port', '0', '--json'], env))
    const bases = await Promise.all(services.map(async (running) => (await firstJsonLine(running)).url))
    const change = async (_: unknown, i: number) => {
      const base = bases[i % 2]!
      const booking = { facilityCode: 'DC1', type: 'pickup', carrierName: 'Acme', targetDate: '2055-03-01' }
      const answer = await call(base, 'POST', '/auto-schedule', { ...booking, referenceNumber: `R-${round}-${i}` })
      booked.push(answer.data.id)
      await call(base, 'PATCH', `/${answer.data.id}`, { carrierName: 'Red Freight' })
      await call(base, 'DELETE', `/${answer.data.id}`)
    }
    const changes = Promise.allSettled(Array.from({ length: 6 }, change))
    for (const running of services) {
      await sleep(moment)
      running.kill('SIGKILL')
      await Promise.allSettled([running])
      await endLease(database)
    }
    await changes
  }
  while ((await json(['webhook', 'list']))[0].pending > 0) await json(['webhook', 'deliver'])
  const { events } = await json(['appointment', 'events', '--since', '0', '--limit', '1000'])
  for (let last = events.at(-1)?.id ?? 0, more = events; more.length === 1_000; last = more.at(-1).id) {
    more = (await json(['appointment', 'events', '--since', String(last), '--limit', '1000'])).events
    events.push(...more)
  }
  const changed: number[] = events.map(({ id }: { id: number }) => id)
  expect([...new Set(accepted.map(({ eventId }) => eventId))].sort((a, b) => a - b)).toEqual(
    changed.sort((a, b) => a - b),
  )
  expect(events.map((event: any) => event.data.appointment.id)).toEqual(expect.arrayContaining(booked))
  expectInOrder(accepted)
}

describe('the events for a webhook', () => {
  it('all arrive, in order for each appointment, whenever one of two services is killed', async () => {
    const studio = await program()
    await expectAllToSurvive(studio, join(studio.home, 'studio.db'))
  })

  it('all arrive, in order for each appointment, at a receiver that fails one time in three', async () => {
    const attempts = new Map<string, number>()
    const faults = fc.sample(fc.integer({ min: 0, max: 11 }), 64)
    let requests = 0
    const { accepted, url } = await startReceiver((id, response) => {
      const attempt = (attempts.get(id) ?? 0) + 1
      attempts.set(id, attempt)
      // One that failed ten times would be given up, and so the last attempts succeed.
      const fault = attempt > 8 ? 11 : faults[requests++ % faults.length]!
      if (fault === 0) response.destroy()
      else if (fault === 1) response.writeHead(302, { location: '/' }).end()
      else if (fault === 2) response.writeHead(500).end('x'.repeat(100_000))
      else if (fault === 3) response.writeHead(200).destroy()
      else response.end()
      return fault > 2
    })
    const doors = Array.from({ length: 20 }, (_, i) => ({ name: `Door ${i}` }))
    const office = await officeWith({ minMinutes: 15, slotMinutes: 15, doors })
    const ctx = {
      ...office.ctx,
      webhooks: { allowedNetworks: ['127.0.0.1'] },
      findPublicUrl: () => null,
      mail: NO_MAIL,
    }
    await office.run(addWebhook as any, { url }, ctx)
    for (let i = 0; i < APPOINTMENTS; i++) {
      const { id } = (await office.run(bookAppointment, load({ durationMinutes: 15 }))).data
      for (const carrierName of ['Red', 'Blue']) await office.run(updateAppointment, { id, carrierName })
      await office.run(cancelAppointment, { id })
    }
    const sender = openWebhookSender(createAddressPolicy(ctx.webhooks.allowedNetworks))
    onTestFinished(() => sender.close())
    let now = NOW
    while ((await office.run(listWebhooks, {}))[0]!.pending > 0) {
      await deliverWebhooks(
        { ...ctx, clock: { now: () => now } },
        { sender, mail: noMail, publicUrl: null, isOnce: true },
      )
      now += DAY_MS
    }
    expect(new Set(accepted.map(({ eventId }) => eventId)).size).toBe(APPOINTMENTS * 4)
    expect((await office.run(listWebhooks, {}))[0]!.dead).toBe(0)
    expectInOrder(accepted)
  })
})

describeWithPostgres('the events for a webhook, on PostgreSQL', (server) => {
  it('all arrive, in order for each appointment, whenever one of two services is killed', async () => {
    await expectAllToSurvive(await program(), await server().createDatabase())
  })
})

/** The lease of a killed process ends by itself after half a minute. */
async function endLease(path: string): Promise<void> {
  const db = await openDatabase(path, migrations)
  try {
    await db.write((tx) => tables<{ lease: object }>(tx).deleteFrom('lease').execute())
  } finally {
    await db.close()
  }
}
