import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { FacilityCode, FacilityId } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { type EventSelection, findSettledEnd, followEvents, readEventPage } from '../services/follow-events'
import { AppointmentEvent } from '../services/read-events'

const input = z.strictObject({
  facilityId: FacilityId.optional(),
  facilityCode: FacilityCode.optional(),
  since: z
    .int()
    .min(0)
    .optional()
    .describe('Only events after the one with this ID; 0 for all events (default: only new events)'),
  limit: z.int().min(1).max(1000).default(200).describe('Maximum number of events to list; not used while following'),
})

export const listEvents = operation({
  id: 'appointments.events',
  summary: 'Follow the changes of appointments, or list those since an event',
  description:
    'Oldest first. Each event has the appointment as the change left it. With Accept: text/event-stream, events are streamed as they happen, and a client that reconnects with Last-Event-ID continues after that event. The command prints events as they happen until it is interrupted; with JSON output it lists the events so far and exits.',
  effect: 'read',
  access: { docks: 'viewer' },
  input,
  output: z.object({
    events: z.array(AppointmentEvent),
    lastId: z.int().describe('Pass it as since to get what follows'),
  }),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/appointments/events',
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
    extension: true,
  },
  cli: {
    command: 'appointment events',
    extraFlags: [{ ...facilityFlag, about: 'Only those of this facility, by its code or its ID' }],
    flags: { ...facilityFieldFlags, since: { value: 'id' } },
    toInput: toFacilityInput,
    examples: [
      'studio appointment events --since 0 --limit 50 --json',
      'studio appointment events --facility DC1 --since 120 --json',
    ],
    seeAlso: ['appointment history', 'webhook add', 'appointment list'],
  },
  async run(ctx: Context & StorageContext, { since, limit, ...choice }) {
    const selection = await select(ctx, choice)
    const end = await findSettledEnd(ctx)
    ctx.signal.throwIfAborted()
    return readEventPage(ctx, selection, { after: since ?? end!, end: end!, limit })
  },
  stream: {
    event: z.union([
      z.object({ event: z.literal('ready'), id: z.int().describe('The event after which the stream begins') }),
      AppointmentEvent,
    ]),
    resumeAt: 'since',
    async *open(ctx: Context & StorageContext, { since, limit: _, ...choice }) {
      const selection = await select(ctx, choice)
      const after = since ?? (await findSettledEnd(ctx))
      if (after === null) return
      yield { event: 'ready' as const, id: after }
      yield* followEvents(ctx, selection, after)
    },
  },
})

async function select(
  ctx: Context & StorageContext,
  choice: { facilityId?: string | undefined; facilityCode?: string | undefined },
): Promise<EventSelection> {
  if (choice.facilityId === undefined && choice.facilityCode === undefined) return { facilityId: null }
  return ctx.db.read(async (tx) => ({ facilityId: (await requireFacility(ctx, tx, choice)).id }))
}
