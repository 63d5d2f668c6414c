import { describe, expect, it } from 'vitest'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { createFacility } from '../../../src/docks/facilities/operations/create-facility'
import { deleteFacility } from '../../../src/docks/facilities/operations/delete-facility'
import { reportFacility } from '../../../src/docks/reports/operations/report-facility'
import { addSpots } from '../../../src/docks/yard/operations/add-spots'
import { arriveTrailer } from '../../../src/docks/yard/operations/arrive'
import { getTrailer } from '../../../src/docks/yard/operations/get-trailer'
import { importTrailers } from '../../../src/docks/yard/operations/import-trailers'
import { leaveYard } from '../../../src/docks/yard/operations/leave'
import { listTrailers } from '../../../src/docks/yard/operations/list-trailers'
import { moveTrailer } from '../../../src/docks/yard/operations/move'
import { removeSpot } from '../../../src/docks/yard/operations/remove-spot'
import { showYard } from '../../../src/docks/yard/operations/show-yard'
import { undoTrailerChange } from '../../../src/docks/yard/operations/undo'
import { updateTrailer } from '../../../src/docks/yard/operations/update-trailer'
import { dockCaller } from '../../dock-caller'
import { DC1 } from '../dock-fixtures'
import { at, yard } from './yard-fixtures'

