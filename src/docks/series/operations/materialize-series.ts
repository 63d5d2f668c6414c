import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { FacilityCode, FacilityId } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { occurrenceOutcomes } from '../rules/series-dates'
import { materializeAll } from '../services/series'

export const materializeSeries = operation({
  id: 'series.materialize',
  summary: 'Book the dates of series that are due',
  description:
    'A running service does this every hour. Without one, run this daily. Each date is booked only once. Refused dates are tried again; cancelled appointments are not booked again.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'clerk' },
  isExpensive: true,
  input: z.strictObject({
    facilityId: FacilityId.optional().describe('Only at this facility'),
    facilityCode: FacilityCode.optional().describe('Only at this facility'),
  }),
  output: z.object({
    booked: z.int(),
    closed: z.int(),
    refused: z.int(),
    results: z
      .array(
        z.object({
          seriesId: z.string(),
          facilityCode: z.string(),
          carrierName: z.string(),
          lane: z.string().nullable(),
          date: z.string(),
          outcome: z.enum(occurrenceOutcomes),
          reason: z.string().nullable(),
          appointmentId: z.string().nullable(),
        }),
      )
      .describe('The dates that had no appointment yet'),
  }),
  errors: ['not_found'],
  isPartial: ({ refused }) => refused > 0,
  http: { method: 'post', path: '/api/series/materialize', extension: true, withinMs: 5 * 60_000, inParts: true },
  cli: {
    command: 'series materialize',
    extraFlags: [{ ...facilityFlag, about: 'Only at this facility: its code or its ID' }],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: ['studio series materialize', 'studio series materialize --facility DC1 --json'],
    seeAlso: ['series list', 'series move', 'facility conflicts'],
  },
  async run(ctx: Context & StorageContext, choice) {
    const isAny = choice.facilityId === undefined && choice.facilityCode === undefined
    const owner = await ctx.db.read(async (tx) => {
      if (isAny) return { tenantId: await findTenantId(ctx, tx) }
      const { tenantId, id } = await requireFacility(ctx, tx, choice)
      return { tenantId, facilityId: id }
    })
    const { tenantId, ...place } = owner
    const done = tenantId === null ? [] : await materializeAll(ctx, { tenantId, ...place })
    const results = done.flatMap(({ facility, series, tried }) => {
      const { carrierName, lane } = series.terms
      return tried.map((entry) => ({ ...entry, facilityCode: facility.code, carrierName, lane }))
    })
    const count = (outcome: string) => results.filter((entry) => entry.outcome === outcome).length
    return { booked: count('booked'), closed: count('closed'), refused: count('refused'), results }
  },
})
