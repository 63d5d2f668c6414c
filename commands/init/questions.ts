import { loadSettings } from '../../src/config'
import type { TrackerKind } from '../../src/tracker/adapters'
import { askForFacility } from '../operation/ask-for-facility'
import type { Invocation } from '../start/invocation'
import { ask } from '../terminal/ask'
import { type AskedTracker, createTrackerQuestions, isWebAddress, trackerChoices } from './tracker-questions'

/** The flags, as typed. */
export interface Asked extends AskedTracker {
  /** The name of a tracker to add beside the default one. */
  add?: string
  withToken?: true
  withLlmToken?: true
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
  /** The same for the language model server. */
  llmToken: string | null
  newFacility: Record<string, unknown> | null
  /** Whether the user chose the sandbox as the tracker. */
  choosesSandbox: boolean
}

/** Answers that decide about later questions. */
interface Choices {
  purpose?: 'items' | 'docks' | 'both'
  trackerKind?: 'sandbox' | TrackerKind
  llmHost?: string
}

/** Asks for what no flag gives. Asks about docks only if the user wants them. */
export async function askForSettings(typed: Asked, { terminal, signal }: Invocation): Promise<Answers> {
  const has = (name: keyof Asked) => typed[name] !== undefined
  const { env } = terminal
  const trackerUrl = typed.trackerUrl ?? (env['STUDIO_TRACKER_URL'] || undefined)
  const wantsItems = ({ purpose }: Choices) => purpose !== 'docks'
  const isNamed = trackerUrl !== undefined || has('trackerKind')
  const wantsTracker = ({ trackerKind }: Choices) => isNamed || (trackerKind !== undefined && trackerKind !== 'sandbox')
  const kindOfVariable = env['STUDIO_TRACKER_KIND'] ? (loadSettings(terminal).tracker.kind ?? undefined) : undefined
  const known = {
    trackerKind: typed.trackerKind ?? (isNamed ? kindOfVariable : undefined),
    trackerUrl,
    trackerProject: typed.trackerProject ?? (env['STUDIO_TRACKER_PROJECT'] || undefined),
    trackerAccount: typed.trackerAccount ?? (env['STUDIO_TRACKER_ACCOUNT'] || undefined),
    hasToken: Boolean(env['STUDIO_TRACKER_TOKEN'] || env['STUDIO_TRACKER_TOKEN_COMMAND']),
    tokenNote: '',
    signal,
  }
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
      when: !isNamed && !has('facility'),
    },
    {
      type: 'select',
      name: 'trackerKind',
      message: 'Where are your work items?',
      choices: [
        { name: 'Use the sandbox with sample data', value: 'sandbox' },
        ...trackerChoices.map(({ name, value }) => ({ name: `In ${name}`, value })),
      ],
      when: (choices: Choices) => wantsItems(choices) && !isNamed,
    },
    ...createTrackerQuestions(known, wantsTracker),
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
    {
      type: 'select',
      name: 'llmApi',
      message: 'Which API does it have?',
      choices: [
        { name: 'Ollama', value: 'ollama' },
        { name: 'OpenAI, such as vLLM, llama.cpp, LM Studio and gateways', value: 'openai' },
      ],
      when: (choices: Choices) => Boolean(choices.llmHost) && !has('llmApi'),
    },
    {
      type: 'password',
      name: 'llmToken',
      mask: '•',
      message: 'Its token or API key (Enter for none):',
      when: ({ llmHost }: Choices) => Boolean(typed.llmHost ?? llmHost) && !env['STUDIO_LLM_TOKEN'],
    },
  ]
  const { trackerKind: choice, ...answers }: Choices & Partial<Omit<Answers, 'trackerKind'>> = await ask(
    questions,
    'Nothing was written.',
  )
  const wantsDocks = answers.purpose === 'docks' || answers.purpose === 'both'
  const newFacility = wantsDocks ? await askForFacility() : null
  const choosesSandbox = choice === 'sandbox'
  const trackerKind = typed.trackerKind ?? (choice === 'sandbox' ? undefined : choice)
  const [token, llmToken] = [answers.token || null, answers.llmToken || null]
  return { ...typed, ...answers, trackerKind, token, llmToken, newFacility, choosesSandbox }
}
