import { tenantForWriting } from '../../access'
import { type Context, operation, StudioError } from '../../kernel'
import type { StorageContext } from '../../storage'
import { Facility, NewFacility } from '../facility-schema'
import { findFacility, insertFacility } from '../queries'
import { heldWithin } from '../rules/appointment-length'
import { parseClosure, parseHours } from '../rules/typed-hours'

const DEFAULT_MINUTES = 60

export const createFacility = operation({
  id: 'facilities.create',
  summary: 'Create a facility with its hours and doors',
  description:
    'From a file with the whole record, or by flags. Only the code, the name, the time zone, one queue and one door are needed.',
  effect: 'write',
  access: 'admin',
  input: NewFacility,
  output: Facility,
  errors: ['conflict'],
  cli: {
    command: 'facility create',
    file: { about: 'the facility as JSON, doors included' },
    flags: {
      timeZone: { value: 'name' },
      queues: false,
      breaks: false,
      closures: false,
      doors: false,
      minMinutes: { value: 'minutes' },
      maxMinutes: { value: 'minutes' },
      defaultMinutes: { value: 'minutes' },
      slotMinutes: { value: 'minutes' },
      leadMinutes: { value: 'minutes' },
      advanceToNextOpenDay: {
        name: 'rollover',
        about: 'refuse a booking whose date has no slot, and book no later one',
      },
    },
    extraFlags: [
      {
        flag: '--queue <hours>',
        about: 'weekly hours for appointments: "mon-fri 06:00-18:00"; repeatable',
        standsFor: ['queues'],
        repeatable: true,
      },
      {
        flag: '--break <hours>',
        about: 'weekly hours without: "mon-fri 12:00-12:30"; repeatable',
        standsFor: ['breaks'],
        repeatable: true,
      },
      {
        flag: '--closure <dates>',
        about: 'a closed date, or first..last, and why; repeatable',
        standsFor: ['closures'],
        repeatable: true,
      },
      {
        flag: '--door <name>',
        about: 'a door, the first to be taken first; repeatable',
        standsFor: ['doors'],
        repeatable: true,
      },
    ],
    toInput: facilityTyped,
    examples: [
      'studio facility create --code DC1 --name North --time-zone America/Chicago --queue "mon-fri 06:00-18:00" --break "mon-fri 12:00-12:30" --door "Door 1" --door "Door 2"',
      'studio facility create --file facility.json',
    ],
    seeAlso: ['facility get', 'facility list', 'book'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.write(async (tx) => {
      const tenantId = await tenantForWriting(ctx, tx)
      if (await findFacility(tx, tenantId, { code: input.code })) {
        throw new StudioError('conflict', `There is a facility ${input.code} already.`, {
          hint: `See: studio facility get ${input.code}`,
        })
      }
      const facility = {
        ...input,
        id: ctx.ids.uuid(),
        defaultMinutes: input.defaultMinutes ?? heldWithin(input, DEFAULT_MINUTES),
        doors: input.doors.map((door, index) => ({ id: ctx.ids.uuid(), ...door, position: index + 1 })),
      }
      await insertFacility(tx, facility, { tenantId, createdAt: ctx.clock.now() })
      return facility
    })
  },
})

/** Only what was typed, so that the rest may come from the file. */
function facilityTyped(typed: Record<string, unknown>): Record<string, unknown> {
  const {
    queue,
    break: pause,
    closure,
    door,
    ...input
  } = typed as Record<string, unknown> & {
    [repeated in 'queue' | 'break' | 'closure' | 'door']?: string[]
  }
  if (queue) input['queues'] = queue.map((text) => parseHours(text, '--queue'))
  if (pause) input['breaks'] = pause.map((text) => parseHours(text, '--break'))
  if (closure) input['closures'] = closure.map((text) => parseClosure(text, '--closure'))
  if (door) input['doors'] = door.map((name) => ({ name }))
  return input
}
