import {
  detectTrackerKind,
  isJiraCloud,
  TRACKER_KINDS,
  type TrackerKind,
  trackerProducts,
} from '../../src/tracker/services/tracker-kind'

/** What identifies a tracker and its token, as flags or answers name it. */
export interface AskedTracker {
  trackerKind?: TrackerKind
  trackerUrl?: string
  trackerProject?: string
  trackerAccount?: string
}

/** The questions about a tracker of each kind, in the words of the product. */
const wording: Record<TrackerKind, { url: string; project: string; token: string }> = {
  'azure-devops': {
    url: 'URL with its organization (https://dev.azure.com/organization):',
    project: 'Project (Enter for the only one that the token can read):',
    token: 'Personal access token, to read and write work items',
  },
  github: {
    url: 'URL of the repository (https://github.com/owner/repository):',
    project: 'Name of the repository:',
    token: 'Personal access token, to read and write issues',
  },
  jira: {
    url: 'URL of the site (https://site.atlassian.net):',
    project: 'Key of the project (ABC for issues such as ABC-7):',
    token: 'API token of Jira Cloud, or personal access token of Jira Data Center',
  },
}

/** The choices for the kind of a tracker. */
export const trackerChoices = TRACKER_KINDS.map((kind) => ({ name: trackerProducts[kind], value: kind }))

/** What is known before the questions are asked. */
export interface KnownTracker extends AskedTracker {
  /** Whether the token needs no question. */
  hasToken: boolean
  /** Said about the token when none is a possible answer. */
  tokenNote: string
}

/** Asks for what is not known about a tracker. `isWanted` is whether the earlier answers choose one. */
export function createTrackerQuestions(known: KnownTracker, isWanted: (answers: AskedTracker) => boolean): object[] {
  const complete = (answers: AskedTracker) => completeTracker(known, answers)
  const words = (answers: AskedTracker) => wording[complete(answers).kind]
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
        complete(answers).kind === 'azure-devops' || text.trim() !== '' || 'An answer is needed',
      when: (answers: AskedTracker) => known.trackerProject === undefined && !isNamedByAddress(complete(answers)),
    },
    {
      type: 'input',
      name: 'trackerAccount',
      message: (answers: AskedTracker) =>
        isJiraCloud(complete(answers).url)
          ? 'E-mail address of the account that the token belongs to:'
          : 'E-mail address of the account, if it is Jira Cloud (Enter for none):',
      validate: (text: string, answers: AskedTracker) =>
        !isJiraCloud(complete(answers).url) || text.trim() !== '' || 'An answer is needed',
      when: (answers: AskedTracker) => known.trackerAccount === undefined && complete(answers).kind === 'jira',
    },
    {
      type: 'password',
      name: 'token',
      mask: '•',
      message: (answers: AskedTracker) => `${words(answers).token}${known.tokenNote}:`,
      when: () => !known.hasToken,
    },
  ]
  return questions.map((question) => ({
    ...question,
    when: (answers: AskedTracker) => isWanted(answers) && question.when(answers),
  }))
}

/** The address as far as it is known, and the kind that was chosen, or else that the address suggests. */
function completeTracker(known: AskedTracker, answers: AskedTracker): { kind: TrackerKind; url: string } {
  const url = known.trackerUrl ?? answers.trackerUrl ?? ''
  return { kind: known.trackerKind ?? answers.trackerKind ?? detectTrackerKind(url), url }
}

/** On GitHub the address of the repository names the project. */
function isNamedByAddress({ kind, url }: { kind: TrackerKind; url: string }): boolean {
  return kind === 'github' && URL.canParse(url) && new URL(url).pathname.split('/').filter(Boolean).length > 1
}

export function isWebAddress(text: string): true | string {
  return (
    /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') ||
    'Give a URL that starts with https:// or http://'
  )
}
