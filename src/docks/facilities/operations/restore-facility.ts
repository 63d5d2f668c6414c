import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { findDoors, setArchivedAt } from '../../queries'
import { FacilityName } from '../../schemas'
import { lockAnyFacility, writeAppointments } from '../../services/tenant-access'
import { Facility } from '../schemas'
import { parseFacilityName } from '../services/facility-options'

export const restoreFacility = operation({
  id: 'facilities.restore',
  summary: 'Restore a deleted facility with its doors and hours',
  description: 'Restoring a facility that is not deleted succeeds and changes nothing.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({ id: FacilityName }),
  output: Facility,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/restore', extension: true },
  cli: {
    command: 'facility restore',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility restore DC1'],
    seeAlso: ['facility delete', 'facility list'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAppointments(ctx, async (tx) => {
      const { tenantId: _, ...facility } = await lockAnyFacility(ctx, tx, parseFacilityName(id))
      const doors = await findDoors(tx, facility.id)
      if (facility.archivedAt === null) return { ...facility, doors }
      return { ...facility, doors, archivedAt: await setArchivedAt(tx, facility.id, null) }
    })
  },
})
