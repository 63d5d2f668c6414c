import * as z from 'zod'
import { loadOperation } from '../../src/catalog'
import { loadSettings } from '../../src/config'
import { saveTrackerToken, stripCredentials } from '../../src/config/services/credentials'
import { changeSetting } from '../../src/config/services/list-settings'
import { execute, StudioError } from '../../src/kernel'
import { limitWasmTiering } from '../../src/storage'
import { detectTrackerKind } from '../../src/tracker/services/tracker-kind'
import type { StandaloneCommand } from '../command-parts'
import type { Invocation } from '../invocation'
import { renderJson, requireFields } from '../render-json'
import { wrapCommandLine, wrapText } from '../wrap-text'
import { addTracker } from './add-tracker'
import { checkModel, checkTracker, findTrackerKind, ModelCheck, TrackerCheck, withEnvironment } from './checks'
import { askForAddition, askForFurtherTracker } from './further-tracker-questions'
import { type Answers, type Asked, askForSettings } from './questions'

const InitAnswer = z.object({
  tracker: TrackerCheck.nullable(),
  model: ModelCheck,
  facility: z.string().nullable(),
  files: z.array(z.string()),
  next: z.array(z.string()),
})
type InitAnswer = z.infer<typeof InitAnswer>

export const init: StandaloneCommand = {
  define(command) {
    command
      .option(
        '--tracker-kind <kind>',
        'kind of the tracker: azure-devops, github or jira (default: the address decides)',
      )
      .option(
        '--tracker-url <url>',
        'URL of the tracker, with its organization, or of a repository on GitHub (default: the sandbox)',
      )
      .option('--tracker-project <name>', 'project in the tracker')
      .option('--add <name>', 'add a tracker with this name beside the default one, and change nothing else')
      .option(
        '--with-token',
        'read the tracker’s token from standard input, and store it in a file that only you can read',
      )
      .option('--user <name>', 'your name in the tracker, for @me')
      .option('--llm-host <url>', 'URL of the language model (default: http://127.0.0.1:11434)')
      .option('--llm-model <name>', 'model to use (default: the first one installed)')
      .option('--llm-api <name>', 'API of the model server: ollama or openai (default: ollama)')
      .option('--facility <code>', 'create a facility with this code, two doors, open mon-fri 06:00-18:00')
      .option('--facility-name <name>', 'name of the facility (default: its code)')
      .option('--time-zone <zone>', 'time zone of the facility (default: that of this machine)')
    return {
      about:
        'On a terminal, asks for settings that no flag gives. Otherwise, and with --no-input, uses the defaults. The tracker is called with the token before anything is written. A token in STUDIO_TRACKER_TOKEN is used and not stored. With --add, the token can be in STUDIO_TRACKER_TOKEN_<NAME>.',
      examples: [
        'studio init',
        'studio init --no-input',
        'studio init --tracker-url https://github.com/acme/harbor --with-token < token.txt',
        'studio init --tracker-url https://tracker.example.com/org --tracker-project Harbor --with-token < token.txt',
        'studio init --add gh --tracker-url https://github.com/acme/harbor --with-token < token.txt',
      ],
      related: ['config list', 'doctor', 'demo'],
    }
  },

  async run(command, invocation) {
    const { terminal, flags, signal } = invocation
    if (flags.fields) requireFields(flags.fields, InitAnswer)
    const typed = command.opts() as Asked
    const token = typed.withToken ? (await terminal.readInput(signal)).trim() : null
    if (token === '')
      throw new StudioError('invalid', 'Standard input contains no token.', {
        hint: 'studio init --with-token < token.txt',
      })
    const mayAsk = terminal.canAsk && !flags.noInput && !flags.json && token === null
    const add = typed.add === undefined && mayAsk ? await askForAddition(typed, invocation) : typed.add
    if (add !== undefined) {
      const tracker = { ...typed, add, token }
      return addTracker(mayAsk ? await askForFurtherTracker(tracker, invocation) : tracker, invocation)
    }
    const answers: Answers = mayAsk
      ? await askForSettings(typed, invocation)
      : { ...typed, token, newFacility: null, choosesSandbox: takesSandbox(typed, terminal) }
    answers.newFacility ??= facilityOf(typed)
    const tracker = await checkTracker(answers, invocation)
    const model = await checkModel(answers, invocation)
    const files = await write(answers, invocation)
    const facility = answers.newFacility ? await createFacility(answers.newFacility, invocation) : null
    const answer = { tracker, model, facility, files, next: nextCommands(tracker, facility) }
    if (flags.json) terminal.out(renderJson(answer, flags.fields, InitAnswer))
    else terminal.out(summary(answer, terminal.outIsTty ? terminal.width : null))
    return 0
  },
}

