import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { bookingFields } from '../../booking/schemas'
import { admissionFields } from '../../facilities/schemas'
import { changeFacility, DryRun, FacilityChange } from '../../facilities/services/change-facility'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { FacilityName } from '../../schemas'

export const admitCarrier = operation({
  id: 'carriers.admit',
  summary: 'Let a carrier book at a facility with a key of its own or in the portal, within limits',
  description:
    'With its keys and in the portal, the carrier then sees and books its own appointments there, and nothing else. Limits that are not given do not apply. They apply only to the carrier itself: other callers can still book for it beyond them. Admitting the carrier again replaces its limits.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    name: bookingFields.carrierName.describe('Name of the carrier, as written in its appointments'),
    daysAhead: admissionFields.daysAhead.default(null),
    perDay: admissionFields.perDay.default(null),
    changeCutoffMinutes: admissionFields.changeCutoffMinutes.default(0),
    cancelCutoffMinutes: admissionFields.cancelCutoffMinutes.default(0),
    makeRoom: admissionFields.makeRoom.default(false),
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found'],
  http: { method: 'put', path: '/api/facilities/{id}/carriers/{name}', extension: true },
  cli: {
    command: 'carrier admit',
    args: ['id', 'name'],
    argumentNames: { id: 'code', name: 'carrier' },
    flags: {
      daysAhead: { value: 'days', about: 'How many days ahead it may book; any number if missing' },
      perDay: { about: 'Maximum number of its appointments and holds on a date; any number if missing' },
      changeCutoffMinutes: { name: 'change-cutoff', value: 'minutes' },
      cancelCutoffMinutes: { name: 'cancel-cutoff', value: 'minutes' },
    },
    notice: ({ dryRun }) =>
      dryRun
        ? null
        : 'Invite the carrier to the portal: studio carrier invite <carrier>. Or create a key for its own system: studio tenant key create --carrier <name>',
    examples: [
      'studio carrier admit DC1 "Blue Freight"',
      'studio carrier admit DC1 "Blue Freight" --days-ahead 14 --per-day 5 --change-cutoff 120 --cancel-cutoff 1440',
    ],
    seeAlso: ['carrier invite', 'tenant key create', 'carrier exclude', 'facility get'],
  },
  run(ctx: Context & StorageContext, { id, dryRun, ...admission }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun }, (before) => ({
      ...before,
      carriers: [...before.carriers.filter(({ name }) => name !== admission.name), admission],
    }))
  },
})
