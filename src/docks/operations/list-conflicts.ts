import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { findDoors, listUnfinishedAppointments } from '../queries'
import { FacilityName } from '../schemas'
import { ConflictingAppointment, findCurrentConflicts, presentConflicts } from '../services/change-facility'
import { parseFacilityName } from '../services/facility-options'
import { requireFacility } from '../services/tenant-access'

export const listConflicts = operation({
  id: 'facilities.conflicts',
  summary: 'List the appointments that no longer fit their facility',
  description:
    'The facility or its doors were changed after they were booked. They keep their time until they are rescheduled or cancelled.',
  effect: 'read',
  access: 'tenant',
  input: z.strictObject({ id: FacilityName }),
  output: z.array(ConflictingAppointment),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/conflicts', extension: true },
  listOrder: () => ({
    id: ({ appointment }) => appointment.id,
    key: ({ appointment }) => [appointment.startTime, appointment.id],
  }),
  cli: {
    command: 'facility conflicts',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility conflicts DC1', 'studio facility conflicts DC1 --json'],
    seeAlso: ['facility update', 'reschedule', 'appointment cancel'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      const unfinished = await listUnfinishedAppointments(tx, facility.id, ctx.clock.now())
      const conflicts = findCurrentConflicts(unfinished, { ...facility, doors: await findDoors(tx, facility.id) })
      return presentConflicts(conflicts, facility.timeZone)
    })
  },
})
