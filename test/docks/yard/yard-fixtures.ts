import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { addSpots } from '../../../src/docks/yard/operations/add-spots'
import { arriveTrailer } from '../../../src/docks/yard/operations/arrive'
import { showYard } from '../../../src/docks/yard/operations/show-yard'
import { load, officeWith } from '../dock-fixtures'

export const at = { facilityCode: 'DC1' }

/** Tuesday, 06:00 in Chicago: a yard with three spots, and an appointment at 07:00 at Door 1. */
export async function yard(facility: Record<string, unknown> = {}) {
  const office = await officeWith(facility)
  await office.run(addSpots, { id: 'DC1', names: ['Y10', 'Y2', 'Y1', 'Y2'] })
  const { data } = await office.run(
    bookAppointment,
    load({ referenceNumber: 'PO-1', startTime: '2026-11-17T07:00', doorId: 'Door 1' }),
  )
  const clock = (time: string) => office.at(`2026-11-${time}:00Z`)
  clock('17T12:00')
  const arrive = (input: object) => office.run(arriveTrailer, { ...at, carrierName: 'Blue Freight', ...input })
  const board = async () => {
    const { spots, doors, elsewhere } = await office.run(showYard, { id: 'DC1' })
    const shown = [...spots, ...doors].flatMap(({ name, trailer }) => (trailer ? [`${trailer.number} ${name}`] : []))
    return [...shown, ...elsewhere.map(({ number }) => number)]
  }
  const truck = async () => (await office.run(getAppointment, { id: data.id })).step
  return { office, clock, arrive, board, truck, appointmentId: data.id }
}
