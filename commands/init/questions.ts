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
}

/** Asks for what no flag says. */
export async function askForSettings(typed: Asked, { terminal }: Invocation): Promise<Answers> {
  const { default: inquirer } = await import('inquirer')
  const ask = inquirer.createPromptModule({ output: process.stderr })
  const has = (name: keyof Asked) => typed[name] !== undefined
  try {
    const answers = (await ask([
      {
        type: 'select',
        name: 'kind',
        message: 'Where are your work items?',
        choices: [
          { name: 'Nowhere yet: work on the sandbox, with sample work on this machine', value: 'sandbox' },
          { name: 'In a tracker of my own', value: 'own' },
        ],
        when: !has('trackerUrl'),
      },
      {
        type: 'input',
        name: 'trackerUrl',
        message: 'Address of the tracker, with its organization:',
        validate: isWebAddress,
        when: ({ kind }: { kind?: string }) => kind === 'own',
      },
      {
        type: 'input',
        name: 'trackerProject',
        message: 'Project (Enter: the only one that the token may see):',
        when: ({ kind }: { kind?: string }) => (kind === 'own' || has('trackerUrl')) && !has('trackerProject'),
      },
      {
        type: 'password',
        name: 'token',
        mask: '•',
        message: 'Personal access token, to read and write work items:',
        when: ({ kind }: { kind?: string }) =>
          (kind === 'own' || has('trackerUrl')) && !terminal.env['STUDIO_TRACKER_TOKEN'],
      },
      {
        type: 'input',
        name: 'user',
        message: 'Who are you there, as in ana@example.com (Enter: say it later):',
        when: ({ kind }: { kind?: string }) => (kind === 'own' || has('trackerUrl')) && !has('user'),
      },
      {
        type: 'input',
        name: 'llmHost',
        message: 'Address of a language model on your machine (Enter: http://127.0.0.1:11434):',
        validate: (text: string) => text === '' || isWebAddress(text),
        when: !has('llmHost'),
      },
      {
        type: 'confirm',
        name: 'wantsFacility',
        message: 'Set up a facility with loading docks now?',
        default: false,
        when: !has('facility'),
      },
    ] as never)) as Partial<Answers> & { wantsFacility?: boolean }
    const { interviewForFacility } = await import('../facility-interview')
    const newFacility = answers.wantsFacility ? await interviewForFacility() : null
    return { ...typed, ...answers, token: answers.token || null, newFacility }
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new StudioError('interrupted', 'Nothing was written.')
    throw error
  }
}

function isWebAddress(text: string): true | string {
  return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') || 'An address that begins with https://'
}
