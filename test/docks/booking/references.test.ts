import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderAppointmentsCsv } from '../../../commands/views/docks/appointments-csv'
import { archiveAppointments } from '../../../src/docks/archive/operations/archive-appointments'
import { unarchiveAppointments } from '../../../src/docks/archive/operations/unarchive-appointments'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../src/docks/booking/operations/create-hold'
import { findAppointments } from '../../../src/docks/booking/operations/find-appointments'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { importAppointments } from '../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { showHistory } from '../../../src/docks/booking/operations/show-history'
import { updateAppointment } from '../../../src/docks/booking/operations/update-appointment'
import {
  formatReference,
  formatReferenceList,
  parseReference,
  parseReferenceList,
} from '../../../src/docks/booking/rules/references'
import { docksTables } from '../../../src/docks/queries/docks-tables'
import { completeAppointment } from '../../../src/docks/visits/operations/complete-appointment'
import { reopenAppointment } from '../../../src/docks/visits/operations/reopen-appointment'
import { acceptOffer } from '../../../src/docks/waitlist/operations/accept-offer'
import { addToWaitlist } from '../../../src/docks/waitlist/operations/add-to-waitlist'
import { offerSlots } from '../../../src/docks/waitlist/operations/offer-slots'
import type { StudioError } from '../../../src/kernel'
import { temporaryFolder } from '../../temporary-folder'
import { load, officeWith } from '../dock-fixtures'

const ref = (number: string, pallets: number | null = null, pieces: number | null = null) => ({
  number,
  pallets,
  pieces,
})
const THREE = [ref('PO-A', 10, 100), ref('PO-B', 4, 20), ref('PO-C', 1, 2)]
const ANY = { durationMinutes: undefined }

async function office() {
  const opened = await officeWith()
  const book = async (more: object) => (await opened.run(bookAppointment, load(more as never))).data.id!
  const get = (id: string) => opened.run(getAppointment, { id })
  const find = async (referenceNumber: string) =>
    (await opened.run(findAppointments, { referenceNumber })).map(({ id }) => id)
  return { ...opened, book, get, find }
}

const detailsOf = ({ code, details }: StudioError) => [
  code,
  ...(details ?? []).map(({ path, message }) => `${path} ${message}`),
]

