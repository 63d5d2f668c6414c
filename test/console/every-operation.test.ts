import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { catalog } from '../../src/catalog'
import { actions } from '../../src/console/actions/run-action'
import type { OperationId } from '../../src/kernel'

const PROGRAMS = 'only for programs'
const FILES = 'needs the files of the machine'
const MACHINE = 'for who runs the service, while it is stopped'
const ELSEWHERE = 'another operation gives the page the same'
const REFINES = 'the console asks the model about a draft, with the prompt that is chosen there'

/** Operations without a place in the console, and why. */
const WITHOUT_PLACE: Partial<Record<OperationId, string>> = {
  'system.health': PROGRAMS,
  'items.resolve': PROGRAMS,
  'appointments.complete': PROGRAMS,
  'appointments.events': PROGRAMS,
  'webhooks.deliver': PROGRAMS,
  'appointments.archive': FILES,
  'appointments.unarchive': FILES,
  'items.download-attachments': FILES,
  'items.attach-files': FILES,
  'items.publish-tree': FILES,
  'storage.restore': MACHINE,
  'storage.migrate': MACHINE,
  'appointments.partition': MACHINE,
  'doors.list': ELSEWHERE,
  'facilities.plan': ELSEWHERE,
  'yard.list': ELSEWHERE,
  'chat.stream': REFINES,
  'prompts.get': REFINES,
  'prompts.fill': REFINES,
}

const FOLDER = join(import.meta.dirname, '../../src/console')

/** The portal and the page of drivers are for others; the actions, the palette and the links are of use only where a page has a form. */
const NO_PLACES = ['portal/', 'gate/', 'actions/', 'find/', 'settings-links.ts', 'pages/docks/facility-head.ts']

/** What the files of the pages run, or have a form of. Types of answers and questions for rights are no places. */
function findPlaces(): Set<string> {
  const files = readdirSync(FOLDER, { recursive: true }).map(String)
  const sources = files.filter((file) => file.endsWith('.ts') && !NO_PLACES.some((folder) => file.startsWith(folder)))
  return new Set(
    sources.flatMap((file) => {
      const source = readFileSync(join(FOLDER, file), 'utf8')
      const code = source
        .replace(/ResultOf<[^>]*>|Operations\['[^']*'\]|\bmay(Run)?\('[^']*'\)/g, '')
        .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      return [...code.matchAll(/['"`/]([a-z-]+\.[a-z-]+)['"`]/g)].map(([, id]) => id!)
    }),
  )
}

const operations = Object.keys(catalog) as OperationId[]

it('each operation has a place in the console, or a reason not to have one', () => {
  const places = findPlaces()
  const missing = operations.filter((id) => !places.has(id) && WITHOUT_PLACE[id] === undefined)
  expect(missing).toEqual([])
  const superfluous = operations.filter((id) => places.has(id) && WITHOUT_PLACE[id] !== undefined)
  expect(superfluous).toEqual([])
})

it('each action of the console belongs to a form', () => {
  const places = findPlaces()
  expect(Object.keys(actions).filter((id) => !places.has(id))).toEqual([])
})
