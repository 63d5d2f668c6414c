import { describe, expect, it } from 'vitest'
import { altered, firstJsonLine, type Program, program } from './program'

const facility = [
  'facility',
  'create',
  '--code',
  'DC1',
  '--name',
  'North',
  '--time-zone',
  'America/Chicago',
  '--queue',
  'mon-fri 06:00-18:00',
]
const withDoors = [...facility, '--break', 'mon-fri 12:00-12:30', '--door', 'Door 1', '--door', 'Door 2']
const book = (reference: string, ...more: string[]) => [
  'book',
  '--facility',
  'DC1',
  '--type',
  'delivery',
  '--carrier',
  'Acme',
  '--reference',
  reference,
  '--date',
  '2055-03-01',
  ...more,
]

async function errorOf(studio: Program, args: readonly string[]) {
  const { exitCode, err } = await studio.run([...args, '--json'])
  return { exitCode, ...JSON.parse(err) }
}

describe('docks on the command line', () => {
  it('books, finds, moves and cancels', async () => {
    const studio = await program()
    const created = await studio.json(withDoors)
    expect(created).toMatchObject({
      code: 'DC1',
      minMinutes: 15,
      maxMinutes: 240,
      doors: [{ name: 'Door 1' }, { name: 'Door 2' }],
    })

    const booked = await studio.json(book('PO-1', '--pallets', '20'))
    expect(booked).toMatchObject({
      status: 'success',
      data: {
        doorName: 'Door 1',
        startTime: '2055-03-01T12:00:00.000Z',
        endTime: '2055-03-01T13:00:00.000Z',
        durationMinutes: 60,
      },
    })
    const { id } = booked.data

    const moved = await studio.json(['reschedule', id, '--date', '2055-03-02', '--duration', '30'])
    expect(moved.data).toMatchObject({ id, startTime: '2055-03-02T12:00:00.000Z', durationMinutes: 30 })
    expect(await studio.json(['appointment', 'list', '--facility', 'DC1', '--reference', 'PO-1'])).toMatchObject([
      { id, status: 'scheduled' },
    ])

    expect(await studio.json(['appointment', 'cancel', id])).toMatchObject({ status: 'success' })
    expect(await studio.json(['appointment', 'cancel', id])).toMatchObject({ status: 'success' })
    expect((await errorOf(studio, ['reschedule', id, '--date', '2055-03-03'])).exitCode).toBe(5)
  })

  it('places, changes, swaps and holds', async () => {
    const studio = await program()
    await studio.json(withDoors)
    const place = ['--facility', 'DC1', '--type', 'delivery']
    const load = (reference: string) => ['--carrier', 'Acme', '--reference', reference]
    const one = await studio.json(['book', ...place, ...load('PO-1'), '--at', '2055-03-01T09:30', '--door', 'Door 2'])
    expect(one.data).toMatchObject({ doorName: 'Door 2', startTime: '2055-03-01T15:30:00.000Z' })
    const taken = ['book', ...place, ...load('PO-2'), '--at', '2055-03-01T09:30', '--door', 'Door 2']
    expect(await errorOf(studio, taken)).toMatchObject({ exitCode: 2, code: 'slot_unavailable' })

    const updated = await studio.json(['appointment', 'update', one.data.id, '--equipment', 'T-1', '--duration', '90'])
    expect(updated.data).toMatchObject({ trailerId: 'T-1', durationMinutes: 90 })
    const cleared = await studio.json(['appointment', 'update', one.data.id, '--equipment', ''])
    expect(cleared.data).toMatchObject({ trailerId: null, durationMinutes: 90 })

    const { slots } = await studio.json([
      'facility',
      'availability',
      'DC1',
      '--date',
      '2055-03-02',
      '--type',
      'delivery',
    ])
    const other = await studio.json(['book', '--facility', 'DC1', '--slot', slots[3].slotId, ...load('PO-2')])
    expect(other.data).toMatchObject({ startTime: slots[3].startTime, doorId: slots[3].doorId, type: 'delivery' })
    const swapped = await studio.json(['appointment', 'swap', one.data.id, other.data.id])
    expect(swapped.data.map(({ startTime }: any) => startTime)).toEqual([other.data.startTime, one.data.startTime])

    const held = await studio.json(['hold', 'create', ...place, '--date', '2055-03-03', '--not-before', '13:00'])
    expect(await studio.json(['hold', 'list', '--facility', 'DC1'])).toEqual([held.data])
    const confirmed = await studio.json(['hold', 'confirm', held.data.id, ...load('PO-3')])
    expect(confirmed.data).toMatchObject({ startTime: '2055-03-03T19:00:00.000Z', doorId: held.data.doorId })
    expect((await errorOf(studio, ['hold', 'release', held.data.id])).exitCode).toBe(3)

    const waiting = await studio.json(['waitlist', 'add', ...place, ...load('PO-4'), '--date', '2055-03-04'])
    expect((await studio.run(['waitlist', 'list', '--facility', 'DC1'])).out).toMatch(
      /PO-4 .*2055-03-04 \d\d:\d\d Door/,
    )
    expect((await studio.json(['waitlist', 'accept', waiting.data.id])).data.referenceNumber).toBe('PO-4')

    const rule = ['--reference', 'S', '--days', 'tue', 'thu', '--at', '09:00', '--from', '2055-03-02']
    const series = (await studio.json(['series', 'create', ...place, '--carrier', 'Acme', ...rule])).data
    const moved = await studio.json(['series', 'move', series.id, '2055-03-04', '--at', '2055-03-05T10:00'])
    expect(moved.data.occurrences).toMatchObject([{ date: '2055-03-04', startTime: '2055-03-05T16:00:00.000Z' }])
    expect((await studio.run(['series', 'get', series.id])).out).toMatch(/2055-03-04 {2}booked {2}2055-03-05 10:00/)
  })

  it('refuses in the documented words', async () => {
    const studio = await program()
    await studio.json(['facility', 'create', '--file', '-'], {
      input: JSON.stringify({
        code: 'DC1',
        name: 'North',
        timeZone: 'America/Chicago',
        queues: [{ name: 'Day', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '08:00' }],
        doors: [{ name: 'Door 1', types: ['pickup', 'delivery'] }],
        advanceToNextOpenDay: false,
      }),
    })
    await studio.json(book('PO-1', '--duration', '120'))
    expect(await errorOf(studio, book('PO-1'))).toMatchObject({
      exitCode: 2,
      code: 'duplicate_reference',
      message: 'An active scheduled appointment already exists for reference number PO-1.',
    })
    expect(await errorOf(studio, book('PO-2'))).toMatchObject({
      exitCode: 2,
      code: 'fully_booked',
      message: 'Facility is closed on 2055-03-01 (Monday).',
    })
    expect(await errorOf(studio, [...book('PO-3'), '--date', '2055-03-07'])).toMatchObject({
      code: 'facility_closed',
      message: 'Facility is closed on 2055-03-07 (Sunday).',
    })
    expect(await errorOf(studio, [...book('PO-4'), '--date', '2020-01-01'])).toMatchObject({ code: 'date_in_past' })
    expect(await errorOf(studio, [...book('PO-4'), '--date', '2055-02-30'])).toMatchObject({
      code: 'invalid',
      exitCode: 2,
    })
    expect((await errorOf(studio, ['appointment', 'cancel', '00000000-0000-4000-8000-000000000000'])).exitCode).toBe(3)
  })

  it('separates the docks of two tenants', async () => {
    const studio = await program()
    await studio.json(withDoors)
    await studio.json(['tenant', 'create', 'acme'])
    expect(await studio.json(['facility', 'list', '--tenant', 'acme'])).toEqual([])
    expect(await studio.json(['facility', 'list'])).toHaveLength(1)
    expect((await errorOf(studio, ['facility', 'list', '--tenant', 'nobody'])).exitCode).toBe(3)
  })

  it('never gives the last slot to two processes', async () => {
    const studio = await program()
    await studio.json([...facility, '--door', 'Only'])
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => studio.run([...book(`PO-${i}`), '--duration', '240', '--json'])),
    )
    const spans = answers
      .map(({ out }) => JSON.parse(out).data)
      .map(({ startTime, endTime }) => [startTime, endTime] as const)
    spans.sort(([a], [b]) => (a < b ? -1 : 1))
    for (let i = 1; i < spans.length; i++) expect(spans[i]![0] >= spans[i - 1]![1]).toBe(true)
  })
})

