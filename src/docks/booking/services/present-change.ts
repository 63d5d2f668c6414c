import * as z from 'zod'
import { findCallerNames } from '../../../access'
import { formatInstant } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import type { StoredChange } from '../../queries'
import { Instant } from '../../schemas'

const ChangedField = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

/** Who made a change, and what it changed. */
export const ChangeFacts = z.object({
  by: z.string().describe('Name of the tenant key; terminal for a command'),
  note: z.string().nullable(),
  occurredAt: Instant.describe('When it happened; before it was recorded if a step was entered later'),
  driverName: z.string().nullable(),
  licensePlate: z.string().nullable(),
  sealNumber: z.string().nullable(),
  source: z.enum(['import', 'hold', 'series']).nullable().describe('How it was booked, if not by a booking'),
  changes: z.array(ChangedField).describe('The fields that changed'),
})

export function presentChange(
  { at, caller, note, details }: Pick<StoredChange, 'at' | 'caller' | 'note' | 'details'>,
  callerNames: ReadonlyMap<string, string>,
): z.output<typeof ChangeFacts> {
  return {
    by: callerNames.get(caller) ?? caller,
    note,
    occurredAt: formatInstant(details?.occurredAt ?? at),
    driverName: details?.driverName ?? null,
    licensePlate: details?.licensePlate ?? null,
    sealNumber: details?.sealNumber ?? null,
    source: details?.source ?? null,
    changes: Object.entries(details?.changes ?? {}).map(presentField),
  }
}

/** The names of the keys among the callers. */
export function readCallerNames(
  tx: ReadTx,
  changes: readonly Pick<StoredChange, 'caller'>[],
): Promise<Map<string, string>> {
  return findCallerNames(tx, [...new Set(changes.map(({ caller }) => caller))])
}

const timeFields: Record<string, string> = { startAt: 'startTime', endAt: 'endTime' }

function presentField([field, [before, after]]: [string, [unknown, unknown]]): z.output<typeof ChangedField> {
  const timeField = timeFields[field]
  if (timeField === undefined) return { field, before, after }
  return { field: timeField, before: formatInstant(Number(before)), after: formatInstant(Number(after)) }
}
