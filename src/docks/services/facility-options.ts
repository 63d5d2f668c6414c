import type { CliBinding, ExtraFlag } from '../../kernel'
import type { FacilityChoice } from '../rules/facility'
import { parseClosure, parseHours } from '../rules/parse-hours'
import { isFacilityId } from '../schemas'

/** `--facility` on the command line stands for `facilityId` or `facilityCode`. */
export const facilityFlag: ExtraFlag = {
  flag: '--facility <code|uuid>',
  about: 'the facility, by its code or its ID (required)',
  standsFor: ['facilityCode', 'facilityId'],
}

/** Hides the two fields that it stands for. */
export const facilityFieldFlags = { facilityId: false, facilityCode: false } as const

/** What was typed, with the facility as the field that it is. */
export function toFacilityInput(typed: Record<string, unknown>): Record<string, unknown> {
  const { facility, ...input } = typed
  return typeof facility === 'string' ? { ...input, ...parseFacilityName(facility) } : input
}

/** A name that looks like an ID is one: no code may. */
export function parseFacilityName(name: string): FacilityChoice {
  return isFacilityId(name) ? { facilityId: name.toLowerCase() } : { facilityCode: name }
}

/** Binding data that all commands of doors have. */
export const doorCli = { extraFlags: [facilityFlag], toInput: toFacilityInput }
export const doorFieldFlags = { ...facilityFieldFlags, name: { value: 'name' } } as const

/** How the fields of a facility are typed: where it is created, and where it is changed. */
export const facilityFieldsAsFlags: NonNullable<CliBinding['flags']> = {
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
}

export const hoursFlags: readonly ExtraFlag[] = [
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
]

/** Only what was typed, so that the rest may come from the file, or stay as it is. */
export function toFacilityFields(typed: Record<string, unknown>): Record<string, unknown> {
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
