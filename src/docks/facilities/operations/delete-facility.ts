import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { findDoors, listHolds, listUnfinishedAppointments, setArchivedAt } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { FacilityName } from '../../schemas'
import { lockAnyFacility, writeAppointments } from '../../services/tenant-access'
import { endHold } from '../../waitlist/services/waitlist'
import { chooseFacility, nameFacility } from '../rules/facility'
import { Facility } from '../schemas'
import { parseFacilityName } from '../services/facility-options'

export const deleteFacility = operation({
  id: 'facilities.delete',
  summary: 'Delete a facility that has no scheduled appointments',
  description:
    'Its appointments and their history can still be listed, but nothing can be booked or changed there. Its holds end, and its series and waitlist pause. Its code stays reserved. A deleted facility can be restored.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({ id: FacilityName }),
  output: Facility,
  errors: ['not_found', 'conflict'],
  http: { method: 'delete', path: '/api/facilities/{id}', extension: true },
  cli: {
    command: 'facility delete',
    args: ['id'],
    argumentNames: { id: 'code' },
    notice: ({ code }) => `To undo it: studio facility restore ${code}`,
    examples: [
      'studio facility create --code DC7 --name South --time-zone America/Chicago --queue "mon-fri 06:00-18:00" --door "Door 1" && studio facility delete DC7',
    ],
    seeAlso: ['facility restore', 'facility close', 'appointment clear'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { tenantId, ...facility } = await lockAnyFacility(ctx, tx, parseFacilityName(id))
      const doors = await findDoors(tx, facility.id)
      if (facility.archivedAt !== null) return { ...facility, doors }
      const scheduled = (await listUnfinishedAppointments(tx, facility.id, now)).filter(
        ({ status }) => status === 'scheduled',
      )
      const [first, last] = [scheduled[0], scheduled.at(-1)]
      if (first && last) {
        const dateOf = ({ startAt }: typeof first) => formatDate(getLocalDay(facility.timeZone, startAt))
        const dates =
          dateOf(first) === dateOf(last) ? `on ${dateOf(first)}` : `from ${dateOf(first)} to ${dateOf(last)}`
        const clear = { ...chooseFacility(facility), date: dateOf(first), policy: 'cancel' }
        throw new StudioError(
          'conflict',
          `${facility.code} has ${pluralize(scheduled.length, 'scheduled appointment')}, ${dates}.`,
          {
            hint: hint`Stop new bookings: ${suggest('facilities.close', { id: nameFacility(facility) })}; then move or cancel the appointments day by day: ${suggest('appointments.clear', clear)}`,
          },
        )
      }
      for (const { id } of await listHolds(tx, facility.id, now))
        await endHold(ctx, tx, { tenantId, facility }, { holdId: id, cause: 'withdrawn' })
      return { ...facility, doors, archivedAt: await setArchivedAt(tx, facility.id, now) }
    })
  },
})
