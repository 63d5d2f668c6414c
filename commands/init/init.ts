import { Option } from 'commander'
import * as z from 'zod'
import { loadOperation } from '../../src/catalog'
import { loadSettings } from '../../src/config'
import { stripCredentials } from '../../src/config/services/credentials'
import { changeSettings } from '../../src/config/services/list-settings'
import { saveModelToken, saveTrackerToken } from '../../src/config/services/store-token'
import { execute, StudioError } from '../../src/kernel'
import { limitWasmTiering } from '../../src/storage'
import { TRACKER_KINDS } from '../../src/tracker/adapters'
import { listStoredTokens, offerToDeleteTokens } from '../delete-tokens'
import type { StandaloneCommand } from '../operation/command-parts'
import type { Invocation } from '../start/invocation'
import { renderJson, requireFields } from '../terminal/render-json'
import { wrapCommandLine, wrapText } from '../terminal/wrap-text'
import { addTracker } from './add-tracker'
import { callTracker, TrackerCheck } from './call-tracker'
import { checkModel, ModelCheck, withEnvironment } from './check-model'
import { type DefaultTracker, listTrackerChanges, resolveDefaultTracker } from './default-tracker'
import { askForAddition, askForFurtherTracker } from './further-tracker-questions'
import { preferCommand } from './prefer-command'
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
      .addOption(
        new Option('--tracker-kind <kind>', 'Kind of the tracker, if its address does not show it').choices(
          TRACKER_KINDS,
        ),
      )
      .option(
        '--tracker-url <url>',
        'URL of an organization on Azure DevOps, of a repository on GitHub or of a Jira site (default: the sandbox)',
      )
      .option('--tracker-project <name>', 'Project on Azure DevOps, or key of a Jira project')
      .option('--tracker-account <e-mail>', 'E-mail address of the account that a token of Jira Cloud belongs to')
      .option('--add <name>', 'Add another tracker under this name, and change nothing else')
      .option(
        '--with-token',
        'Read the tracker’s token from standard input, and store it in a file that only you can read',
      )
      .option(
        '--with-llm-token',
        'Read the token of the model server from standard input instead, and store it in the same file',
      )
      .option('--user <name>', 'Your name in the tracker, for @me')
      .option('--llm-host <url>', 'URL of the language model (default: http://127.0.0.1:11434)')
      .option('--llm-model <name>', 'Model to use (default: the first one installed)')
      .option('--llm-api <name>', 'API of the model server: ollama or openai (default: ollama)')
      .option('--facility <code>', 'Create a facility with this code, two doors, open mon-fri 06:00-18:00')
      .option('--facility-name <name>', 'Name of the facility (default: its code)')
      .option('--time-zone <zone>', 'Time zone of the facility (default: that of this machine)')
    return {
      about:
        'On a terminal, asks for settings that no flag gives. Otherwise, and with --no-input, uses the defaults. The tracker and the language model server are called with their tokens before anything is written. A token in STUDIO_TRACKER_TOKEN or STUDIO_LLM_TOKEN is used and not stored. With --add, the token can be in STUDIO_TRACKER_TOKEN_<NAME>.',
      examples: [
        'studio init',
        'studio init --no-input',
        'studio init --tracker-url https://github.com/acme/harbor --with-token < token.txt',
        'studio init --tracker-url https://tracker.example.com/org --tracker-project Harbor --with-token < token.txt',
        'studio init --tracker-url https://acme.atlassian.net --tracker-project ABC --tracker-account ana@example.com --with-token < token.txt',
        'studio init --llm-host https://models.example.com/v1 --llm-api openai --with-llm-token < token.txt',
        'studio init --add gh --tracker-url https://github.com/acme/harbor --with-token < token.txt',
      ],
      related: ['config list', 'doctor', 'demo'],
    }
  },

  async run(command, invocation) {
    const { terminal, flags } = invocation
    if (flags.fields) requireFields(flags.fields, InitAnswer)
    const typed = command.opts() as Asked
    const given = await readGivenToken(typed, invocation)
    const token = typed.withToken ? given : null
    const llmToken = typed.withLlmToken ? given : null
    const mayAsk = terminal.canAsk && !flags.noInput && !flags.json && given === null
    const add = typed.add === undefined && mayAsk ? await askForAddition(typed, invocation) : typed.add
    if (add !== undefined) {
      const tracker = { ...typed, add, token }
      return addTracker(mayAsk ? await askForFurtherTracker(tracker, invocation) : tracker, invocation)
    }
    const answers: Answers = mayAsk
      ? await askForSettings(typed, invocation)
      : { ...typed, token, llmToken, newFacility: null, choosesSandbox: takesSandbox(typed, terminal) }
    answers.newFacility ??= facilityOf(typed)
    const chosen = resolveDefaultTracker(answers, loadSettings(terminal), terminal.env)
    const tracker = chosen && (await callTracker(chosen, invocation))
    const model = await checkModel(answers, invocation)
    const storedTokens = answers.choosesSandbox ? listStoredTokens(terminal) : []
    const files = await write(answers, { tracker: chosen, modelHost: model.host }, invocation)
    const facility = answers.newFacility ? await createFacility(answers.newFacility, invocation) : null
    const answer = { tracker, model, facility, files, next: nextCommands(tracker, facility) }
    if (flags.json) terminal.out(renderJson(answer, flags.fields, InitAnswer))
    else terminal.out(summary(answer, terminal.outIsTty ? terminal.width : null))
    await offerToDeleteTokens(storedTokens, invocation)
    return 0
  },
}

