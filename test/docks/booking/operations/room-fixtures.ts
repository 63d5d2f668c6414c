import { verifyTenantKey } from '../../../../src/access'
import { createTenantKey } from '../../../../src/access/operations/create-tenant-key'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { type DockOffice, load, NOW, officeWith } from '../../dock-fixtures'

export const AT_NINE = { startTime: '09:00' }
export const REEFER = { requirements: ['reefer'] }

/** Door 1 takes refrigerated loads, Door 2 does not. `first` is an ordinary load at Door 1 at 09:00. */
export async function officeWithFirst(facility: Record<string, unknown> = {}, booking: Record<string, unknown> = {}) {
  const doors = [{ name: 'Door 1', features: ['reefer'] }, { name: 'Door 2' }]
  const office = await officeWith({ makeRoom: 'ask', doors, ...facility })
  const first = await book(office, { ...AT_NINE, doorId: 'Door 1', ...booking })
  return { office, first }
}

export const book = async (office: DockOffice, changes: Record<string, unknown>, ctx = office.ctx) =>
  (await office.run(bookAppointment, load(changes), ctx)).data
export const doorOf = async (office: DockOffice, { id }: { id: string | null }) =>
  (await office.run(getAppointment, { id })).doorName
export const bookReefer = (office: DockOffice, more: Record<string, unknown> = {}, ctx = office.ctx) =>
  office.run(bookAppointment, load({ ...AT_NINE, ...REEFER, makeRoom: true, ...more }), ctx)

export async function carrierAt(office: DockOffice, name: string) {
  const { key } = await office.run(createTenantKey, { carrier: name })
  return office.as((await verifyTenantKey(office.db, key, NOW))!)
}
