import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { findDoors } from '../../queries'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { Door } from '../schemas'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../services/facility-options'

export const listDoors = operation({
  id: 'doors.list',
  summary: 'List the doors of a facility in booking order',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z
    .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional() })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(Door),
  errors: ['not_found'],
  listOrder: () => ({ id: ({ id }) => id, key: ({ position, id }) => [position, id] }),
  http: {
    method: 'get',
    path: '/api/doors',
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
    extension: true,
    cacheable: () => true,
  },
  cli: {
    command: 'door list',
    extraFlags: [facilityFlag],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: ['studio door list --facility DC1', 'studio door list --facility DC1 --json --fields name,position'],
    seeAlso: ['door add', 'facility get', 'facility board'],
  },
  run(ctx: Context & StorageContext, choice) {
    return ctx.db.read(async (tx) => findDoors(tx, (await requireFacility(ctx, tx, choice)).id))
  },
})
