import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { FacilityName, Instant } from '../../schemas'
import { numberDoors } from '../rules/facility'
import { type FacilityWithDoors, facilityFields, NewDoor } from '../schemas'
import { changeFacility, DryRun, FacilityChange, formatConflictQuestion } from '../services/change-facility'
import { facilityFieldsAsFlags, hoursFlags, parseFacilityName, toFacilityFields } from '../services/facility-options'
import { FacilityRevision, IfRevision } from '../services/facility-revision'

/** Accepts the output of `facility get`. The order of the list decides the positions. */
const DoorInput = NewDoor.extend({ id: z.string().optional(), position: z.int().optional() })

export const updateFacility = operation({
  id: 'facilities.update',
  summary: 'Change a facility and list appointments that no longer fit',
  description:
    'Fields that are not given do not change. A given list replaces the existing one; doors in a file are identified by their names. Appointments are not moved; those that no longer fit are listed, and the command asks before it leaves any in conflict.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    ...z.object(facilityFields).partial().shape,
    archivedAt: Instant.nullable().optional().describe('Ignored, so that the output of `facility get` is accepted'),
    revision: FacilityRevision.optional().describe('Ignored, so that the output of `facility get` is accepted'),
    doors: z.array(DoorInput).min(1).max(1000).optional().describe('All doors, by position'),
    ifRevision: IfRevision,
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found', 'conflict', 'stale_revision'],
  http: { method: 'patch', path: '/api/facilities/{id}', extension: true },
  cli: {
    command: 'facility update',
    args: ['id'],
    argumentNames: { id: 'code' },
    file: { about: 'The fields to change as JSON, such as the output of `facility get --json`' },
    flags: {
      ...facilityFieldsAsFlags,
      archivedAt: false,
      revision: false,
      ifRevision: { value: 'revision' },
      code: { about: 'A new code' },
      advanceToNextOpenDay: { name: 'rollover', about: 'Book a later date if the requested one has no free slot' },
    },
    extraFlags: [
      ...hoursFlags,
      {
        flag: '--no-rollover',
        about: 'Refuse a booking whose date has no free slot instead of booking a later date',
        standsFor: ['advanceToNextOpenDay'],
      },
      {
        flag: '--no-move-announced',
        about: 'Make room without the appointments whose door was announced',
        standsFor: ['moveAnnounced'],
      },
    ],
    toInput: toFacilityFields,
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio facility update DC1 --queue "mon-fri 06:00-20:00" --dry-run',
      'studio facility update DC1 --capacity 3 --lead-minutes 120 --yes',
    ],
    seeAlso: ['facility get', 'facility close', 'facility conflicts', 'door update'],
  },
  run(ctx: Context & StorageContext, { id, dryRun, ifRevision, doors, archivedAt: _, revision: __, ...changes }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun, ifRevision }, (before) => ({
      ...before,
      ...omitUndefined(changes),
      doors: doors ? matchDoors(doors, before, ctx) : before.doors,
    }))
  },
})

function omitUndefined<Changes extends object>(
  changes: Changes,
): { [Key in keyof Changes]: NonNullable<Changes[Key]> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never
}

function matchDoors(
  doors: readonly z.output<typeof DoorInput>[],
  before: FacilityWithDoors,
  ctx: Context,
): FacilityWithDoors['doors'] {
  const known = new Map(before.doors.map((door) => [door.name, door.id]))
  const idOf = (name: string) => known.get(name) ?? ctx.ids.uuid()
  return numberDoors(
    doors.map(({ name, types, active, features, maxHeight }) => ({
      id: idOf(name),
      name,
      position: 0,
      types,
      active,
      features,
      maxHeight,
    })),
  )
}
