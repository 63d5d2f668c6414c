import * as z from 'zod'
import { formatInstant } from '../../../kernel/time'
import type { StoredChange } from '../../queries'
import { Instant } from '../../schemas'
import { presentValue } from '../rules/load'

const ChangedField = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

/** Who made a change, and what it changed. */
export const ChangeFacts = z.object({
  by: z
    .string()
    .describe('Name of the member of the staff, the dock key or the link at that time; terminal for a command'),
  byId: z.string().nullable().describe('ID of the member, the key or the link; null for a command'),
  note: z.string().nullable(),
  reason: z.string().nullable().describe('Why, as the facility lists it'),
  occurredAt: Instant.describe('When it happened; before it was recorded if a step was entered later'),
  driverName: z.string().nullable(),
  licensePlate: z.string().nullable(),
  sealNumber: z.string().nullable(),
  source: z.enum(['import', 'hold', 'series']).nullable().describe('How it was booked, if not by a booking'),
  madeRoomFor: z
    .object({ id: z.string(), referenceNumber: z.string() })
    .nullable()
    .describe('The appointment for which it moved to another door; null for other changes, and for carriers'),
  changes: z.array(ChangedField).describe('The fields that changed'),
})

export function presentChange({
  at,
  caller,
  note,
  details,
}: Pick<StoredChange, 'at' | 'caller' | 'note' | 'details'>): z.output<typeof ChangeFacts> {
  return {
    by: caller.name ?? caller.id,
    byId: caller.name === null ? null : caller.id,
    note: note ?? (details?.madeRoomFor ? MADE_ROOM : null),
    madeRoomFor: details?.madeRoomFor ?? null,
    reason: details?.reason ?? null,
    occurredAt: formatInstant(details?.occurredAt ?? at),
    driverName: details?.driverName ?? null,
    licensePlate: details?.licensePlate ?? null,
    sealNumber: details?.sealNumber ?? null,
    source: details?.source ?? null,
    changes: Object.entries(details?.changes ?? {}).map(presentField),
  }
}

/** It names no other appointment, because carriers and contacts read it too. */
const MADE_ROOM = 'Made room for another appointment.'

const timeFields: Record<string, string> = { startAt: 'startTime', endAt: 'endTime' }

function presentField([field, [before, after]]: [string, [unknown, unknown]]): z.output<typeof ChangedField> {
  const timeField = timeFields[field]
  if (field === 'pinned') return { field, before: before === 1, after: after === 1 }
  if (timeField === undefined) return { field, before: presentValue(field, before), after: presentValue(field, after) }
  return { field: timeField, before: formatInstant(Number(before)), after: formatInstant(Number(after)) }
}
