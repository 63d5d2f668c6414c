import { describe, expect, it } from 'vitest'
import { load } from '../docks/dock-fixtures'
import { type ConsoleServed, openFacility, servedConsole } from './console-fixtures'

const AT = '/console/docks/DC1'

/** A facility, a caller with a role at its docks, and what the caller does in the console. */
async function openDocks(role: Parameters<ConsoleServed['key']>[0] = 'manager') {
  const service = await servedConsole({ local: false })
  const { date } = await openFacility(service)
  const facility = await service.run('facilities.get', { id: 'DC1' })
  const cookie = await service.signIn(await service.key(role))
  const show = async (page: string) => {
    const { status, text } = await service.open(page, cookie)
    expect([page, status]).toEqual([page, 200])
    return text
  }
  const send = (operation: string, fields: object) => service.send(`/console/run/${operation}`, fields, cookie)
  const book = async (referenceNumber: string, more: object = {}) =>
    (await service.run('appointments.book', load({ targetDate: date, referenceNumber, ...more }))).data
  return { service, date, facility, show, send, book, run: service.run }
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdayOf = (date: string) => weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]!

describe('the list of appointments', () => {
  it('has those of the dates and of the carrier that are asked for', async () => {
    const { date, show, book } = await openDocks('viewer')
    await book('PO-1')
    await book('PO-2', { carrierName: 'Acme' })
    expect(await show(`${AT}/appointments`)).not.toContain('PO-1')
    const whole = await show(`${AT}/appointments?startDate=${date}`)
    expect([whole.includes('PO-1'), whole.includes('PO-2')]).toEqual([true, true])
    const some = await show(`${AT}/appointments?startDate=${date}&carrierName=Acme`)
    expect([some.includes('PO-1'), some.includes('PO-2')]).toEqual([false, true])
    expect(await show('/console/appointments?referenceNumber=PO-2')).toContain('PO-2')
  })

  it('swaps two appointments', async () => {
    const { date, show, book, send, run } = await openDocks('clerk')
    const [one, other] = [await book('PO-1', { startTime: '08:00' }), await book('PO-2', { startTime: '12:00' })]
    expect(await show(`${AT}/appointments?startDate=${date}`)).toContain('/console/run/appointments.swap')
    expect((await send('appointments.swap', { id: one.id, otherId: other.id })).status).toBe(200)
    expect((await run('appointments.get', { id: one.id })).startTime).toBe(other.startTime)
  })
})

describe('clearing a day', () => {
  it('shows the plan first, and does what was shown', async () => {
    const { date, show, book, send, run, facility } = await openDocks()
    const { id } = await book('PO-1')
    expect(await show(`${AT}/clear?date=${date}`)).toContain(`value="${date}"`)
    const fields = { facilityId: facility.id, date, policy: 'cancel', dryRun: 'true', next: `${AT}/appointments` }
    const preview = await send('appointments.clear', fields)
    expect(preview.body.html).toContain('1 would be cancelled')
    const planId = /name="planId" value="([^"]+)"/.exec(preview.body.html)![1]
    expect((await run('appointments.get', { id })).status).toBe('scheduled')
    await book('PO-2')
    const changed = await send('appointments.clear', { ...fields, dryRun: undefined, planId })
    expect(changed.body.html).toContain('2 would be cancelled')
    expect((await run('appointments.get', { id })).status).toBe('scheduled')
    const again = /name="planId" value="([^"]+)"/.exec(changed.body.html)![1]
    expect((await send('appointments.clear', { ...fields, dryRun: undefined, planId: again })).status).toBe(200)
    expect((await run('appointments.get', { id })).status).toBe('cancelled')
  })

  it('is not offered to a clerk', async () => {
    const { service, date, facility } = await openDocks('clerk')
    const cookie = await service.signIn(await service.key('clerk'))
    expect((await service.open(`${AT}/clear`, cookie)).status).toBe(403)
    const fields = { facilityId: facility.id, date, policy: 'cancel' }
    expect((await service.send('/console/run/appointments.clear', fields, cookie)).status).toBe(403)
  })
})

