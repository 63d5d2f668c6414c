import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { listHolds as readHolds } from '../../queries'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { isOwn, requireFacility } from '../../services/tenant-access'
import { SlotHold } from '../schemas'
import { presentHold } from '../services/present-appointment'

export const listHolds = operation({
  id: 'holds.list',
  summary: 'List the held slots of a facility',
  description: 'Sorted by start. Expired holds are not listed.',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z
    .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional() })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(SlotHold),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/holds',
    extension: true,
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
  },
  listOrder: () => ({ id: ({ id }) => id, key: ({ startTime, id }) => [startTime, id] }),
  cli: {
    command: 'hold list',
    extraFlags: [facilityFlag],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: ['studio hold list --facility DC1', 'studio hold list --facility DC1 --json'],
    seeAlso: ['hold create', 'hold release', 'facility availability'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const { id, timeZone } = await requireFacility(ctx, tx, input)
      const holds = await readHolds(tx, id, ctx.clock.now())
      return holds.filter((hold) => isOwn(ctx, hold)).map((hold) => presentHold(hold, timeZone))
    })
  },
})