describe('a trailer in the yard', () => {
  it('arrives, waits in a spot, is unloaded at the door of its appointment, and leaves', async () => {
    const { office, clock, arrive, board, truck } = await yard()
    const arrived = await arrive({ number: 'TR-1', appointment: 'PO-1', carrierName: undefined, spotName: 'Y2' })
    expect(arrived.message).toBe(
      'The trailer TR-1 arrived at DC1, in Y2: 2026-11-17 06:00 (America/Chicago). The appointment of PO-1 is checked in.',
    )
    expect(arrived.data).toMatchObject({ carrierName: 'Blue Freight', referenceNumber: 'PO-1', loaded: true })
    clock('17T13:10')
    const moved = await office.run(moveTrailer, { id: 'tr 1', doorName: 'Door 1' })
    expect(moved.message).toContain('The appointment of PO-1 is at the door.')
    expect(await board()).toEqual(['TR-1 Door 1'])
    clock('17T14:00')
    await office.run(moveTrailer, { id: 'TR1', spotName: 'Y1', loaded: false })
    clock('19T13:00')
    const { message, data } = await office.run(leaveYard, { id: 'TR-1' })
    expect(message).toContain('The appointment of PO-1 is departed.')
    expect(data).toMatchObject({ dwellMinutes: 49 * 60, detentionMinutes: 60, loaded: false })
    expect([await board(), await truck()]).toEqual([[], 'departed'])
    const { steps } = await office.run(getTrailer, { id: data.id })
    expect(steps.map(({ step, spotName, doorName, loaded }) => [step, spotName ?? doorName, loaded])).toEqual([
      ['arrived', 'Y2', true],
      ['moved', 'Door 1', true],
      ['moved', 'Y1', false],
      ['left', 'Y1', false],
    ])
  })

  it('may arrive days before its appointment, which is no check-in', async () => {
    const { office, clock, arrive, truck } = await yard()
    clock('16T12:59')
    expect((await arrive({ number: 'TR-1', appointment: 'PO-1' })).message).not.toContain('checked in')
    clock('17T13:00')
    await office.run(moveTrailer, { id: 'TR-1', doorName: 'Door 1' })
    expect(await truck()).toBe('at_door')
  })

  it('goes to no other door than that of its appointment while its load is to be handled', async () => {
    const { office, arrive, board, truck } = await yard()
    await arrive({ number: 'TR-1', appointment: 'PO-1', spotName: 'Y1' })
    const { code, message } = await office.refusal(moveTrailer, { id: 'TR-1', doorName: 'Door 2' })
    expect([code, message]).toEqual(['conflict', 'The appointment of PO-1 is at Door 1.'])
    expect([await board(), await truck()]).toEqual([['TR-1 Y1'], 'checked_in'])
  })

  it('is known by its number while it is there, in any spelling, and at each facility by itself', async () => {
    const { office, arrive } = await yard()
    await office.run(createFacility, { ...DC1, code: 'DC2', name: 'South' })
    const { data } = await arrive({ number: 'ILX-4411' })
    expect((await office.refusal(arriveTrailer, { ...at, number: 'ilx 4411', carrierName: 'Red' })).code).toBe(
      'conflict',
    )
    await arrive({ number: 'ILX4411', facilityCode: 'DC2' })
    expect((await office.refusal(getTrailer, { id: 'ilx4411' })).details).toMatchObject([{ path: 'facilityCode' }])
    expect((await office.run(getTrailer, { id: 'ilx4411', ...at })).id).toBe(data.id)
    await office.run(leaveYard, { id: 'ilx4411', ...at })
    expect((await office.refusal(leaveYard, { id: data.id })).code).toBe('invalid_state')
    expect((await office.refusal(getTrailer, { id: 'ilx4411', ...at })).code).toBe('not_found')
    expect((await arrive({ number: 'ILX-4411' })).data.id).not.toBe(data.id)
    expect((await office.refusal(arriveTrailer, { ...at, number: '--', carrierName: 'Red' })).code).toBe('invalid')
  })

  it('of a deleted facility is found, and is not changed until the facility is restored', async () => {
    const { office, arrive, appointmentId } = await yard()
    await arrive({ number: 'TR-1' })
    await office.run(cancelAppointment, { id: appointmentId })
    await office.run(deleteFacility, { id: 'DC1' })
    expect((await office.run(getTrailer, { id: 'TR-1', ...at })).number).toBe('TR-1')
    const { code, message } = await office.refusal(leaveYard, { id: 'TR-1', ...at })
    expect([code, message]).toEqual(['not_found', 'The facility DC1 is deleted.'])
  })

  it('has a place for itself', async () => {
    const { office, arrive, board } = await yard()
    await arrive({ number: 'A', spotName: 'Y1' })
    await arrive({ number: 'B', doorName: 'Door 2' })
    const taken = [
      office.refusal(arriveTrailer, { ...at, number: 'C', carrierName: 'Red', spotName: 'Y1' }),
      office.refusal(moveTrailer, { id: 'A', doorName: 'Door 2' }),
      office.refusal(removeSpot, { id: 'DC1', name: 'Y1' }),
    ]
    for (const error of await Promise.all(taken)) expect(error.code).toBe('conflict')
    const unknown = await office.refusal(moveTrailer, { id: 'A', spotName: 'Y9' })
    expect([unknown.code, unknown.details]).toMatchObject(['invalid', [{ path: 'spotName' }]])
    expect((await office.run(moveTrailer, { id: 'A', spotName: 'Y1' })).message).toContain('Nothing was changed')
    expect(await board()).toEqual(['A Y1', 'B Door 2'])
  })

  it('takes one of two calls that want the same spot at the same time', async () => {
    const { office, board } = await yard()
    const calls = Array.from({ length: 8 }, (_, n) =>
      office.run(arriveTrailer, { ...at, number: `T${n}`, carrierName: 'Red', spotName: 'Y1' }),
    )
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await board()).toHaveLength(1)
  })

  it('is corrected, with what it was in its steps', async () => {
    const { office, arrive, appointmentId } = await yard()
    await arrive({ number: 'TR-1', spotName: 'Y1', note: 'Bad tire' })
    const { data } = await office.run(updateTrailer, {
      id: 'TR-1',
      number: 'TR-2',
      loaded: false,
      note: null,
      appointment: 'PO-1',
    })
    expect(data).toMatchObject({ number: 'TR-2', loaded: false, note: null, appointmentId, spotName: 'Y1' })
    expect((await office.run(updateTrailer, { id: 'TR-2', appointment: null })).data.appointmentId).toBeNull()
    await arrive({ number: 'TR-3' })
    expect((await office.refusal(updateTrailer, { id: 'TR-3', number: 'tr2' })).code).toBe('conflict')
    expect((await office.refusal(updateTrailer, { id: 'TR-3' })).code).toBe('invalid')
    expect((await office.run(updateTrailer, { id: 'TR-3', loaded: true })).message).toContain('Nothing was changed')
    expect((await office.run(getTrailer, { id: 'TR-3' })).steps).toHaveLength(1)
    expect((await office.refusal(updateTrailer, { id: 'TR-3', appointment: 'PO-9' })).code).toBe('invalid')
  })

  it('gets a step undone, unless another trailer has taken its place', async () => {
    const { office, arrive, board } = await yard()
    const { data } = await arrive({ number: 'TR-1', spotName: 'Y1' })
    await office.run(moveTrailer, { id: 'TR-1', spotName: 'Y2' })
    await office.run(leaveYard, { id: 'TR-1' })
    await arrive({ number: 'TR-2', spotName: 'Y2' })
    expect((await office.refusal(undoTrailerChange, { id: data.id })).message).toContain('TR-2 has taken its place, Y2')
    await office.run(moveTrailer, { id: 'TR-2', spotName: 'Y10' })
    const undo = async () => (await office.run(undoTrailerChange, { id: data.id })).message
    expect(await undo()).toContain('its departure')
    expect(await board()).toEqual(['TR-1 Y2', 'TR-2 Y10'])
    expect(await undo()).toContain('its move')
    expect(await board()).toEqual(['TR-1 Y1', 'TR-2 Y10'])
    const { steps } = await office.run(getTrailer, { id: data.id })
    expect(steps.map(({ step, undoneBy }) => [step, undoneBy])).toEqual([
      ['arrived', null],
      ['moved', 'terminal'],
      ['left', 'terminal'],
    ])
    expect((await office.run(undoTrailerChange, { id: data.id })).data).toBeNull()
    expect(await board()).toEqual(['TR-2 Y10'])
  })

  it('cannot be moved before its last step, or in the future', async () => {
    const { office, arrive } = await yard()
    await arrive({ number: 'TR-1', at: '05:30' })
    for (const time of ['05:29', '06:01'])
      expect((await office.refusal(moveTrailer, { id: 'TR-1', spotName: 'Y1', at: time })).details).toMatchObject([
        { path: 'at' },
      ])
    await office.run(moveTrailer, { id: 'TR-1', spotName: 'Y1', at: '05:45' })
    expect((await office.refusal(leaveYard, { id: 'TR-1', at: '05:40' })).code).toBe('invalid')
  })

  it('does not arrive before it last left, so that importing an old file counts no stay twice', async () => {
    const { office, clock, arrive } = await yard()
    await arrive({ number: 'TR-1', at: '05:00' })
    clock('17T13:00')
    await office.run(leaveYard, { id: 'TR-1' })
    const again = { ...at, number: 'tr1', carrierName: 'Red', at: '06:59' }
    expect((await office.refusal(arriveTrailer, again)).details).toMatchObject([{ path: 'at' }])
    const { rows } = await office.run(importTrailers, {
      ...at,
      text: 'number,carrier,arrived\nTR-1,Red,2026-11-17T05:00',
    })
    expect(rows).toMatchObject([{ outcome: 'refused', code: 'invalid' }])
    await office.run(arriveTrailer, { ...again, at: '07:00' })
  })

  it('of another tenant is not found, and no carrier sees the yard', async () => {
    const { office, arrive, board } = await yard()
    const { data } = await arrive({ number: 'TR-1', spotName: 'Y1' })
    const other = office.as({ kind: 'terminal', tenant: 'other' })
    const carrier = office.as(dockCaller({ role: 'admin', carrier: 'Blue Freight' }))
    const calls = ['TR-1', data.id].flatMap((id) => [
      [getTrailer, { id }] as const,
      [moveTrailer, { id, spotName: 'Y2' }] as const,
      [updateTrailer, { id, note: 'Mine' }] as const,
      [leaveYard, { id }] as const,
      [undoTrailerChange, { id }] as const,
    ])
    const ofFacility = [
      [showYard, { id: 'DC1' }],
      [addSpots, { id: 'DC1', names: ['Y3'] }],
      [removeSpot, { id: 'DC1', name: 'Y2' }],
      [listTrailers, at],
      [arriveTrailer, { ...at, number: 'TR-2', carrierName: 'Red' }],
      [importTrailers, { ...at, text: 'number,carrier\nTR-2,Red' }],
    ] as const
    for (const [call, input] of [...calls, ...ofFacility]) {
      expect([call.id, (await office.refusal(call, input, other)).code]).toEqual([call.id, 'not_found'])
      expect([call.id, (await office.refusal(call, input, carrier)).code]).toEqual([call.id, 'forbidden'])
    }
    expect(await board()).toEqual(['TR-1 Y1'])
  })
})

