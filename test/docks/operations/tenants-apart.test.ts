import { describe, expect, it } from 'vitest'
import { verifyTenantKey } from '../../../src/access'
import { createTenant } from '../../../src/access/operations/create-tenant'
import { createTenantKey } from '../../../src/access/operations/create-tenant-key'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../src/docks/booking/operations/reschedule-appointment'
import { createFacility } from '../../../src/docks/facilities/operations/create-facility'
import { getFacility } from '../../../src/docks/facilities/operations/get-facility'
import { listFacilities } from '../../../src/docks/facilities/operations/list-facilities'
import { completeAppointment } from '../../../src/docks/visits/operations/complete-appointment'
import { suggest } from '../../../src/kernel'
import { DC1, load, NOW, officeWith, openDockOffice } from '../dock-fixtures'

async function twoTenants() {
  const office = await officeWith()
  await office.run(createTenant, { name: 'acme' })
  const { key } = await office.run(createTenantKey, { tenant: 'acme' })
  const caller = (await verifyTenantKey(office.db, key, NOW))!
  return { office, acme: office.as(caller) }
}

describe('tenants', () => {
  it("do not see each other's rows: the result is the same as for missing rows", async () => {
    const { office, acme } = await twoTenants()
    const { data } = await office.run(bookAppointment, load())
    const { id: facilityId } = await office.run(getFacility, { id: 'DC1' })
    const nowhere = '11111111-1111-1111-1111-111111111111'
    expect(await office.run(listFacilities, {}, acme)).toEqual([])
    for (const id of [facilityId, 'DC1'])
      expect((await office.refusal(getFacility, { id }, acme)).code).toBe('not_found')
    for (const op of [getAppointment, cancelAppointment, completeAppointment, rescheduleAppointment]) {
      const more = op === rescheduleAppointment ? { targetDate: '2026-11-18' } : {}
      const foreign = await office.refusal(op, { id: data.id, ...more }, acme)
      const none = await office.refusal(op, { id: nowhere, ...more }, acme)
      expect(foreign.code).toBe('not_found')
      expect(foreign.message.replace(data.id!, nowhere)).toBe(none.message)
    }
    expect((await office.refusal(listAppointments, { facilityId }, acme)).code).toBe('not_found')
    expect((await office.refusal(bookAppointment, load({ facilityCode: undefined, facilityId }), acme)).code).toBe(
      'not_found',
    )
    expect((await office.run(getAppointment, { id: data.id })).status).toBe('scheduled')
  })

  it('can use the same code and the same reference', async () => {
    const { office, acme } = await twoTenants()
    await office.run(createFacility, { ...DC1, name: 'Theirs' }, office.as({ kind: 'terminal', tenant: 'acme' }))
    await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }), acme)
    expect(data.facilityName).toBe('Theirs')
  })

  it('have no rows before the default tenant is used', async () => {
    const office = await openDockOffice()
    expect(await office.run(listFacilities, {})).toEqual([])
    expect((await office.refusal(getFacility, { id: 'DC1' })).code).toBe('not_found')
    expect((await office.refusal(bookAppointment, load())).code).toBe('not_found')
  })

  it('must exist if they are named', async () => {
    const office = await openDockOffice()
    const unknownTenant = office.as({ kind: 'terminal', tenant: 'acme' })
    const hint = ['Create it: ', suggest('tenants.create', { name: 'acme' })]
    expect(await office.refusal(listFacilities, {}, unknownTenant)).toMatchObject({ code: 'not_found', hint })
    expect(await office.refusal(createFacility, DC1, unknownTenant)).toMatchObject({ code: 'not_found', hint })
  })

  it.each(['local', 'anonymous'] as const)('are required of a caller who is %s', async (kind) => {
    const office = await officeWith()
    expect((await office.refusal(listFacilities, {}, office.as({ kind }))).code).toBe('unauthenticated')
  })
})