describe('the dock API', () => {
  it('answers as documented, to the holder of a key alone', async () => {
    const studio = await program()
    await studio.json(withDoors)
    const { key } = await studio.json(['tenant', 'key', 'create'])
    expect(key).toMatch(/^studio_key_[0-9A-Za-z]{36}$/)
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json']))
    const call = async (method: string, path: string, body?: unknown, apiKey: string | null = key) => {
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        ...(apiKey ? { 'x-api-key': apiKey } : {}),
      }
      const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : undefined })
      return {
        status: response.status,
        body: (await response.json()) as any,
        challenge: response.headers.get('www-authenticate'),
      }
    }
    const booking = {
      facilityCode: 'DC1',
      type: 'pickup',
      carrierName: 'Acme',
      referenceNumber: 'BOL-1',
      targetDate: '2055-03-01',
      trailerId: 'T-9',
    }

    expect(await call('POST', '/api/appointments/auto-schedule', booking, null)).toMatchObject({
      status: 401,
      body: {
        status: 'error',
        code: 'unauthenticated',
        message: 'This call needs a tenant key in the header X-API-Key.',
      },
      challenge: expect.stringContaining('X-API-Key'),
    })
    expect((await call('POST', '/api/appointments/auto-schedule', booking, altered(key))).status).toBe(401)

    const booked = await call('POST', '/api/appointments/auto-schedule', booking)
    expect(booked.status).toBe(200)
    expect(Object.keys(booked.body.data)).toEqual(
      expect.arrayContaining([
        'id',
        'facilityId',
        'facilityName',
        'facilityCode',
        'doorId',
        'doorName',
        'type',
        'startTime',
        'endTime',
        'carrierName',
        'referenceNumber',
        'status',
        'palletCount',
        'durationMinutes',
        'equipmentId',
        'trailerId',
      ]),
    )
    expect(booked.body.data).toMatchObject({
      equipmentId: 'T-9',
      trailerId: 'T-9',
      durationMinutes: 60,
      status: 'scheduled',
    })

    const { id, facilityId } = booked.body.data
    const listed = await call(
      'GET',
      `/api/appointments?facility_id=${facilityId}&start_date=2055-03-01&end_date=2055-03-01`,
    )
    expect(listed.body).toMatchObject([{ id, weight: null, loadDescription: null }])
    expect((await call('GET', '/api/appointments?facility_code=DC1')).body).toEqual([])
    expect(await call('GET', '/api/appointments?start_date=2055-03-01')).toMatchObject({ status: 400 })
    expect(await call('GET', '/api/appointments?facility_code=DC1&start_date=soon')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'start_date' }] },
    })
    expect((await call('GET', '/api/appointments?facility_code=DC9')).status).toBe(404)

    const moved = await call('PUT', `/api/appointments/${id}/reschedule`, { targetDate: '2055-03-03' })
    expect(moved.body).toMatchObject({ status: 'success', data: { id, startTime: '2055-03-03T12:00:00.000Z' } })
    expect((await call('DELETE', `/api/appointments/${id}`)).body).toMatchObject({ status: 'success' })
    expect((await call('GET', '/api/facilities')).body).toMatchObject([{ code: 'DC1', advanceToNextOpenDay: true }])
  })
})
