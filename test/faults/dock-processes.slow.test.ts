import type { ResultPromise } from 'execa'
import { describe, expect, it } from 'vitest'
import { firstJsonLine, type Program, program } from '../contract/program'

const ROUNDS = process.env['STUDIO_FAULTS'] === 'long' ? 30 : 4
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
  const book = (url: string, reference: string, more: Record<string, unknown> = {}) =>
    fetch(`${url}/api/appointments/auto-schedule`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': reference },
      body: JSON.stringify({
        facilityCode: 'DC1',
        type: 'pickup',
        carrierName: 'Acme',
        referenceNumber: reference,
        targetDate: '2055-03-01',
        durationMinutes: 30,
        ...more,
      }),
    }).then(async (response) => ({ status: response.status, body: (await response.json()) as any }))
  return { studio, start, book }
}

async function standing(studio: Program): Promise<any[]> {
  const dates = ['--from', '2055-03-01', '--to', '2055-04-15']
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

  it('are stored completely or not at all when the process is killed, and a retry completes them once', async () => {
    const { studio, start, book } = await dock()
    const promised = new Map<string, string>()
    for (let round = 0; round < ROUNDS; round++) {
      const server = await start()
      const calls = Array.from({ length: 12 }, (_, i) => `K-${round}-${i}`)
      let answered = 0
      const sent = calls.map(async (reference) => {
        const answer = await book(server.url, reference).catch(() => null)
        if (answer?.status === 200) promised.set(reference, answer.body.data.id)
        answered += 1
        if (answered === 1 + (round % 6)) server.running.kill('SIGKILL')
      })
      await Promise.all(sent)
      const next = await start()
      for (const reference of calls) {
        const { status, body } = await book(next.url, reference)
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
})
