import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { hideOtherCarriers } from '../../carriers/rules/carriers'
import { findDoors } from '../../queries'
import { FacilityName } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { Facility } from '../schemas'
import { parseFacilityName } from '../services/facility-options'
import { computeRevision, FacilityRevision } from '../services/facility-revision'

export const getFacility = operation({
  id: 'facilities.get',
  summary: 'Show a facility with its hours and doors',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z.strictObject({ id: FacilityName }),
  output: Facility.extend({ revision: FacilityRevision }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}', extension: true, cacheable: () => true },
  cli: {
    command: 'facility get',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility get DC1', 'studio facility get DC1 --json'],
    seeAlso: ['facility list', 'facility create', 'book'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      const shown = { ...hideOtherCarriers(facility), doors: await findDoors(tx, facility.id) }
      return { ...shown, revision: computeRevision(shown) }
    })
  },
})
