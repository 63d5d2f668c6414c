import * as z from 'zod'
import { type Context, checkpoint, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { findDoors, listTrailers, listYardSpots } from '../../queries'
import { FacilityName, Instant } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { presentTrailer, Trailer } from '../schemas'

const Yard = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  facilityName: z.string(),
  timeZone: z.string(),
  generatedAt: Instant,
  trailerFreeHours: z.int(),
  counts: z.object({
    trailers: z.int(),
    loaded: z.int(),
    empty: z.int(),
    inDetention: z.int().describe('Trailers beyond their free time'),
    spots: z.int(),
    freeSpots: z.int(),
  }),
  spots: z.array(z.object({ name: z.string(), trailer: Trailer.nullable() })).describe('In the order of their names'),
  doors: z
    .array(z.object({ name: z.string(), active: z.boolean(), trailer: Trailer.nullable() }))
    .describe('By position'),
  elsewhere: z.array(Trailer).describe('Trailers without a place, and those whose place was removed'),
})

export const showYard = operation({
  id: 'yard.board',
  summary: 'Show the yard of a facility: its spots, its doors, and the trailers there',
  description: 'Shows where each trailer is parked, when it arrived, and which ones are beyond their free time.',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z.strictObject({ id: FacilityName }),
  output: Yard,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/yard', extension: true },
  cli: {
    command: 'yard board',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio yard board DC1', 'studio yard board DC1 --json --fields counts,elsewhere'],
    seeAlso: ['yard arrive', 'yard move', 'yard list', 'yard add-spots', 'facility board'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const now = ctx.clock.now()
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      const spots = await listYardSpots(tx, facility.id)
      const doors = await findDoors(tx, facility.id)
      const records = await listTrailers(tx, { facilityId: facility.id, isPresent: true })
      const trailers: Trailer[] = []
      for (const record of records) {
        trailers.push(presentTrailer(record, now))
        await checkpoint(ctx)
      }
      const bySpot = new Map(records.map(({ spotId }, n) => [spotId, trailers[n]!]))
      const byDoor = new Map(records.map(({ doorId }, n) => [doorId, trailers[n]!]))
      const shown = {
        spots: spots.map((spot) => ({ name: spot.name, trailer: bySpot.get(spot.id) ?? null })),
        doors: doors.map((door) => ({ name: door.name, active: door.active, trailer: byDoor.get(door.id) ?? null })),
      }
      const placed = new Set([...shown.spots, ...shown.doors].map(({ trailer }) => trailer))
      return {
        facilityId: facility.id,
        facilityCode: facility.code,
        facilityName: facility.name,
        timeZone: facility.timeZone,
        generatedAt: formatInstant(now),
        trailerFreeHours: facility.trailerFreeHours,
        counts: {
          trailers: trailers.length,
          loaded: trailers.filter(({ loaded }) => loaded).length,
          empty: trailers.filter(({ loaded }) => !loaded).length,
          inDetention: trailers.filter(({ detentionMinutes }) => detentionMinutes > 0).length,
          spots: spots.length,
          freeSpots: shown.spots.filter(({ trailer }) => trailer === null).length,
        },
        ...shown,
        elsewhere: trailers.filter((trailer) => !placed.has(trailer)),
      }
    })
  },
})
