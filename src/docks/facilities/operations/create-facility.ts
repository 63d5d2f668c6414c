import { findOrCreateTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { clampMinutes } from '../../booking/rules/booking-rules'
import { insertFacility } from '../../queries'
import { requireFreeCode } from '../../services/tenant-access'
import { Facility, NewFacility } from '../schemas'
import { facilityFieldsAsFlags, hoursFlags, toFacilityFields } from '../services/facility-options'

const DEFAULT_MINUTES = 60

export const createFacility = operation({
  id: 'facilities.create',
  summary: 'Create a facility with its hours and doors',
  description:
    'Reads the record from a file or from flags. Only the code, the name, the time zone, one queue and one door are required.',
  effect: 'write',
  access: { docks: 'manager' },
  input: NewFacility,
  output: Facility,
  errors: ['conflict'],
  http: { method: 'post', path: '/api/facilities', extension: true },
  cli: {
    command: 'facility create',
    file: { about: 'The facility as JSON, including its doors' },
    flags: {
      ...facilityFieldsAsFlags,
      advanceToNextOpenDay: {
        name: 'rollover',
        about: 'Refuse a booking whose date has no free slot instead of booking a later date',
      },
    },
    extraFlags: [
      ...hoursFlags,
      {
        flag: '--door <name>',
        about: 'A door; the first one is booked first; can be repeated',
        standsFor: ['doors'],
        repeatable: true,
      },
    ],
    toInput: toFacilityFields,
    examples: [
      'studio facility create --code DC1 --name North --time-zone America/Chicago --queue "mon-fri 06:00-18:00" --break "mon-fri 12:00-12:30" --door "Door 1" --door "Door 2"',
      'studio facility create --file facility.json',
    ],
    seeAlso: ['facility get', 'facility list', 'book'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.write(async (tx) => {
      const tenantId = await findOrCreateTenantId(ctx, tx)
      await requireFreeCode(tx, tenantId, input.code)
      const facility = {
        ...input,
        id: ctx.ids.uuid(),
        archivedAt: null,
        defaultMinutes: input.defaultMinutes ?? clampMinutes(input, DEFAULT_MINUTES),
        doors: input.doors.map((door, index) => ({ id: ctx.ids.uuid(), ...door, position: index + 1 })),
      }
      await insertFacility(tx, facility, { tenantId, createdAt: ctx.clock.now() })
      return facility
    })
  },
})
