import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAllOperations } from '../../../src/catalog'
import { MAX_HOLD_MS, measureHold, startWatchedService, type WatchedService } from './watched-service'

const operations = new Map((await loadAllOperations()).map((op) => [op.id as string, op]))
const DATE = '2055-03-01'
const DOORS = 200
const APPOINTMENTS = 400

let service: WatchedService
beforeAll(async () => {
  service = await startWatchedService()
})
afterAll(() => service.close())

const call = (id: string, input: Record<string, unknown>) => service.call(operations.get(id)!, input)

it('a plan of 400 appointments at 200 doors lets other calls run while it is made and accepted', async () => {
  const names = Array.from({ length: DOORS }, (_, n) => `Door ${n}`)
  const queues = [{ days: ['mon'], start: '06:00', end: '22:00' }]
  const doors = names.map((name, n) => ({ name, features: [`lift-${n % 20}`] }))
  await call('facilities.create', { code: 'BIG', name: 'Big', timeZone: 'Etc/UTC', queues, doors })
  const rows = Array.from({ length: APPOINTMENTS }, (_, n) => ({
    ...{ facilityCode: 'BIG', type: 'delivery', carrierName: 'Acme', referenceNumber: `R-${n}` },
    ...{ startTime: `${DATE}T${n < DOORS ? '08' : '10'}:00`, doorId: names[n % DOORS], durationMinutes: 90 },
  }))
  for (const row of rows) expect((await call('appointments.book', row)).status).toBe(200)
  const blocked = { id: 'BIG', from: `${DATE}T06:00`, to: '22:00', doors: names.slice(0, 60) }
  expect((await call('facilities.block', blocked)).status).toBe(200)
  await service.takeLongestHold()
  const holds: string[] = []
  for (const [id, input] of [
    ['facilities.plan', { id: 'BIG', date: DATE }],
    ['facilities.accept-plan', { id: 'BIG', date: DATE, dryRun: true }],
    ['facilities.accept-plan', { id: 'BIG', date: DATE }],
  ] as const) {
    const { status, heldMs } = await measureHold(service, () => call(id, input))
    if (heldMs > MAX_HOLD_MS || status !== 200) holds.push(`${id} ${JSON.stringify(input)} -> ${status}: ${heldMs} ms`)
  }
  expect(holds).toEqual([])
})
