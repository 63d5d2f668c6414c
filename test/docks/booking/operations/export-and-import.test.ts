import fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderAppointmentsCsv } from '../../../../commands/views/docks/appointments-csv'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { type DockOffice, officeWith } from '../../dock-fixtures'

/** Formulas, separators and line breaks must survive. */
const text = fc
  .array(fc.constantFrom("'", '=', '+', '-', '@', ',', ';', '"', '\n', '\r', 'a', '7', 'é', ' ', '＝'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''))
  .filter((made) => made.trim() !== '')
const DOORS = { doors: [{ name: 'Door 1' }, { name: 'Door 2', features: ['reefer', 'hazmat'] }] }
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const bookings = fc.array(
  fc.record({
    facilityCode: fc.constant('DC1'),
    type: fc.constantFrom('pickup', 'delivery'),
    carrierName: text,
    targetDate: fc.constantFrom('2026-11-17', '2026-11-18', '2027-03-15'),
    durationMinutes: maybe(fc.integer({ min: 15, max: 240 })),
    palletCount: maybe(fc.nat(100)),
    weight: maybe(fc.nat(50_000)),
    loadDescription: maybe(text),
    equipmentId: maybe(text),
    pieceCount: maybe(fc.nat(500)),
    requirements: maybe(fc.subarray(['reefer', 'hazmat'])),
    equipmentHeight: maybe(fc.integer({ min: 96, max: 162 })),
  }),
  { minLength: 1, maxLength: 8 },
)

const list = (office: DockOffice) =>
  office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-16', endDate: '2027-04-30' })

/** Without what differs between two installations. */
const contentOf = (appointments: Awaited<ReturnType<typeof list>>) =>
  appointments.map(({ id: _i, facilityId: _f, doorId: _d, updatedAt: _u, sequence: _s, ...rest }) => rest)

it('imports an exported list, as CSV or JSON, to the same appointments, and where it was exported changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(bookings, maybe(fc.nat(7)), async (requested, cancelled) => {
      const origin = await officeWith(DOORS)
      for (const [index, booking] of requested.entries())
        await origin.run(bookAppointment, { ...booking, referenceNumber: `=${index}` })
      const all = await list(origin)
      const ended = cancelled === null ? undefined : all[cancelled]
      if (ended) await origin.run(cancelAppointment, { id: ended.id })
      const exported = await list(origin)
      const scheduled = exported.filter(({ status }) => status === 'scheduled')
      for (const file of [renderAppointmentsCsv(exported), JSON.stringify(exported)]) {
        const other = await officeWith(DOORS)
        const { refused, moved } = await other.run(importAppointments, { text: file })
        expect({ refused, moved }).toEqual({ refused: [], moved: 0 })
        expect(contentOf(await list(other))).toEqual(contentOf(scheduled))
        const again = await origin.run(importAppointments, { text: file })
        expect(again).toMatchObject({ imported: 0, importedBefore: scheduled.length, refused: [] })
        expect(await list(origin)).toEqual(exported)
      }
    }),
    { numRuns: 12 },
  )
})
