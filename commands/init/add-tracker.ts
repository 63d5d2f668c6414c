import * as z from 'zod'
import { loadSettings, type Settings } from '../../src/config'
import { stripCredentials } from '../../src/config/services/credentials'
import {
  getCommandVariable,
  getSettingNames,
  getTokenVariable,
  TrackerName,
} from '../../src/config/services/further-trackers'
import { changeSettings } from '../../src/config/services/list-settings'
import { saveTrackerToken } from '../../src/config/services/store-token'
import { StudioError } from '../../src/kernel'
import { detectTrackerKind } from '../../src/tracker/adapters'
import type { Invocation } from '../start/invocation'
import { renderJson, requireFields } from '../terminal/render-json'
import { wrapText } from '../terminal/wrap-text'
import { callTracker, type NewTracker, requireWebAddress, TrackerCheck } from './call-tracker'
import { chooseCredential } from './choose-credential'
import { preferCommand } from './prefer-command'
import type { Asked } from './questions'

const AddAnswer = z.object({ name: z.string(), tracker: TrackerCheck, files: z.array(z.string()) })

/** The further tracker that the flags or the answers describe. */
interface AddedTracker extends NewTracker {
  name: string
  /** What was entered now, and is to be stored. */
  given: { token: string | null; tokenCommand: string | null }
}

/** Adds a tracker beside the default one, after it was called with its token. */
export async function addTracker(asked: Asked & { token: string | null }, invocation: Invocation): Promise<number> {
  const { terminal, flags } = invocation
  if (flags.fields) requireFields(flags.fields, AddAnswer)
  const settings = loadSettings(terminal)
  const added = requireNewTracker(asked, settings, terminal.env)
  const tracker = await callTracker({ ...added, settingNames: getSettingNames(added.name) }, invocation)
  const files = await write(added, settings, invocation)
  const answer = { name: added.name, tracker, files }
  if (flags.json) terminal.out(renderJson(answer, flags.fields, AddAnswer))
  else terminal.out(wrapText(summarize(answer), terminal.outIsTty ? terminal.width : null))
  return 0
}

function requireNewTracker(
  asked: Asked & { token: string | null },
  settings: Settings,
  env: NodeJS.ProcessEnv,
): AddedTracker {
  requireOnlyTrackerFlags(asked)
  const name = requireName(asked.add ?? '')
  const url = asked.trackerUrl ?? ''
  requireWebAddress(url, `studio init --add ${name} --tracker-url https://github.com/acme/harbor`)
  const project = asked.trackerProject || null
  requireUnused({ name, url, project }, settings)
  const given = { token: asked.token, tokenCommand: asked.tokenCommand || null }
  return {
    name,
    kind: asked.trackerKind ?? detectTrackerKind(url),
    url,
    project,
    account: asked.trackerAccount || null,
    ...chooseCredential({
      given,
      known: { token: env[getTokenVariable(name)], tokenCommand: env[getCommandVariable(name)] },
      address: stripCredentials(url),
      paths: settings.paths,
    }),
    given,
  }
}

/** Adding a tracker changes nothing else. */
function requireOnlyTrackerFlags(asked: Asked): void {
  const { user, llmHost, llmModel, llmApi, withLlmToken, facility, facilityName, timeZone } = asked
  const others = [user, llmHost, llmModel, llmApi, withLlmToken, facility, facilityName, timeZone]
  if (others.every((value) => value === undefined)) return
  throw new StudioError('invalid', '--add can be combined only with --tracker-… and --with-token.', {
    hint: 'For all other settings, run studio init again without --add.',
  })
}

/** The name, if it can be one. */
function requireName(text: string): string {
  const parsed = TrackerName.safeParse(text)
  if (parsed.success) return parsed.data
  throw new StudioError('invalid', `The name of a tracker ${parsed.error.issues[0]!.message}.`, {
    hint: 'For example: studio init --add gh --tracker-url https://github.com/acme/harbor',
  })
}

/** The same name can be added again for the same address, with another token or project. */
function requireUnused(
  { name, url, project }: Pick<AddedTracker, 'name' | 'url' | 'project'>,
  settings: Settings,
): void {
  const address = normalizeAddress(url)
  const sameName = settings.trackers.find((each) => each.name === name)
  if (sameName && normalizeAddress(sameName.url) !== address) {
    throw new StudioError(
      'conflict',
      `The name ${name} is already used for the tracker ${stripCredentials(sameName.url)}.`,
      {
        hint: `Choose another name, or first remove it: studio config set trackers.${name} --unset`,
      },
    )
  }
  const all = [{ ...settings.tracker, name: null }, ...settings.trackers.filter((each) => each.name !== name)]
  const same = all.find((each) => each.url && normalizeAddress(each.url) === address && each.project === project)
  if (!same) return
  const what = same.name === null ? 'the default tracker' : `the tracker ${same.name}`
  throw new StudioError('conflict', `${stripCredentials(url)} is ${what} already.`, {
    hint: 'Name another address, or another project with --tracker-project. See: studio config list --sources',
  })
}

function normalizeAddress(url: string): string {
  return stripCredentials(url).toLowerCase()
}

/** The token is stored first, so that the settings never name a tracker whose token is missing. */
async function write(
  { name, kind, url, project, account, given: { token, tokenCommand } }: AddedTracker,
  { paths }: Settings,
  { terminal }: Invocation,
): Promise<string[]> {
  const files = token === null ? [] : [await saveTrackerToken(paths, { url: stripCredentials(url), token })]
  const settings = { url, kind: kind === detectTrackerKind(url) ? null : kind, project, account, tokenCommand }
  const changes = Object.entries(settings).map(([key, text]) => [`trackers.${name}.${key}`, text] as const)
  const file = await changeSettings(changes, 'user', terminal)
  if (tokenCommand !== null) await preferCommand(loadSettings(terminal), url)
  return [...files, file]
}

function summarize({ name, tracker, files }: z.infer<typeof AddAnswer>): string {
  return [
    `Tracker ${name}: connected to ${tracker.name}. Its work item types: ${tracker.types.join(', ')}.`,
    ...files.map((file) => `Written: ${file}`),
    `To check all trackers: studio doctor. To remove this one: studio config set trackers.${name} --unset`,
    '',
  ].join('\n')
}
