import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../src/docks/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/operations/cancel-appointment'
import { completeAppointment } from '../../../src/docks/operations/complete-appointment'
import { getAppointment } from '../../../src/docks/operations/get-appointment'
import { load, officeWith } from '../dock-office'

async function bookedOffice() {
  const office = await officeWith()
  const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
  return { office, id: data.id }
}

describe('cancelling', () => {
  it('answers with status and message alone, and again the second time', async () => {
    const { office, id } = await bookedOffice()
    expect(await office.run(cancelAppointment, { id })).toEqual({
      status: 'success',
      message: 'Appointment PO-1 at DC1 is cancelled.',
    })
    expect(await office.run(cancelAppointment, { id })).toEqual({
      status: 'success',
      message: 'Appointment PO-1 at DC1 was cancelled already.',
    })
    expect((await office.run(getAppointment, { id })).status).toBe('cancelled')
  })

  it('is refused for a completed one, which stays completed', async () => {
    const { office, id } = await bookedOffice()
    await office.run(completeAppointment, { id })
    expect((await office.refusal(cancelAppointment, { id })).code).toBe('invalid_state')
    expect((await office.run(getAppointment, { id })).status).toBe('completed')
  })
})

describe('completing', () => {
  it('is a success the second time too', async () => {
    const { office, id } = await bookedOffice()
    const first = await office.run(completeAppointment, { id })
    expect(first).toMatchObject({ status: 'success', data: { id, status: 'completed' } })
    const second = await office.run(completeAppointment, { id })
    expect(second.data).toEqual(first.data)
  })

  it('is refused for a cancelled one', async () => {
    const { office, id } = await bookedOffice()
    await office.run(cancelAppointment, { id })
    expect((await office.refusal(completeAppointment, { id })).code).toBe('invalid_state')
  })
})

describe('showing one', () => {
  it('gives every field, absent ones as null', async () => {
    const { office, id } = await bookedOffice()
    const shown = await office.run(getAppointment, { id: id.toUpperCase() })
    expect(shown).toMatchObject({ id, weight: null, loadDescription: null, equipmentId: null, palletCount: null })
  })
})