describe('a held slot', () => {
  it('is booked with a reference, or released', async () => {
    const { date, facility, show, send, run } = await openDocks('clerk')
    expect(await show(`${AT}/holds`)).toContain('No slot is held')
    const hold = { facilityId: facility.id, type: 'delivery', targetDate: date, carrierName: 'Acme' }
    for (const startTime of ['08:00', '10:00']) await send('holds.create', { ...hold, startTime })
    const [first, second] = await run('holds.list', { facilityCode: 'DC1' })
    expect(await show(`${AT}/holds?book=${first.id}`)).toContain('value="Acme"')
    expect((await send('holds.confirm', { id: first.id, referenceNumber: 'PO-9' })).status).toBe(200)
    expect((await send('holds.release', { id: second.id })).status).toBe(200)
    expect(await run('holds.list', { facilityCode: 'DC1' })).toEqual([])
    const [booked] = await run('appointments.list', { facilityCode: 'DC1', startDate: date })
    expect(booked).toMatchObject({ referenceNumber: 'PO-9', carrierName: 'Acme', startTime: first.startTime })
  })
})

describe('a series', () => {
  it('is created, changed, and ended, and a date of it is skipped and booked again', async () => {
    const { date, facility, show, send, run } = await openDocks('clerk')
    expect(await show(`${AT}/series`)).toContain('There is no series yet')
    const terms = {
      type: 'delivery',
      carrierName: 'Acme',
      referencePrefix: 'ACME',
      startTime: '09:00',
      aheadDays: '21',
    }
    const days = { 'days[]': [weekdayOf(date)] }
    const created = await send('series.create', { facilityId: facility.id, firstDate: date, ...terms, ...days })
    expect(created.status).toBe(200)
    const [{ id }] = await run('series.list', { facilityCode: 'DC1' })
    expect(created.body.location).toContain(`/console/series/${id}`)
    const page = await show(`/console/series/${id}`)
    expect(page.match(/class="badge good"/g)!.length).toBeGreaterThanOrEqual(2)
    await send('series.skip', { id, date })
    expect((await run('series.get', { id })).occurrences[0]).toMatchObject({ date, outcome: 'skipped' })
    expect(await show(`/console/series/${id}?date=${date}`)).toContain('The date has no slot')
    await send('series.move', { id, date, targetDate: date, startTime: '14:00' })
    expect((await run('series.get', { id })).occurrences[0]).toMatchObject({ outcome: 'booked' })
    await send('series.end', { id, lastDate: date })
    expect((await run('series.get', { id })).lastDate).toBe(date)
    expect(await show(`/console/series/${id}`)).toContain('cancelled')
  })

  it('keeps what somebody else has changed since its form was drawn', async () => {
    const { date, facility, send, run } = await openDocks('clerk')
    const terms = {
      type: 'delivery',
      carrierName: 'Acme',
      referencePrefix: 'ACME',
      startTime: '09:00',
      firstDate: date,
    }
    const { data } = await run('series.create', { facilityCode: facility.code, ...terms, days: [weekdayOf(date)] })
    const { id } = data
    await run('series.update', { id, lane: 'Dallas-Memphis', days: ['mon', 'tue'] })
    const drawn = { 'drawn.lane': '', 'drawn.startTime': '09:00', 'drawn.days[]': weekdayOf(date) }
    const saved = await send('series.update', {
      id,
      lane: '',
      startTime: '10:00',
      'days[]': [weekdayOf(date)],
      ...drawn,
    })
    expect(saved.status).toBe(200)
    const now = await run('series.get', { id })
    expect(now).toMatchObject({ lane: 'Dallas-Memphis', startTime: '10:00', days: ['mon', 'tue'] })
    const conflict = await send('series.update', { id, startTime: '11:00', 'drawn.startTime': '09:00' })
    expect(conflict.body.html ?? '').toContain('10:00')
    expect((await run('series.get', { id })).startTime).toBe('10:00')
  })

  it('has its dates without a slot where they wait for a person', async () => {
    const { date, facility, show, send, run } = await openDocks('clerk')
    await run('facilities.block', { id: 'DC1', from: `${date}T09:00`, to: `${date}T10:00` })
    const terms = { type: 'delivery', carrierName: 'Acme', referencePrefix: 'ACME', startTime: '09:00', lastDate: date }
    const place = { facilityId: facility.id, firstDate: date, 'days[]': [weekdayOf(date)] }
    await send('series.create', { ...terms, ...place })
    const [{ id }] = await run('series.list', { facilityCode: 'DC1' })
    for (const page of ['/console/docks', `${AT}/attention`]) {
      const text = await show(page)
      expect(text).toContain('without a slot')
      expect(text).toContain('/console/run/series.move')
    }
    await send('series.move', { id, date, targetDate: date })
    expect(await show(`${AT}/attention`)).toContain('Nothing waits for a person')
  })
})

