import { setMaxListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../../src/access/operations/create-tenant'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { listEvents } from '../../../../src/docks/events/operations/list-events'
import { EventFeed } from '../../../../src/docks/events/services/event-feed'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { executeStream } from '../../../../src/kernel'
import { DC1, load, openDockOffice } from '../../dock-fixtures'

const STREAMS = 200

describe('streams of events', () => {
  it('share the look at the database: many cost hardly more reads than one', async () => {
    const office = await openDockOffice()
    await office.run(createFacility, DC1)
    await office.run(createTenant, { name: 'other' })
    let reads = 0
    const db: typeof office.db = {
      ...office.db,
      version: () => office.db.version?.() ?? null,
      write: (work, options) => office.db.write(work, options),
      read(work, options) {
        reads++
        return office.db.read(work, options)
      },
    }
    const ending = new AbortController()
    setMaxListeners(0, ending.signal)
    const streamOf = (tenant: string, input: object) => {
      const ctx = { ...office.as({ kind: 'terminal', tenant }), db, signal: ending.signal }
      return executeStream(listEvents, input, ctx)
    }
    const ours = Array.from({ length: STREAMS / 2 }, () => streamOf('default', {}))
    const others = Array.from({ length: STREAMS / 2 }, () => streamOf('other', {}))
    for (const stream of [...ours, ...others])
      expect((await stream.next()).value).toMatchObject({ event: 'ready', id: 0 })
    const heard = ours.map((stream) => stream.next())
    let isHeardByOthers = false
    const silent = others.map((stream) =>
      stream.next().then(({ done }) => {
        isHeardByOthers ||= !done
      }),
    )
    reads = 0
    await office.run(bookAppointment, load({ referenceNumber: 'A' }))
    for (const { value } of await Promise.all(heard))
      expect(value).toMatchObject({ event: 'appointment.booked', id: 1 })
    expect(reads).toBeLessThan(STREAMS / 2)
    ending.abort()
    await Promise.all(silent)
    expect(isHeardByOthers).toBe(false)
  })

  it('continue in order over the past and what comes, also for one facility', async () => {
    const office = await openDockOffice()
    await office.run(createFacility, DC1)
    await office.run(createFacility, { ...DC1, code: 'DC2' })
    const book = (facilityCode: string, referenceNumber: string) =>
      office.run(bookAppointment, load({ facilityCode, referenceNumber }))
    for (const [code, reference] of [
      ['DC1', 'A'],
      ['DC2', 'B'],
      ['DC1', 'C'],
    ] as const)
      await book(code, reference)
    const ending = new AbortController()
    const ctx = { ...office.ctx, signal: ending.signal }
    const stream = executeStream(listEvents, { since: 0, facilityCode: 'DC1' }, ctx)
    const next = async (): Promise<string> => {
      const { value } = await stream.next()
      return (value as any).data?.appointment.referenceNumber ?? (value as any).event
    }
    expect([await next(), await next(), await next()]).toEqual(['ready', 'A', 'C'])
    const coming = next()
    await book('DC2', 'D')
    await book('DC1', 'E')
    expect(await coming).toBe('E')
    const last = stream.next()
    ending.abort()
    expect(await last).toEqual({ done: true, value: undefined })
  })
})

describe('pages of events', () => {
  it('are read once for all who ask, and stored in bounded number', async () => {
    const office = await openDockOffice()
    const feed = new EventFeed<number>(office.db)
    let reads = 0
    const ask = (page: number) => feed.share(String(page), async () => ++reads)
    await Promise.all([ask(0), ask(0)])
    expect(reads).toBe(1)
    for (let page = 1; page <= 1_000; page++) await ask(page)
    await ask(1_000)
    expect(reads).toBe(1_001)
    await ask(0)
    expect(reads).toBe(1_002)
  })
})
