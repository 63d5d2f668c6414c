import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { listWaitlist as readWaitlist } from '../../queries'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { isOwn, requireFacility } from '../../services/tenant-access'
import { ListedWaitlistEntry } from '../schemas'
import { presentEntry } from '../services/waitlist'

export const listWaitlist = operation({
  id: 'waitlist.list',
  summary: 'List the waitlist entries of a facility, with their offers',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z
    .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional() })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(ListedWaitlistEntry),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/waitlist',
    extension: true,
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
  },
  listOrder: () => ({ id: ({ id }) => id, key: ({ createdAt, id }) => [createdAt, id] }),
  cli: {
    command: 'waitlist list',
    extraFlags: [facilityFlag],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: ['studio waitlist list --facility DC1', 'studio waitlist list --facility DC1 --json'],
    seeAlso: ['waitlist add', 'waitlist accept', 'hold list'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const facility = await requireFacility(ctx, tx, input)
      const now = ctx.clock.now()
      const entries = await readWaitlist(tx, facility.id)
      return entries.flatMap((entry, index) =>
        isOwn(ctx, entry.request) ? [presentEntry(entry, facility, { position: index + 1, now })] : [],
      )
    })
  },
})
