import { StudioError } from '../../src/kernel'
import type { Invocation } from '../invocation'

/** The flags, as typed. */
export interface Asked {
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
  /** To be kept; null where there is none, or a variable holds it. */
  token: string | null
  newFacility: Record<string, unknown> | null
  /** Where the sandbox is the tracker because the user chose it. */
  choosesSandbox: boolean
}

/** What the answers before say about the questions after them. */
interface Choices {
  purpose?: 'items' | 'docks' | 'both'
  kind?: 'sandbox' | 'own'
}

/** Asks for what no flag says. Docks are asked about only where they are wanted. */
export async function askForSettings(typed: Asked, { terminal }: Invocation): Promise<Answers> {
  const { default: inquirer } = await import('inquirer')
  const ask = inquirer.createPromptModule({ output: process.stderr })
  const has = (name: keyof Asked) => typed[name] !== undefined
  const isTrackerNamed = has('trackerUrl') || Boolean(terminal.env['STUDIO_TRACKER_URL'])
  const wantsItems = ({ purpose }: Choices) => purpose !== 'docks'
  const wantsTracker = (choices: Choices) => isTrackerNamed || choices.kind === 'own'
  try {
    const answers = (await ask([
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
          { name: 'Nowhere yet: work on the sandbox, with sample work on this machine', value: 'sandbox' },
          { name: 'In a tracker of my own', value: 'own' },
        ],
        when: (choices: Choices) => wantsItems(choices) && !isTrackerNamed,
      },
      {
        type: 'input',
        name: 'trackerUrl',
        message: 'Address of the tracker, with its organization:',
        validate: isWebAddress,
        when: ({ kind }: Choices) => kind === 'own',
      },
      {
        type: 'input',
        name: 'trackerProject',
        message: 'Project (Enter: the only one that the token may see):',
        when: (choices: Choices) => wantsTracker(choices) && !has('trackerProject'),
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
        message: 'Who are you in the tracker, as in ana@example.com (Enter: set it later):',
        when: (choices: Choices) => wantsItems(choices) && !has('user'),
      },
      {
        type: 'input',
        name: 'llmHost',
        message: 'Address of a language model on your machine (Enter: http://127.0.0.1:11434):',
        validate: (text: string) => text === '' || isWebAddress(text),
        when: (choices: Choices) => wantsItems(choices) && !has('llmHost'),
      },
    ] as never)) as Partial<Answers> & Choices
    const { askForFacility } = await import('../ask-for-facility')
    const wantsDocks = answers.purpose === 'docks' || answers.purpose === 'both'
    const newFacility = wantsDocks ? await askForFacility() : null
    const choosesSandbox = answers.kind === 'sandbox'
    return { ...typed, ...answers, token: answers.token || null, newFacility, choosesSandbox }
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new StudioError('interrupted', 'Nothing was written.')
    throw error
  }
}

function isWebAddress(text: string): true | string {
  return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') || 'An address that begins with https://'
}