describe('the spots of a yard', () => {
  it('are in the order of their names, and come back under their name', async () => {
    const { office, arrive } = await yard()
    await office.run(removeSpot, { id: 'DC1', name: 'Y2' })
    await office.run(addSpots, { id: 'DC1', names: ['Y2'] })
    const { spots, counts } = await office.run(showYard, { id: 'DC1' })
    expect(spots.map(({ name }) => name)).toEqual(['Y1', 'Y2', 'Y10'])
    expect(counts).toMatchObject({ spots: 3, freeSpots: 3 })
    await arrive({ number: 'TR-1', spotName: 'Y2' })
    expect((await office.run(showYard, { id: 'DC1' })).counts.freeSpots).toBe(2)
    expect((await office.refusal(removeSpot, { id: 'DC1', name: 'Y9' })).code).toBe('not_found')
  })
})

describe('a file of trailers', () => {
  const file = [
    'Trailer,Carrier,Loaded,Spot,Arrived,Reference',
    'TR-1,,yes,Y1,2026-11-15T06:00,PO-1',
    'TR-2,Red,empty,Y1,,',
    'TR-3,Red,no,Y2,,',
    'TR-4,Red,maybe,,,',
    'TR-5,,yes,,,',
  ].join('\n')

  it('is stored row by row, again without doubles', async () => {
    const { office, board } = await yard()
    const dry = await office.run(importTrailers, { ...at, text: file, dryRun: true })
    expect(dry).toMatchObject({ arrived: 2, refused: 3 })
    expect(await board()).toEqual([])
    const { rows, ...counts } = await office.run(importTrailers, { ...at, text: file })
    expect(counts).toEqual({ arrived: 2, refused: 3, dryRun: false })
    expect(rows.map(({ line, outcome, message }) => [line, outcome, message])).toEqual([
      [2, 'arrived', null],
      [3, 'refused', 'The trailer TR-1 is at Y1.'],
      [4, 'arrived', null],
      [5, 'refused', 'Invalid input. Loaded: must be yes or no'],
      [6, 'refused', 'Invalid input. Carrier: is required unless an appointment is given'],
    ])
    expect(await board()).toEqual(['TR-1 Y1', 'TR-3 Y2'])
    const again = await office.run(importTrailers, { ...at, text: file })
    expect(again.rows.map(({ outcome }) => outcome)).toEqual([
      'already_there',
      'refused',
      'already_there',
      'refused',
      'refused',
    ])
  })

  it('has its errors at the columns of the file, and only trailers that exist in its report', async () => {
    const { office } = await yard()
    const rows = [
      'number,carrier,arrived,appointmentId',
      'A,Red,2026-12-01T06:00,',
      'B,,,00000000-0000-4000-8000-00000000abcd',
      'C,Red,,',
      'c,Red,,',
    ]
    const report = await office.run(importTrailers, { ...at, text: rows.join('\n'), dryRun: true })
    expect(report.rows.map(({ outcome, id, message }) => [outcome, id, message])).toEqual([
      ['refused', null, expect.stringMatching(/^Invalid input. arrived: is in the future/)],
      ['refused', null, expect.stringMatching(/^Invalid input. appointmentId: is no ID/)],
      ['arrived', null, null],
      ['already_there', null, null],
    ])
  })

  it('says in the words of the file whether a trailer is loaded, in JSON too', async () => {
    const { office } = await yard()
    const loads = ['yes', 'Empty', false, null, 'maybe', 1]
    const file = loads.map((loaded, n) => ({ number: `T${n}`, carrierName: 'Red', loaded }))
    const { rows } = await office.run(importTrailers, { ...at, text: JSON.stringify(file) })
    expect(rows.map(({ message }) => message)).toEqual([
      ...[null, null, null, null],
      ...['Invalid input. loaded: must be yes or no', 'Invalid input. loaded: must be yes or no'],
    ])
    expect((await office.run(listTrailers, at)).map(({ loaded }) => loaded)).toEqual([true, false, false, true])
  })

  it('may be an exported list, for the yard of another facility', async () => {
    const { office, arrive } = await yard()
    await arrive({ number: 'TR-1', spotName: 'Y1', loaded: false, note: '=1+1', at: '2026-11-14T05:00' })
    const list = await office.run(listTrailers, at)
    await office.run(createFacility, { ...DC1, code: 'DC2', name: 'South' })
    await office.run(addSpots, { id: 'DC2', names: ['Y1'] })
    const { arrived } = await office.run(importTrailers, { facilityCode: 'DC2', text: JSON.stringify(list) })
    const [copy] = await office.run(listTrailers, { facilityCode: 'DC2' })
    const { id, facilityId, facilityCode } = copy!
    expect([arrived, copy]).toEqual([1, { ...list[0], id, facilityId, facilityCode, placedAt: list[0]!.arrivedAt }])
  })
})

describe('the report', () => {
  it('has the stays of trailers by carrier, and no stay of a truck that dropped its trailer', async () => {
    const { office, clock, arrive } = await yard({ trailerFreeHours: 24 })
    await arrive({ number: 'TR-1', appointment: 'PO-1', doorName: 'Door 1' })
    await arrive({ number: 'TR-2', carrierName: 'Red', at: '2026-11-16T23:59' })
    clock('19T12:00')
    await office.run(leaveYard, { id: 'TR-1' })
    const dates = { startDate: '2026-11-17', endDate: '2026-11-17' }
    const report = await office.run(reportFacility, { id: 'DC1', ...dates })
    const stay = { count: 1, median: 48, p90: 48, max: 48 }
    const blue = { trailers: 1, present: 0, dwellHours: stay, detained: 1, detentionMinutes: 24 * 60 }
    expect(report.yard).toEqual({ ...blue, carriers: [{ name: 'Blue Freight', ...blue }] })
    expect(report).toMatchObject({ dwellMinutes: { count: 0 }, waitMinutes: { count: 0 }, detention: { detained: 0 } })
    expect(report.totals.completed).toBe(1)
  })
})
