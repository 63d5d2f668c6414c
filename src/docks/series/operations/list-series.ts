import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { listUnplacedOccurrences, listSeries as readSeries } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { Series } from '../schemas'

export const listSeries = operation({
  id: 'series.list',
  summary: 'List the series of a facility',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z
    .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional() })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(Series.extend({ refused: z.int().describe('Number of dates from today on without a place') })),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/series',
    extension: true,
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
  },
  listOrder: () => ({ id: ({ id }) => id, key: ({ carrierName, id }) => [carrierName, id] }),
  cli: {
    command: 'series list',
    extraFlags: [facilityFlag],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: ['studio series list --facility DC1', 'studio series list --facility DC1 --json'],
    seeAlso: ['series get', 'series create', 'facility conflicts'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const { id: facilityId, code: facilityCode, timeZone } = await requireFacility(ctx, tx, input)
      const today = formatDate(getLocalDay(timeZone, ctx.clock.now()))
      const unplaced = await listUnplacedOccurrences(tx, facilityId, today)
      const list = (await readSeries(tx, facilityId)).map(({ id, terms }) => ({
        id,
        facilityId,
        facilityCode,
        timeZone,
        ...terms,
        refused: unplaced.filter(({ seriesId }) => seriesId === id).length,
      }))
      const isBefore = (a: (typeof list)[number], b: (typeof list)[number]) =>
        a.carrierName === b.carrierName ? a.id < b.id : a.carrierName < b.carrierName
      return list.sort((a, b) => (isBefore(a, b) ? -1 : 1))
    })
  },
})