/** The token that standard input contains, if a flag says that it does. */
async function readGivenToken(
  { withToken, withLlmToken }: Asked,
  { terminal, signal }: Invocation,
): Promise<string | null> {
  if (!withToken && !withLlmToken) return null
  if (withToken && withLlmToken) {
    throw new StudioError('invalid', '--with-token and --with-llm-token both read standard input.', {
      hint: 'Run studio init once for each of them.',
    })
  }
  const token = (await terminal.readInput(signal)).trim()
  if (token !== '') return token
  throw new StudioError('invalid', 'Standard input contains no token.', {
    hint: `studio init ${withToken ? '--with-token' : '--with-llm-token'} < token.txt`,
  })
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

/** The tokens are stored first, so that the settings never name a server whose token is missing. */
async function write(
  answers: Answers,
  { tracker, modelHost }: { tracker: DefaultTracker | null; modelHost: string },
  { terminal }: Invocation,
): Promise<string[]> {
  const others = [
    ['user', answers.user],
    ['llm.host', answers.llmHost],
    ['llm.model', answers.llmModel],
    ['llm.api', answers.llmApi],
  ] as const
  const changes = [
    ...listTrackerChanges(answers, tracker),
    ...others.flatMap(([key, text]) => (text ? [[key, text] as const] : [])),
  ]
  const files = new Set<string>()
  const { paths } = loadSettings(terminal)
  if (answers.token && tracker)
    files.add(await saveTrackerToken(paths, { url: stripCredentials(tracker.url), token: answers.token }))
  if (answers.llmToken)
    files.add(await saveModelToken(paths, { host: stripCredentials(modelHost), token: answers.llmToken }))
  if (changes.length > 0) files.add(await changeSettings(changes, 'user', terminal))
  if (answers.tokenCommand && tracker) await preferCommand(loadSettings(terminal), tracker.url)
  return [...files]
}

/** Without questions the sandbox is the default where no tracker is set. */
function takesSandbox(
  { trackerUrl, trackerKind, trackerProject, trackerAccount, withToken }: Asked,
  terminal: Invocation['terminal'],
): boolean {
  const given = [trackerUrl, trackerKind, trackerProject, trackerAccount, withToken]
  return given.every((value) => value === undefined) && loadSettings(terminal).tracker.url === null
}

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