describe('the carriers of a facility', () => {
  it('are admitted and excluded', async () => {
    const { facility, show, send, run } = await openDocks()
    expect(await show(`${AT}/carriers`)).toContain('No carrier is admitted yet')
    expect((await send('carriers.admit', { id: facility.id, name: 'Acme', perDay: '4' })).status).toBe(200)
    expect((await run('facilities.get', { id: 'DC1' })).carriers).toMatchObject([{ name: 'Acme', perDay: 4 }])
    expect(await show(`${AT}/carriers`)).toContain('Exclude Acme')
    await send('carriers.exclude', { id: facility.id, name: 'Acme' })
    expect((await run('facilities.get', { id: 'DC1' })).carriers).toEqual([])
  })
})

describe('trailers of a file', () => {
  it('are shown before they are stored', async () => {
    const { show, send, run } = await openDocks()
    expect(await show(`${AT}/yard/import`)).toContain('name="dryRun" value="true"')
    const file = { facilityCode: 'DC1', text: 'number,carrier\nTR-1,Acme\nTR-2,', dryRun: 'true', next: `${AT}/yard` }
    const preview = await send('yard.import', file)
    expect(preview.body.html).toContain('1 trailer would be recorded as arrived, 1 refused')
    expect((await run('yard.board', { id: 'DC1' })).trailers ?? []).toEqual([])
    const planId = /name="planId" value="([^"]+)"/.exec(preview.body.html)![1]
    await send('yard.import', { ...file, dryRun: undefined, planId })
    expect(await show(`${AT}/yard`)).toContain('TR-1')
  })
})

describe('what belongs to another tenant', () => {
  it('is not found', async () => {
    const { service, date, book, run } = await openDocks()
    const [one, other] = [await book('PO-1'), await book('PO-2', { startTime: '12:00' })]
    const hold = await run('holds.create', { facilityCode: 'DC1', type: 'delivery', targetDate: date })
    const terms = {
      type: 'delivery',
      carrierName: 'Acme',
      referencePrefix: 'ACME',
      startTime: '09:00',
      firstDate: date,
    }
    const series = await run('series.create', { facilityCode: 'DC1', ...terms, days: ['mon'] })
    await run('tenants.create', { name: 'red' })
    const { key } = await run('tenants.create-key', { tenant: 'red', role: 'admin' })
    const cookie = await service.signIn(key)
    const pages = ['attention', 'appointments', 'clear', 'holds', 'series', 'carriers', 'report', 'yard/import']
    for (const page of [...pages.map((name) => `${AT}/${name}`), `/console/series/${series.data.id}`])
      expect([page, (await service.open(page, cookie)).status]).toEqual([page, 404])
    const forms: [string, object][] = [
      ['appointments.swap', { id: one.id, otherId: other.id }],
      ['appointments.clear', { facilityCode: 'DC1', date, policy: 'cancel' }],
      ['holds.release', { id: hold.data.id }],
      ['holds.confirm', { id: hold.data.id, referenceNumber: 'X', carrierName: 'X' }],
      ['series.end', { id: series.data.id }],
      ['series.skip', { id: series.data.id, date }],
      ['series.move', { id: series.data.id, date }],
      ['series.create', { facilityCode: 'DC1', ...terms, 'days[]': ['mon'] }],
      ['carriers.admit', { id: 'DC1', name: 'X' }],
      ['carriers.exclude', { id: 'DC1', name: 'X' }],
      ['yard.import', { facilityCode: 'DC1', text: 'number,carrier\nTR-1,Acme' }],
    ]
    for (const [operation, fields] of forms)
      expect([operation, (await service.send(`/console/run/${operation}`, fields, cookie)).status]).toEqual([
        operation,
        404,
      ])
    expect((await service.open('/console/appointments?referenceNumber=PO-1', cookie)).text).toContain('0 appointments')
  })
})
