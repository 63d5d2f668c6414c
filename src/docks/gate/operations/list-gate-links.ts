import * as z from 'zod'
import { type Context, newestFirst, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { listGateLinks as readGateLinks } from '../queries/gate-links'
import { GateLink, presentGateLink } from '../schemas'

export const listGateLinks = operation({
  id: 'facilities.list-gate-links',
  summary: 'List the links with which drivers check in at a facility',
  description: 'Newest first, with those that have expired or were revoked.',
  effect: 'read',
  access: { docks: 'manager' },
  input: z
    .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional() })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(GateLink),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/gate-links',
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
    extension: true,
  },
  listOrder: () => newestFirst,
  cli: {
    command: 'gate-link list',
    extraFlags: [facilityFlag],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: [
      'studio gate-link list --facility DC1',
      'studio gate-link list --facility DC1 --json --fields id,name,state,lastUsedAt',
    ],
    seeAlso: ['facility gate-link', 'gate-link revoke'],
  },
  run(ctx: Context & StorageContext, choice) {
    return ctx.db.read(async (tx) => {
      const { id } = await requireFacility(ctx, tx, choice)
      return (await readGateLinks(tx, id)).map((link) => presentGateLink(link, ctx.clock.now()))
    })
  },
})