function facilityOf({ facility, facilityName, timeZone }: Asked): Record<string, unknown> | null {
  if (facility === undefined) return null
  const days = ['mon', 'tue', 'wed', 'thu', 'fri']
  return {
    code: facility,
    name: facilityName ?? facility,
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    queues: [{ name: 'Weekdays', days, start: '06:00', end: '18:00' }],
    doors: [
      { name: 'Door 1', types: ['pickup', 'delivery'] },
      { name: 'Door 2', types: ['pickup', 'delivery'] },
    ],
  }
}

async function write(answers: Answers, { terminal }: Invocation): Promise<string[]> {
  const settings: [key: string, text: string | null | undefined][] = [
    // A user who chose the sandbox needs no notice about it, and a tracker that was set before is no longer used.
    ...(answers.choosesSandbox ? sandboxSettings : []),
    ['tracker.kind', answers.trackerUrl ? listedKind(answers) : answers.trackerKind],
    ['tracker.url', answers.trackerUrl],
    ['tracker.project', answers.trackerProject],
    ['user', answers.user],
    ['llm.host', answers.llmHost],
    ['llm.model', answers.llmModel],
    ['llm.api', answers.llmApi],
  ]
  const files = new Set<string>()
  for (const [key, text] of settings) {
    if (text || text === null) files.add(await changeSetting({ key, text, scope: 'user' }, terminal))
  }
  const { paths, tracker } = loadSettings(terminal)
  if (answers.token && tracker.url) {
    files.add(await saveTrackerToken(paths, { url: stripCredentials(tracker.url), token: answers.token }))
  }
  return [...files]
}

/** The kind to write: null if the address says the same, so that another address can be set later without it. */
function listedKind(answers: Answers): string | null {
  const kind = findTrackerKind(answers)
  return kind === detectTrackerKind(answers.trackerUrl!) ? null : kind
}

/** Without questions the sandbox is the default where no tracker is set. */
function takesSandbox({ trackerUrl }: Asked, terminal: Invocation['terminal']): boolean {
  return trackerUrl === undefined && loadSettings(terminal).tracker.url === null
}

const sandboxSettings: [key: string, text: string | null][] = [
  ['tracker.kind', null],
  ['tracker.url', null],
  ['tracker.project', null],
  ['tracker.sandboxNotice', 'off'],
]

async function createFacility(record: Record<string, unknown>, invocation: Invocation): Promise<string> {
  limitWasmTiering()
  const operation = await loadOperation('facilities.create')
  return withEnvironment(invocation.terminal.env, invocation, async (context) => {
    return ((await execute(operation, record, context)) as { code: string }).code
  })
}

function nextCommands(tracker: TrackerCheck | null, facility: string | null): string[] {
  return [
    tracker ? 'studio import <featureId>' : 'studio import 101',
    'studio search "dock door"',
    facility
      ? `studio book --facility ${facility} --type delivery --carrier "Acme Freight" --reference PO-1001 --date <YYYY-MM-DD>`
      : 'studio facility create',
    'studio doctor',
  ]
}

/** The commands at its end are wrapped before a flag, so that they can be copied. */
function summary({ tracker, model, facility, files, next }: InitAnswer, width: number | null): string {
  const findings = [
    tracker
      ? `Tracker: connected to ${tracker.name}. Its work item types: ${tracker.types.join(', ')}.`
      : 'Tracker: the sandbox with sample data on this machine.',
    modelLine(model),
    ...(facility ? [`Facility: ${facility} was created. To change it: studio facility update ${facility}`] : []),
    ...files.map((file) => `Written: ${file}`),
  ].join('\n')
  return `${wrapText(findings, width)}\n\nNext:\n${next.map((line) => `${wrapCommandLine(`  ${line}`, width)}\n`).join('')}`
}

function modelLine({ host, models, problem }: ModelCheck): string {
  if (problem !== null) return `Language model: none at ${host} (${problem}). Everything else works without one.`
  return `Language model: ${models.length === 0 ? 'no model is installed' : models.join(', ')} at ${host}.`
}
