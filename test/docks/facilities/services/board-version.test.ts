import { expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { updateDoor } from '../../../../src/docks/facilities/operations/update-door'
import { readBoardVersion } from '../../../../src/docks/facilities/services/board-version'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { load, officeWith } from '../../dock-fixtures'

it('the version of a board differs after each change of the board', async () => {
  const office = await officeWith()
  const read = () => readBoardVersion(office.ctx, { id: 'DC1', date: '2026-11-17' })
  const seen = [await read()]
  let ms = 0
  const note = async (change: Promise<unknown>) => {
    await change
    office.at(`2026-11-16T14:00:00.${String(++ms).padStart(3, '0')}Z`)
    seen.push(await read())
  }
  const { data } = await office.run(bookAppointment, load({ startTime: '09:00' }))
  const id = data.id
  await note(office.run(bookAppointment, load({ startTime: '10:00' })))
  await note(office.run(rescheduleAppointment, { id, targetDate: '2026-11-17', startTime: '13:00' }))
  await note(office.run(checkInAppointment, { id, early: true }))
  await note(office.run(cancelAppointment, { id }))
  const hold = { facilityCode: 'DC1', type: 'delivery', targetDate: '2026-11-17', startTime: '15:00' }
  await note(office.run(createHold, { ...hold, holdMinutes: 5 }))
  await note(office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 2', active: false }))
  office.at('2026-11-16T14:30:00Z')
  seen.push(await read())
  expect(new Set(seen).size).toBe(seen.length)
  expect(await read()).toBe(seen.at(-1))
  await office.run(bookAppointment, load({ targetDate: '2026-11-19' }))
  expect(await read()).toBe(seen.at(-1))
})
