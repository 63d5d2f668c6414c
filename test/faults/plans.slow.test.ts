import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { firstJsonLine, type Program, program } from '../contract/program'
import { isLong, momentsUpTo } from './moments'

const KILLS = isLong ? 30 : 4
const DATE = '2055-03-01'
const HOURS = ['06:00', '07:00', '08:00', '09:00']
const DOORS = ['A', 'B', 'C', 'D', 'E', 'F']
const BLOCKED = DOORS.slice(0, 3)

async function startServer(studio: Program, key: string) {
  const running = studio.start(['serve', '--port', '0', '--json'])
  const { url } = await firstJsonLine(running)
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
      body: JSON.stringify(body),
    })
    return {
      status: response.status,
      replayed: response.headers.has('idempotent-replayed'),
      body: (await response.json()) as any,
    }
  }
  return { running, call }
}
type Call = Awaited<ReturnType<typeof startServer>>['call']

/** A day on which half of the doors failed, with an appointment at each of them in each hour. */
async function prepare(call: Call, code: string): Promise<void> {
  const queues = [{ days: ['mon'], start: '06:00', end: '20:00' }]
  const doors = DOORS.map((name) => ({ name }))
  await call('POST', 'facilities', { code, name: code, timeZone: 'Etc/UTC', queues, doors })
  for (const doorId of BLOCKED)
    for (const hour of HOURS) {
      const place = { facilityCode: code, startTime: `${DATE}T${hour}`, doorId, durationMinutes: 60 }
      const load = { type: 'pickup', carrierName: 'Acme', referenceNumber: `${doorId}-${hour}` }
      expect((await call('POST', 'appointments/auto-schedule', { ...place, ...load })).status).toBe(200)
    }
  await call('POST', `facilities/${code}/block`, { from: `${DATE}T06:00`, to: '20:00', doors: BLOCKED })
}

it('a plan is accepted as a whole or not at all when the service is killed, and once if the call is repeated', async () => {
  const studio = await program()
  const { key } = await studio.json(['tenant', 'key', 'create', '--scope', 'admin'])
  let { running, call } = await startServer(studio, key)
  const moves = BLOCKED.length * HOURS.length
  const accept = (code: string) =>
    call('POST', `facilities/${code}/plan`, { date: DATE }, { 'idempotency-key': `accept-${code}` })
  await prepare(call, 'WARM')
  const begunAt = performance.now()
  expect((await accept('WARM')).body).toMatchObject({ moved: moves, refused: 0 })
  const tookMs = performance.now() - begunAt
  for (const [round, moment] of momentsUpTo(tookMs, KILLS).entries()) {
    const code = `R${round}`
    await prepare(call, code)
    const first = accept(code).catch(() => null)
    await sleep(moment)
    running.kill('SIGKILL')
    await running
    const answered = await first
    ;({ running, call } = await startServer(studio, key))
    const listMoved = async () => {
      const found = await studio.json(['appointment', 'list', '--facility', code, '--from', DATE, '--to', DATE])
      return found.filter(({ doorName }: any) => !BLOCKED.includes(doorName))
    }
    expect([0, moves]).toContain((await listMoved()).length)
    const again = await accept(code)
    expect(again).toMatchObject({ status: 200, body: { moved: moves, refused: 0 } })
    if (answered) expect(again.body).toEqual(answered.body)
    expect(await accept(code)).toEqual({ ...again, replayed: true })
    const moved = await listMoved()
    expect(moved).toHaveLength(moves)
    const { events } = (await call('GET', `appointments/events?facility_code=${code}&since=0`)).body
    const rescheduled = events.filter(({ event }: any) => event === 'appointment.rescheduled')
    expect(rescheduled.map(({ data }: any) => data.appointment.id).sort()).toEqual(
      moved.map(({ id }: any) => id).sort(),
    )
  }
  running.kill('SIGTERM')
  await running
})
