import { parseHours } from '../src/docks/rules/parse-hours'
import { toCanonicalTimeZone } from '../src/docks/rules/zoned-time'
import { StudioError } from '../src/kernel'

type Hours = ReturnType<typeof parseHours>

/** Asks for a facility step by step; all that it does not ask for has its default, and can be changed later. */
export async function askForFacility(): Promise<Record<string, unknown>> {
  const { default: inquirer } = await import('inquirer')
  const ask = inquirer.createPromptModule({ output: process.stderr })
  try {
    const named = await ask([
      { type: 'input', name: 'code', message: 'Code of the facility, as partners know it:', validate: requireValue },
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
        message: 'Hours, several apart by semicolons:',
        default: 'mon-fri 06:00-18:00',
        validate: (text: string) => requireValue(text) === true && requireHours(text),
      },
      {
        type: 'input',
        name: 'breaks',
        message: 'Breaks in them, as mon-fri 12:00-12:30 (none: press Enter):',
        validate: requireHours,
      },
      {
        type: 'input',
        name: 'doors',
        message: 'Doors, the first to be taken first, apart by commas; or how many:',
        default: 'Door 1, Door 2',
        validate: (text: string) => parseDoors(text).length > 0 || 'Name a door at least.',
      },
      {
        type: 'confirm',
        name: 'advanceToNextOpenDay',
        message: 'Book a later date when the one asked for is closed or full?',
        default: true,
      },
    ])
    return {
      ...named,
      queues: parseHoursList(named.queues),
      breaks: parseHoursList(named.breaks),
      doors: parseDoors(named.doors).map((name) => ({ name })),
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new StudioError('interrupted', 'Nothing was created.')
    throw error
  }
}

const requireValue = (text: string) => text.trim() !== '' || 'It is needed.'
const requireTimeZone = (text: string) =>
  toCanonicalTimeZone(text.trim()) !== null || 'An IANA name, as America/Chicago.'

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
    return 'Days, then hours: mon-fri 06:00-18:00; sat,sun 22:00-02:00'
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
