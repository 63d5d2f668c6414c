import { TRACKER_KINDS, type TrackerKind, trackerProducts } from '../../src/tracker/services/tracker-kind'
import { ask } from '../ask'
import { askForFacility } from '../ask-for-facility'
import type { Invocation } from '../invocation'

/** The flags, as typed. */
export interface Asked {
  /** The name of a tracker to add beside the default one. */
  add?: string
  trackerKind?: string
  trackerUrl?: string
  trackerProject?: string
  withToken?: true
  user?: string
  llmHost?: string
  llmModel?: string
  llmApi?: string
  facility?: string
  facilityName?: string
  timeZone?: string
}

export interface Answers extends Asked {
  /** The token to store; null if there is none, or if a variable holds it. */
  token: string | null
  newFacility: Record<string, unknown> | null
  /** Whether the user chose the sandbox as the tracker. */
  choosesSandbox: boolean
}

/** Answers that decide about later questions. */
interface Choices {
  purpose?: 'items' | 'docks' | 'both'
  kind?: 'sandbox' | TrackerKind
}

/** Asks for what no flag gives. Asks about docks only if the user wants them. */
export async function askForSettings(typed: Asked, { terminal }: Invocation): Promise<Answers> {
  const has = (name: keyof Asked) => typed[name] !== undefined
  const isTrackerNamed = has('trackerUrl') || Boolean(terminal.env['STUDIO_TRACKER_URL'])
  const wantsItems = ({ purpose }: Choices) => purpose !== 'docks'
  const wantsTracker = (choices: Choices) => isTrackerNamed || isOwn(choices)
  const isOwn = ({ kind }: Choices) => kind !== undefined && kind !== 'sandbox'
  const isOnGitHub = ({ kind }: Choices) => (typed.trackerKind ?? kind) === 'github'
  const questions = [
    {
      type: 'select',
      name: 'purpose',
      message: 'What will you use studio for?',
      choices: [
        { name: 'Work items of a tracker', value: 'items' },
        { name: 'Loading docks', value: 'docks' },
        { name: 'Both', value: 'both' },
      ],
      when: !isTrackerNamed && !has('facility'),
    },
    {
      type: 'select',
      name: 'kind',
      message: 'Where are your work items?',
      choices: [
        { name: 'Use the sandbox with sample data', value: 'sandbox' },
        ...TRACKER_KINDS.map((kind) => ({ name: `In ${trackerProducts[kind]}`, value: kind })),
      ],
      when: (choices: Choices) => wantsItems(choices) && !isTrackerNamed,
    },
    {
      type: 'input',
      name: 'trackerUrl',
      message: (choices: Choices) =>
        isOnGitHub(choices)
          ? 'URL of the repository (https://github.com/owner/repository):'
          : 'URL of the tracker, with its organization:',
      validate: isWebAddress,
      when: isOwn,
    },
    {
      type: 'input',
      name: 'trackerProject',
      message: 'Project (Enter for the only one that the token can read):',
      when: (choices: Choices) => wantsTracker(choices) && !isOnGitHub(choices) && !has('trackerProject'),
    },
    {
      type: 'password',
      name: 'token',
      mask: '•',
      message: 'Personal access token, to read and write work items:',
      when: (choices: Choices) => wantsTracker(choices) && !terminal.env['STUDIO_TRACKER_TOKEN'],
    },
    {
      type: 'input',
      name: 'user',
      message: 'Your name in the tracker (Enter to skip):',
      when: (choices: Choices) => wantsItems(choices) && !has('user'),
    },
    {
      type: 'input',
      name: 'llmHost',
      message: 'Language model URL (Enter for http://127.0.0.1:11434):',
      validate: (text: string) => text === '' || isWebAddress(text),
      when: (choices: Choices) => wantsItems(choices) && !has('llmHost'),
    },
  ]
  const answers: Partial<Answers> & Choices = await ask(questions, 'Nothing was written.')
  const wantsDocks = answers.purpose === 'docks' || answers.purpose === 'both'
  const newFacility = wantsDocks ? await askForFacility() : null
  const choosesSandbox = answers.kind === 'sandbox'
  const trackerKind = typed.trackerKind ?? (isOwn(answers) ? answers.kind : undefined)
  return { ...typed, ...answers, trackerKind, token: answers.token || null, newFacility, choosesSandbox }
}

export function isWebAddress(text: string): true | string {
  return (
    /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') ||
    'Give a URL that starts with https:// or http://'
  )
}