describe('the references of an appointment', () => {
  it('have their own pallets and pieces, whose sums are those of the load and set its length', async () => {
    const { book, get, run } = await office()
    const id = await book({ referenceNumber: 'PO-A', references: THREE, ...ANY })
    const booked = { referenceNumber: 'PO-A', references: THREE, palletCount: 15, pieceCount: 122, durationMinutes: 50 }
    expect(await get(id)).toMatchObject(booked)
    const unsaid = await book({ referenceNumber: 'U-1', references: ['U-1=20', 'U-2=11'], palletCount: null, ...ANY })
    expect(await get(unsaid)).toMatchObject({ palletCount: 31, durationMinutes: 82 })
    await run(updateAppointment, { id: unsaid, palletCount: null })
    expect(await get(unsaid)).toMatchObject({ palletCount: 31 })
    const single = await get(await book({ referenceNumber: 'PO-D', palletCount: 3 }))
    expect(single.references).toEqual([ref('PO-D', 3)])
  })

  it('begin with referenceNumber, also if the list does not have it, or has it later', async () => {
    const { book, get } = await office()
    const numbersOf = async (id: string) => (await get(id)).references.map(({ number }) => number)
    expect(await numbersOf(await book({ referenceNumber: 'X', references: ['Y', 'Z=3/40'] }))).toEqual(['X', 'Y', 'Z'])
    expect(await numbersOf(await book({ referenceNumber: 'Q', references: ['P', 'Q=3'] }))).toEqual(['Q', 'P'])
  })

  it('are read as they are written, whatever their numbers are', async () => {
    const written = [
      ref('A=5', null, null),
      ref('A=5', 3, null),
      ref('B', null, 7),
      ref('C', 2, 0),
      ref('=', null, null),
    ]
    for (const reference of written) expect(parseReference(formatReference(reference))).toEqual(reference)
    expect((parseReferenceList(formatReferenceList(written)) as string[]).map(parseReference)).toEqual(written)
  })

  it('find it, each of them, in lists and searches, also after it was cancelled', async () => {
    const { book, find, run } = await office()
    const id = await book({ referenceNumber: 'PO-A', references: THREE })
    await book({ referenceNumber: 'OTHER' })
    for (const { number } of THREE) {
      expect(await find(number)).toEqual([id])
      expect(await run(listAppointments, { facilityCode: 'DC1', referenceNumber: number })).toMatchObject([{ id }])
    }
    await run(cancelAppointment, { id })
    const again = await book({ referenceNumber: 'PO-B' })
    const listed = await run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-B' })
    expect(listed.map((entry) => entry.id)).toEqual([again, id])
  })

  it('are each booked once, whichever of them another booking has', async () => {
    const { book, refusal, run, ctx } = await office()
    const id = await book({ referenceNumber: 'PO-A', references: THREE })
    const requests = [
      { referenceNumber: 'PO-C' },
      { referenceNumber: 'NEW', references: ['NEW', 'PO-B'] },
      { referenceNumber: 'NEW', references: ['PO-A'] },
    ]
    for (const [index, request] of requests.entries()) {
      const taken = ['PO-C', 'PO-B', 'PO-A'][index]
      const refused = await refusal(bookAppointment, load(request))
      expect(refused).toMatchObject({ code: 'duplicate_reference', details: [{ appointment: { id } }] })
      expect(refused.message).toContain(`reference number ${taken}.`)
    }
    const { referenceNumber: _, ...place } = load()
    const hold = await run(createHold, place)
    const confirm = { id: hold.data.id, referenceNumber: 'NEW', references: ['PO-B'] }
    expect((await refusal(confirmHold, confirm)).code).toBe('duplicate_reference')
    const other = await book({ referenceNumber: 'OTHER' })
    const update = { id: other, references: ['OTHER', 'PO-C'] }
    expect((await refusal(updateAppointment, update)).code).toBe('duplicate_reference')
    expect((await refusal(addToWaitlist, load(requests[1]))).code).toBe('duplicate_reference')
    const report = await run(importAppointments, { text: JSON.stringify(requests.map((each) => load(each))) }, ctx)
    expect(report.refused.map(({ code }) => code)).toEqual(Array(3).fill('duplicate_reference'))
  })

  it('are booked once by bookings at the same time that share one of them', async () => {
    const { run, find } = await office()
    const requests = Array.from({ length: 12 }, (_, n) => ({
      referenceNumber: `R-${n}`,
      references: [`S-${n}`, 'SHARED'],
    }))
    const outcomes = await Promise.allSettled(requests.map((each) => run(bookAppointment, load(each))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await find('SHARED')).toHaveLength(1)
  })

  it('are changed, and the history says what they were', async () => {
    const { book, get, run, find } = await office()
    const id = await book({ referenceNumber: 'PO-A', references: THREE })
    await run(updateAppointment, { id, references: [ref('PO-C', 5, 5), ref('PO-E', 1, 1)] })
    expect(await get(id)).toMatchObject({ referenceNumber: 'PO-C', palletCount: 6, pieceCount: 6 })
    expect([await find('PO-A'), await find('PO-B'), await find('PO-E')]).toEqual([[], [], [id]])
    const { changes } = (await run(showHistory, { id })).at(-1)!
    expect(changes.find(({ field }) => field === 'references')).toMatchObject({ before: THREE })
    await run(updateAppointment, { id, referenceNumber: 'PO-F' })
    expect((await get(id)).references).toEqual([ref('PO-F', 5, 5), ref('PO-E', 1, 1)])
    await run(updateAppointment, { id, references: null })
    expect((await get(id)).references).toEqual([ref('PO-F', 6, 6)])
    expect(await find('PO-E')).toEqual([])
    const same = await run(updateAppointment, { id, references: null })
    expect(same.message).toContain('Nothing was changed')
  })

  it('must be different, and must agree with the numbers of the load', async () => {
    const { book, refusal } = await office()
    const twice = { referenceNumber: 'A', references: ['B', 'A', 'B'] }
    expect(detailsOf(await refusal(bookAppointment, load(twice)))).toEqual(['invalid', 'references has B twice'])
    const wrong = { referenceNumber: 'PO-A', references: THREE, palletCount: 14 }
    expect(detailsOf(await refusal(bookAppointment, load(wrong)))).toEqual([
      'invalid',
      'palletCount must be the sum of the references, 15',
    ])
    const little = { referenceNumber: 'A', references: ['B=12'], palletCount: 11 }
    expect(detailsOf(await refusal(bookAppointment, load(little)))).toEqual([
      'invalid',
      'palletCount must be at least the sum of the references, 12',
    ])
    const huge = { referenceNumber: 'A', references: ['A=1000000000', 'B=1'] }
    expect(detailsOf(await refusal(bookAppointment, load(huge)))).toEqual([
      'invalid',
      'references have more than 1000000000 pallets',
    ])
    const id = await book({ referenceNumber: 'PO-A', references: THREE })
    expect(detailsOf(await refusal(updateAppointment, { id, palletCount: 3 }))).toEqual([
      'invalid',
      'palletCount must be the sum of the references, 15',
    ])
  })

  it('wait, are offered and booked together, and leave the waitlist when one of them is booked', async () => {
    const { run, book, find, db } = await office()
    const wait = load({ referenceNumber: 'PO-A', references: THREE })
    const { data } = await run(addToWaitlist, wait)
    expect(data).toMatchObject({ references: THREE, palletCount: 15 })
    const accepted = await run(acceptOffer, { id: data.id })
    expect(await find('PO-C')).toEqual([accepted.data.id])
    await run(addToWaitlist, load({ referenceNumber: 'W-1', references: ['W-2'] }))
    await book({ referenceNumber: 'W-2' })
    await run(offerSlots, {})
    const waiting = await db.read((tx) => docksTables(tx).selectFrom('waitlist_entry').select('id').execute())
    expect(waiting).toEqual([])
  })

  it('are exported and imported, in tables and as JSON', async () => {
    const { run, ctx } = await office()
    const listed = async () =>
      run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-01', endDate: '2026-12-31' })
    const odd = [ref('A;B', 1), ref('C=D', 2, 3)]
    const rows = [
      load({ referenceNumber: 'PO-A', references: THREE }),
      load({ referenceNumber: 'A;B', references: odd }),
    ]
    expect(await run(importAppointments, { text: JSON.stringify(rows) }, ctx)).toMatchObject({
      imported: 2,
      refused: [],
    })
    expect(await run(importAppointments, { text: JSON.stringify(rows) }, ctx)).toMatchObject({ importedBefore: 2 })
    const csv = renderAppointmentsCsv(await listed())
    const elsewhere = await office()
    const report = await elsewhere.run(importAppointments, { text: csv }, elsewhere.ctx)
    expect(report).toMatchObject({ imported: 2, refused: [] })
    const moved = await elsewhere.run(findAppointments, { referenceNumber: 'C=D' })
    expect(moved).toMatchObject([{ referenceNumber: 'A;B', references: odd }])
  })

  it('are archived and restored, unless one of them was booked again', async () => {
    const { run, book, find, at, refusal, ctx } = await office()
    const [one, other] = [
      await book({ referenceNumber: 'PO-A', references: THREE }),
      await book({ referenceNumber: 'D', references: ['E'] }),
    ]
    await run(completeAppointment, { id: one })
    at('2026-11-23T14:00:00Z')
    const locations = { current: 'docks.db', protectedFiles: [], resolveAddress: (file: string) => file }
    const file = join(temporaryFolder(), 'old.gz')
    const own = { ...ctx, locations }
    expect(await run(archiveAppointments, { file, before: '2026-11-20' }, own)).toMatchObject({ archived: 2 })
    expect([await find('PO-B'), await find('E')]).toEqual([[], []])
    await book({ referenceNumber: 'E', targetDate: '2026-11-24' })
    const report = await run(unarchiveAppointments, { file }, own)
    expect(report).toMatchObject({ restored: 1, refused: 1, results: [{ id: other }] })
    expect(await find('PO-B')).toEqual([one])
    await book({ referenceNumber: 'PO-B', targetDate: '2026-11-24' })
    expect((await refusal(reopenAppointment, { id: one })).code).toBe('duplicate_reference')
  })
})
