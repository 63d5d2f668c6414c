import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAllOperations } from '../../../src/catalog'
import { MAX_HOLD_MS, measureHold, startWatchedService, type WatchedService } from './watched-service'

const operations = new Map((await loadAllOperations()).map((op) => [op.id as string, op]))

let service: WatchedService
beforeAll(async () => {
  service = await startWatchedService()
})
afterAll(() => service.close())

const list = <Entry>(length: number, entry: (n: number) => Entry) => Array.from({ length }, (_, n) => entry(n))
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const instant = (hours: number, minutes = 0) => new Date(Date.UTC(2055, 0, 1, hours, minutes)).toISOString()
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** As much of everything as the schema accepts. */
const large = {
  timeZone: 'America/Chicago',
  slotMinutes: 1,
  minMinutes: 1,
  maxMinutes: 1440,
  capacity: 10_000,
  doors: list(1_000, (n) => ({ name: `Door ${n}`, features: ['reefer', `lift-${n % 20}`] })),
  queues: list(100, (n) => ({ name: `Queue ${n}`, days, start: clock(61 * n), end: clock(61 * n + 540) })),
  breaks: list(100, (n) => ({ name: `Break ${n}`, days, start: clock(13 * n), end: clock(13 * n + 1) })),
  closures: list(1_000, (n) => {
    const date = new Date(Date.UTC(2068, 0, 1 + 2 * n)).toISOString().slice(0, 10)
    return { from: date, to: date }
  }),
  blockedTimes: list(1_000, (n) => ({ from: instant(3 * n), to: instant(3 * n, 30), doors: [`Door ${n}`] })),
  limits: list(100, (n) => ({ name: `Limit ${n}`, max: 100_000, per: ['hour', 'day', 'moment'][n % 3]! })),
  carriers: list(1_000, (n) => ({ name: `Carrier ${n}` })),
}

it('a facility of the largest size lets other calls run, whatever is asked of it', async () => {
  const created: any = await (await call('facilities.create', { code: 'BIG', name: 'Big', ...large })).json()
  expect(created.code, JSON.stringify(created).slice(0, 500)).toBe('BIG')
  const date = { targetDate: '2055-03-01' }
  const load = { facilityCode: 'BIG', type: 'delivery', carrierName: 'Carrier 1' }
  const series = { ...load, referencePrefix: 'S', days, startTime: '09:00', firstDate: '2055-03-01', aheadDays: 366 }
  await service.takeLongestHold()
  const holds: string[] = []
  for (const [id, input] of [
    ['facilities.get', { id: 'BIG' }],
    ['facilities.list', {}],
    ['facilities.availability', { id: 'BIG', date: '2055-03-01' }],
    ['facilities.availability', { id: 'BIG', date: '2055-03-02', minutes: 1 }],
    ['appointments.book', { ...load, ...date, referenceNumber: 'A' }],
    ['appointments.book', { ...load, ...date, referenceNumber: 'B', requirements: ['none-has-it'] }],
    ['appointments.book', { ...load, ...date, referenceNumber: 'C', durationMinutes: 1440 }],
    ['series.create', series],
    ['series.materialize', { facilityCode: 'BIG' }],
    ['facilities.conflicts', { id: 'BIG' }],
    ['facilities.board', { id: 'BIG', date: '2055-03-01' }],
    ['facilities.report', { id: 'BIG', startDate: '2055-03-01', endDate: '2056-02-28' }],
    ['facilities.update', { id: 'BIG', ...large, minMinutes: 2, dryRun: true }],
    ['facilities.update', { id: 'BIG', ...large, minMinutes: 2 }],
    ['facilities.close', { id: 'BIG', from: '2055-03-01', to: '2055-03-20' }],
    ['appointments.clear', { ...{ facilityCode: 'BIG' }, date: '2055-03-01', policy: 'next-open-day', dryRun: true }],
  ] as const) {
    const { status, heldMs } = await measureHold(service, () => call(id, input))
    if (heldMs > MAX_HOLD_MS || status >= 500)
      holds.push(`${id} ${JSON.stringify(input).slice(0, 60)} -> ${status}: ${heldMs} ms`)
  }
  expect(holds).toEqual([])
})

function call(id: string, input: Record<string, unknown>): Promise<Response> {
  return service.call(operations.get(id)!, input)
}
