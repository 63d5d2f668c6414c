import { detectTrackerKind, getAdapter, TRACKER_KINDS, type TrackerKind } from '../../src/tracker/adapters'

/** What identifies a tracker and its token, as flags or answers name it. */
export interface AskedTracker {
  trackerKind?: TrackerKind
  trackerUrl?: string
  trackerProject?: string
  trackerAccount?: string
  /** A command that prints the token; empty or absent for none. */
  tokenCommand?: string
}

/** The choices for the kind of a tracker. */
export const trackerChoices = TRACKER_KINDS.map((kind) => ({ name: getAdapter(kind).product, value: kind }))

/** What is known before the questions are asked. */
export interface KnownTracker extends AskedTracker {
  /** Whether the token needs no question. */
  hasToken: boolean
  /** Said about the token when none is a possible answer. */
  tokenNote: string
  /** Aborted when the user leaves. */
  signal: AbortSignal
}

/** Asks for what is not known about a tracker. `isWanted` is whether the earlier answers choose one. */
export function createTrackerQuestions(known: KnownTracker, isWanted: (answers: AskedTracker) => boolean): object[] {
  const complete = (answers: AskedTracker) => completeTracker(known, answers)
  const words = (answers: AskedTracker) => getAdapter(complete(answers).kind).questions
  const needsAccount = (answers: AskedTracker) => {
    const { kind, url } = complete(answers)
    return getAdapter(kind).needsAccount(url)
  }
  const questions = [
    {
      type: 'input',
      name: 'trackerUrl',
      message: (answers: AskedTracker) => words(answers).url,
      validate: isWebAddress,
      when: () => known.trackerUrl === undefined,
    },
    {
      type: 'input',
      name: 'trackerProject',
      message: (answers: AskedTracker) => words(answers).project,
      validate: (text: string, answers: AskedTracker) =>
        !getAdapter(complete(answers).kind).needsProject || text.trim() !== '' || 'An answer is needed',
      when: (answers: AskedTracker) => known.trackerProject === undefined && !namesProject(complete(answers)),
    },
    {
      type: 'input',
      name: 'trackerAccount',
      message: (answers: AskedTracker) =>
        needsAccount(answers) === 'always'
          ? 'E-mail address of the account that the token belongs to:'
          : 'E-mail address of the account, if it is Jira Cloud (Enter for none):',
      validate: (text: string, answers: AskedTracker) =>
        needsAccount(answers) !== 'always' || text.trim() !== '' || 'An answer is needed',
      when: (answers: AskedTracker) => known.trackerAccount === undefined && needsAccount(answers) !== 'never',
    },
    {
      type: 'select',
      name: 'tokenCommand',
      message: 'How does studio sign in?',
      choices: (answers: AskedTracker) => {
        const command = getTokenCommand(complete(answers)) ?? ''
        const [program] = command.split(' ')
        return [
          { name: `With the sign-in of ${program} on this machine (${command})`, value: command },
          { name: 'With a token', value: '' },
        ]
      },
      when: async (answers: AskedTracker) =>
        !known.hasToken && (await printsToken(getTokenCommand(complete(answers)), known.signal)),
    },
    {
      type: 'password',
      name: 'token',
      mask: '•',
      message: (answers: AskedTracker) => `${words(answers).token}${known.tokenNote}:`,
      when: (answers: AskedTracker) => !known.hasToken && !answers.tokenCommand,
    },
  ]
  return questions.map((question) => ({
    ...question,
    when: (answers: AskedTracker) => isWanted(answers) && question.when(answers),
  }))
}

function getTokenCommand({ kind, url }: { kind: TrackerKind; url: string }): string | null {
  return getAdapter(kind).tokenCommand(url)
}

/** How long a program may take to print its token. */
const COMMAND_TIMEOUT_MS = 10_000

/** Whether the program is installed and signed in. */
async function printsToken(command: string | null, signal: AbortSignal): Promise<boolean> {
  if (command === null) return false
  const { openTokenSource } = await import('../../src/credentials')
  const owner = { setting: 'tracker.tokenCommand', code: 'tracker_token', now: Date.now } as const
  const source = openTokenSource({ token: null, tokenCommand: command, ...owner })
  const reading = source!.read(AbortSignal.any([signal, AbortSignal.timeout(COMMAND_TIMEOUT_MS)]))
  return reading.then(
    () => true,
    () => false,
  )
}

/** The address as far as it is known, and the kind that was chosen, or else that the address suggests. */
function completeTracker(known: AskedTracker, answers: AskedTracker): { kind: TrackerKind; url: string } {
  const url = known.trackerUrl ?? answers.trackerUrl ?? ''
  return { kind: known.trackerKind ?? answers.trackerKind ?? detectTrackerKind(url), url }
}

function namesProject({ kind, url }: { kind: TrackerKind; url: string }): boolean {
  return getAdapter(kind).namesProject(url)
}

export function isWebAddress(text: string): true | string {
  return (
    /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') ||
    'Specify a URL that starts with https:// or http://'
  )
}
