import * as z from 'zod'
import { loadSettings, type Settings } from '../../src/config'
import { readTrackerToken, saveTrackerToken, stripCredentials } from '../../src/config/services/credentials'
import { getTokenVariable, TrackerName } from '../../src/config/services/further-trackers'
import { changeSetting } from '../../src/config/services/list-settings'
import { TrackerKind } from '../../src/config/services/load-settings'
import { readProxySettings } from '../../src/config/services/proxy-settings'
import { StudioError } from '../../src/kernel'
import { detectTrackerKind } from '../../src/tracker/services/tracker-kind'
import type { Invocation } from '../invocation'
import { renderJson, requireFields } from '../render-json'
import { wrapText } from '../wrap-text'
import { TrackerCheck } from './checks'
import type { Asked } from './questions'

const AddAnswer = z.object({ name: z.string(), tracker: TrackerCheck, files: z.array(z.string()) })

/** The further tracker that the flags or the answers describe. */
interface NewTracker {
  name: string
  kind: z.infer<typeof TrackerKind> | null
  url: string
  project: string | null
  /** The token to store; null if there is none, or if one is set already. */
  token: string | null
}

/** Adds a tracker beside the default one, after it was called with its token. */
export async function addTracker(asked: Asked & { token: string | null }, invocation: Invocation): Promise<number> {
  const { terminal, flags } = invocation
  if (flags.fields) requireFields(flags.fields, AddAnswer)
  const settings = loadSettings(terminal)
  const added = requireNewTracker(asked, settings)
  const tracker = await callTracker(added, settings, invocation)
  const files = await write(added, settings, invocation)
  const answer = { name: added.name, tracker, files }
  if (flags.json) terminal.out(renderJson(answer, flags.fields, AddAnswer))
  else terminal.out(wrapText(summarize(answer), terminal.outIsTty ? terminal.width : null))
  return 0
}

function requireNewTracker(asked: Asked & { token: string | null }, settings: Settings): NewTracker {
  requireOnlyTrackerFlags(asked)
  const name = requireName(asked.add ?? '')
  const kind = asked.trackerKind === undefined ? null : (TrackerKind.safeParse(asked.trackerKind).data ?? null)
  if (asked.trackerKind !== undefined && kind === null)
    throw new StudioError('invalid', `--tracker-kind must be one of: ${TrackerKind.options.join(', ')}.`)
  const url = asked.trackerUrl ?? ''
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new StudioError('invalid', '--tracker-url must be an http or https address.', {
      hint: `For example: studio init --add ${name} --tracker-url https://github.com/acme/harbor`,
    })
  }
  const project = asked.trackerProject || null
  requireUnused({ name, url, project }, settings)
  return { name, kind, url, project, token: asked.token }
}

/** Adding a tracker changes nothing else. */
function requireOnlyTrackerFlags(asked: Asked): void {
  const { user, llmHost, llmModel, llmApi, facility, facilityName, timeZone } = asked
  const others = [user, llmHost, llmModel, llmApi, facility, facilityName, timeZone]
  if (others.every((value) => value === undefined)) return
  throw new StudioError('invalid', '--add can be combined only with --tracker-… and --with-token.', {
    hint: 'Run studio init a second time without --add for all other settings.',
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
function requireUnused({ name, url, project }: Pick<NewTracker, 'name' | 'url' | 'project'>, settings: Settings): void {
  const address = normalizeAddress(url)
  const sameName = settings.trackers.find((each) => each.name === name)
  if (sameName && normalizeAddress(sameName.url) !== address) {
    throw new StudioError('conflict', `The name ${name} is that of the tracker ${stripCredentials(sameName.url)}.`, {
      hint: `Choose another name, or first remove it: studio config set trackers.${name} --unset`,
    })
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

/** Calls the tracker before anything is written. */
async function callTracker(
  { name, kind, url, project, token }: NewTracker,
  { paths }: Settings,
  { terminal: { env }, signal }: Invocation,
): Promise<TrackerCheck> {
  const { openTracker } = await import('../../src/tracker')
  const known = env[getTokenVariable(name)] || readTrackerToken(paths, stripCredentials(url))
  const tracker = openTracker({ kind, url, project, token: token ?? known, proxy: readProxySettings(env) })
  try {
    const { types } = await tracker.describeProcess(signal)
    return { name: tracker.name, types: types.map((type) => type.name) }
  } finally {
    await tracker.close()
  }
}

/** The token is stored first, so that the settings never name a tracker whose token is missing. */
async function write(
  { name, kind, url, project, token }: NewTracker,
  { paths }: Settings,
  { terminal }: Invocation,
): Promise<string[]> {
  const files = new Set<string>()
  if (token !== null) files.add(await saveTrackerToken(paths, { url: stripCredentials(url), token }))
  const settings = { url, kind: kind === detectTrackerKind(url) ? null : kind, project }
  for (const [key, text] of Object.entries(settings))
    files.add(await changeSetting({ key: `trackers.${name}.${key}`, text, scope: 'user' }, terminal))
  return [...files]
}

function summarize({ name, tracker, files }: z.infer<typeof AddAnswer>): string {
  return [
    `Tracker ${name}: connected to ${tracker.name}. Its work item types: ${tracker.types.join(', ')}.`,
    ...files.map((file) => `Written: ${file}`),
    `To check all trackers: studio doctor. To remove this one: studio config set trackers.${name} --unset`,
    '',
  ].join('\n')
}
