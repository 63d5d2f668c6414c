import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import type { Facility } from '../../../../src/docks/facilities/rules/facility'
import { findFacility, setArchivedAt, updateFacility } from '../../../../src/docks/queries'
import { requireFacility } from '../../../../src/docks/services/tenant-access'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

/** Changes the row as another process would, so that this one still expects the facility as it saw it last. */
async function changeElsewhere(office: DockOffice, change: (facility: Facility) => Partial<Facility>): Promise<void> {
  await office.db.write(async (tx) => {
    const { tenantId, id } = await requireFacility(office.ctx, tx, { facilityCode: 'DC1' })
    const facility = (await findFacility(tx, tenantId, { id }))!
    const { archivedAt, ...fields } = change(facility)
    await updateFacility(tx, { ...facility, ...fields })
    if (archivedAt) await setArchivedAt(tx, id, Date.parse(archivedAt))
  })
}

async function officeThatHasBooked(facility: Record<string, unknown> = {}): Promise<DockOffice> {
  const office = await officeWith(facility)
  await office.run(bookAppointment, load())
  return office
}

describe('a booking at a facility that another process has changed', () => {
  it('follows its new hours', async () => {
    const office = await officeThatHasBooked()
    await changeElsewhere(office, () => ({ closures: [{ from: '2026-11-17', to: '2026-11-17', reason: 'Snow' }] }))
    const { data } = await office.run(bookAppointment, load())
    expect(data.startTime).toBe('2026-11-18T12:00:00.000Z')
  })

  it('is not refused for what the facility was before', async () => {
    const office = await officeThatHasBooked({ minMinutes: 60 })
    await changeElsewhere(office, () => ({ minMinutes: 15 }))
    const { data } = await office.run(bookAppointment, load({ durationMinutes: 30 }))
    expect(data.durationMinutes).toBe(30)
  })

  it('is refused if it was deleted', async () => {
    const office = await officeThatHasBooked()
    await changeElsewhere(office, () => ({ archivedAt: '2026-11-16T14:00:00Z' }))
    expect(await office.refusal(bookAppointment, load())).toMatchObject({ code: 'not_found' })
  })
})
