import { parseHours } from '../../src/docks/facilities/rules/parse-hours'
import { toCanonicalTimeZone } from '../../src/docks/rules/zoned-time'
import { ask } from '../terminal/ask'

type Hours = ReturnType<typeof parseHours>

/** Asks for a facility step by step. Everything else has its default and can be changed later. */
export async function askForFacility(): Promise<Record<string, unknown>> {
  const named = await ask(
    [
      { type: 'input', name: 'code', message: 'Facility code:', validate: requireValue },
      { type: 'input', name: 'name', message: 'Name:', validate: requireValue },
      {
        type: 'input',
        name: 'timeZone',
        message: 'Time zone:',
        default: Intl.DateTimeFormat().resolvedOptions().timeZone,
        validate: requireTimeZone,
      },
      {
        type: 'input',
        name: 'queues',
        message: 'Hours, separated by semicolons:',
        default: 'mon-fri 06:00-18:00',
        validate: (text: string) => requireValue(text) === true && requireHours(text),
      },
      {
        type: 'input',
        name: 'breaks',
        message: 'Breaks, such as mon-fri 12:00-12:30 (Enter for none):',
        validate: requireHours,
      },
      {
        type: 'input',
        name: 'doors',
        message: 'Doors in order of booking, or their number:',
        default: 'Door 1, Door 2',
        validate: (text: string) => parseDoors(text).length > 0 || 'Specify at least one door.',
      },
      {
        type: 'confirm',
        name: 'advanceToNextOpenDay',
        message: 'Book a later date if the requested one is closed or full?',
        default: true,
      },
    ],
    'Nothing was created.',
  )
  return {
    ...named,
    queues: parseHoursList(named.queues),
    breaks: parseHoursList(named.breaks),
    doors: parseDoors(named.doors).map((name) => ({ name })),
  }
}

const requireValue = (text: string) => text.trim() !== '' || 'A value is required.'
const requireTimeZone = (text: string) =>
  toCanonicalTimeZone(text.trim()) !== null || 'Specify an IANA time zone, such as America/Chicago.'

function parseHoursList(text: string): Hours[] {
  return text
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => parseHours(part, 'hours'))
}

function requireHours(text: string): true | string {
  try {
    parseHoursList(text)
    return true
  } catch {
    return 'Specify days, then hours: mon-fri 06:00-18:00; sat,sun 22:00-02:00'
  }
}

/** `3` is Door 1, Door 2 and Door 3. */
function parseDoors(text: string): string[] {
  const count = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : null
  if (count !== null) return Array.from({ length: count }, (_, index) => `Door ${index + 1}`)
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}
