import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ResultPromise } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { firstJsonLine, type Program, program } from '../contract/program'
import { checkReferences } from '../docks/booking/queries/reference-oracle'
import { isLong, momentsUpTo } from './moments'

const ROUNDS = isLong ? 30 : 4
const CREATE = ['facility', 'create', '--code', 'DC1', '--name', 'North', '--time-zone', 'Etc/UTC', '--capacity', '2']
const HOURS = ['--queue', 'daily 06:00-08:00', '--door', 'A', '--door', 'B', '--door', 'C']

interface Server {
  url: string
  running: ResultPromise
}

async function dock() {
  const studio = await program()
  await studio.json([...CREATE, ...HOURS])
  const { key } = await studio.json(['tenant', 'key', 'create'])
  const start = async (): Promise<Server> => {
    const running = studio.start(['serve', '--port', '0', '--json'])
    return { running, url: (await firstJsonLine(running)).url }
  }
  const call = async (url: string, method: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const book = (url: string, reference: string, more: Record<string, unknown> = {}) => {
    const booking = { facilityCode: 'DC1', type: 'pickup', carrierName: 'Acme', referenceNumber: reference }
    const body = { ...booking, targetDate: '2055-03-01', durationMinutes: 30, ...more }
    return call(`${url}/api/appointments/auto-schedule`, 'POST', body, { 'idempotency-key': reference })
  }
  return { studio, start, call, book }
}

async function standing(studio: Program): Promise<any[]> {
  const dates = ['--from', '2055-03-01', '--to', '2055-05-01']
  return studio.json(['appointment', 'list', '--facility', 'DC1', ...dates, '--status', 'scheduled'])
}

/** Asserts the invariants: no overlap at a door, at most two at a time, one booking per reference. */
function expectSound(appointments: readonly any[]): void {
  const references = appointments.map(({ referenceNumber }) => referenceNumber)
  expect(new Set(references).size).toBe(references.length)
  for (const one of appointments) {
    const beside = appointments.filter(({ startTime, endTime }) => startTime < one.endTime && one.startTime < endTime)
    expect(beside.filter(({ doorId }) => doorId === one.doorId)).toEqual([one])
    expect(
      beside.filter(({ startTime, endTime }) => startTime <= one.startTime && one.startTime < endTime).length,
    ).toBeLessThanOrEqual(2)
  }
}

describe('concurrent bookings by several processes on one file', () => {
  it('never double-book a slot', async () => {
    const { studio, start, book } = await dock()
    await studio.json(['facility', 'update', 'DC1', '--no-rollover'])
    const servers = await Promise.all([start(), start(), start()])
    const byServers = Array.from({ length: 30 }, (_, i) => book(servers[i % 3]!.url, `R-${i}`))
    const byPrograms = Array.from({ length: 4 }, (_, i) =>
      studio.run([
        ...['book', '--facility', 'DC1', '--type', 'pickup', '--carrier', 'Acme', '--reference', `P-${i}`],
        ...['--date', '2055-03-01', '--duration', '30'],
      ]),
    )
    const answers = await Promise.all(byServers)
    const exits = await Promise.all(byPrograms)
    const won =
      answers.filter(({ status }) => status === 200).length + exits.filter(({ exitCode }) => exitCode === 0).length
    expect(won).toBe(8) // two hours in slots of half an hour, two at a time
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code]).toEqual([400, 'fully_booked'])
    const appointments = await standing(studio)
    expect(appointments).toHaveLength(8)
    expectSound(appointments)
  })

  it('give a chosen start at a door to one caller, by booking or by rescheduling', async () => {
    const { studio, start, book } = await dock()
    const servers = await Promise.all([start(), start()])
    const others = ['2055-03-02', '2055-03-03'].map((targetDate, i) => book(servers[i]!.url, `M-${i}`, { targetDate }))
    const moved = await Promise.all(others)
    const byServers = Array.from({ length: 12 }, (_, i) =>
      book(servers[i % 2]!.url, `R-${i}`, { startTime: '07:00', doorId: 'B' }),
    )
    const byPrograms = moved.map(({ body }) =>
      studio.run(['reschedule', body.data.id, '--at', '2055-03-01T07:00', '--door', 'B']),
    )
    const answers = await Promise.all(byServers)
    const exits = await Promise.all(byPrograms)
    const won =
      answers.filter(({ status }) => status === 200).length + exits.filter(({ exitCode }) => exitCode === 0).length
    expect(won).toBe(1)
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('slot_unavailable')
    const appointments = await standing(studio)
    expect(appointments).toHaveLength(1 + moved.length - exits.filter(({ exitCode }) => exitCode === 0).length)
    expectSound(appointments)
  })

  it('keep all appointments and holds apart while others move, lengthen and swap them', async () => {
    const { studio, start, call, book } = await dock()
    const servers = await Promise.all([start(), start(), start()])
    const first = await Promise.all(Array.from({ length: 8 }, (_, i) => book(servers[i % 3]!.url, `R-${i}`)))
    const ids: string[] = first.map(({ body }) => body.data.id)
    const calls = Array.from({ length: 48 }, (_, i) => {
      const url = `${servers[i % 3]!.url}/api/appointments/${ids[i % 8]}`
      const minute = (i * 15) % 105
      const startTime = `2055-03-01T0${6 + Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
      const place = { startTime, targetDate: null, durationMinutes: 15 }
      if (i % 5 === 4)
        return call(`${servers[i % 3]!.url}/api/holds`, 'POST', { facilityCode: 'DC1', type: 'pickup', ...place })
      if (i % 4 === 0) return call(`${url}/reschedule`, 'PUT', { startTime, doorId: 'ABC'[i % 3] })
      if (i % 4 === 1) return call(url, 'PATCH', { durationMinutes: 15 + ((i * 15) % 60) })
      if (i % 4 === 2) return call(`${url}/swap`, 'POST', { otherId: ids[(i + 3) % 8] })
      return book(servers[i % 3]!.url, `N-${i}`, place)
    })
    const answers = await Promise.all(calls)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code]).toEqual([400, 'slot_unavailable'])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
    const appointments = await standing(studio)
    expect(appointments.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    const holds: any[] = await studio.json(['hold', 'list', '--facility', 'DC1'])
    expectSound([...appointments, ...holds.map((hold) => ({ ...hold, referenceNumber: hold.id }))])
  })

  it('book a held slot once, for the first of several that confirm it', async () => {
    const { studio, start, call, book } = await dock()
    const servers = await Promise.all([start(), start()])
    const place = {
      facilityCode: 'DC1',
      type: 'pickup',
      startTime: '2055-03-01T06:00',
      doorId: 'A',
      durationMinutes: 30,
    }
    const held = await Promise.all([0, 1, 2, 3].map((i) => call(`${servers[i % 2]!.url}/api/holds`, 'POST', place)))
    expect(held.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    const { id } = held.find(({ status }) => status === 200)!.body.data
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 4 === 3
          ? book(servers[i % 2]!.url, `B-${i}`, { startTime: '06:00', doorId: 'A' })
          : call(`${servers[i % 2]!.url}/api/holds/${id}/confirm`, 'POST', {
              carrierName: 'Acme',
              referenceNumber: `H-${i}`,
            }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 404, 404, 404, 404, 404])
    expect(await standing(studio)).toMatchObject([{ referenceNumber: expect.stringMatching(/^H-/), doorName: 'A' }])
  })

  it('are stored completely or not at all when the process is killed, and a retry completes them once', async () => {
    const { studio, start, book } = await dock()
    const promised = new Map<string, string>()
    for (let round = 0; round < ROUNDS; round++) {
      const server = await start()
      const calls = Array.from({ length: 12 }, (_, i) => `K-${round}-${i}`)
      // A booking looks for a free day no further than a month ahead, and the days of earlier rounds are full.
      const targetDate = new Date(Date.UTC(2055, 2, 1 + Math.floor(round * 1.5))).toISOString().slice(0, 10)
      let answered = 0
      const sent = calls.map(async (reference) => {
        const answer = await book(server.url, reference, { targetDate }).catch(() => null)
        if (answer?.status === 200) promised.set(reference, answer.body.data.id)
        answered += 1
        if (answered === 1 + (round % 6)) server.running.kill('SIGKILL')
      })
      await Promise.all(sent)
      const next = await start()
      for (const reference of calls) {
        const { status, body } = await book(next.url, reference, { targetDate })
        expect(status).toBe(200)
        expect(body.data.id).toBe(promised.get(reference) ?? body.data.id)
        promised.set(reference, body.data.id)
      }
      next.running.kill('SIGTERM')
      await next.running
    }
    const appointments = await standing(studio)
    expect(new Map(appointments.map(({ referenceNumber, id }) => [referenceNumber, id]))).toEqual(promised)
    expectSound(appointments)
  })

  it('are found by each of their references, which no other has, whenever the processes are killed', async () => {
    const { studio, start, call, book } = await dock()
    let booked = 0
    for (const [round, moment] of momentsUpTo(800, ROUNDS).entries()) {
      const servers = await Promise.all([start(), start()])
      const targetDate = new Date(Date.UTC(2055, 2, 1 + round * 2)).toISOString().slice(0, 10)
      const begun = new AbortController()
      const first = once(begun.signal, 'abort')
      const change = async (client: number) => {
        const { url } = servers[client % 2]!
        for (let i = 0; i < 4; i++) {
          const own = `R-${round}-${client}-${i}`
          const shared = (n: number) => `SHARED-${round}-${(client + n) % 6}`
          const { status, body } = await book(url, own, { targetDate, references: [own, shared(i), `${own}-2`] })
          if (status !== 200) continue
          booked += 1
          begun.abort()
          const path = `${url}/api/appointments/${body.data.id}`
          await call(path, 'PATCH', { references: [`${own}-3`, shared(i + 1), own] })
          await call(path, 'PATCH', { references: client % 3 === 0 ? null : [shared(i), `${own}=4`] })
          if (client % 2 === 0) await call(path, 'DELETE', {})
        }
      }
      const changes = Promise.allSettled(Array.from({ length: 32 }, (_, client) => change(client)))
      await Promise.race([first, changes])
      await sleep(moment)
      for (const { running } of servers) running.kill('SIGKILL')
      await changes
    }
    const db = await openDatabase(join(studio.home, 'studio.db'), migrations)
    onTestFinished(() => db.close())
    expect((await checkReferences(db, 'DC1')).length).toBeGreaterThanOrEqual(booked)
    const { findings } = await studio.json(['doctor'])
    expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([])
  })
})
