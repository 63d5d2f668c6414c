import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { FACILITY_NEEDED, facilityFieldFlags, facilityFlag, withFacility } from '../facility-flag'
import { Door } from '../facility-schema'
import { doorsOf } from '../queries'
import { isFacilityChosen } from '../rules/facility-choice'
import { FacilityCode, FacilityId } from '../schemas'
import { requireFacility } from '../tenant-scope'

export const listDoors = operation({
  id: 'doors.list',
  summary: 'List the doors of a facility, the first to be taken first',
  effect: 'read',
  access: 'tenant',
  input: z
    .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional() })
    .refine(isFacilityChosen, FACILITY_NEEDED),
  output: z.array(Door),
  errors: ['not_found'],
  cli: {
    command: 'door list',
    extraFlags: [facilityFlag],
    flags: facilityFieldFlags,
    toInput: withFacility,
    examples: ['studio door list --facility DC1', 'studio door list --facility DC1 --json --fields name,position'],
    seeAlso: ['door add', 'facility get', 'facility board'],
  },
  run(ctx: Context & StorageContext, choice) {
    return ctx.db.read(async (tx) => doorsOf(tx, (await requireFacility(ctx, tx, choice)).id))
  },
})
