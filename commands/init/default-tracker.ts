import type { Settings } from '../../src/config'
import { stripCredentials } from '../../src/config/services/credentials'
import { StudioError } from '../../src/kernel'
import { detectTrackerKind } from '../../src/tracker/adapters'
import { type NewTracker, requireWebAddress } from './call-tracker'
import { chooseCredential } from './choose-credential'
import type { Answers } from './questions'

/** The default tracker as it will be. */
export interface DefaultTracker extends NewTracker {
  board: number | null
  typeLabels: readonly string[]
  /** Whether the address is another one than before, so that no other setting of the old tracker counts. */
  isOther: boolean
}

/** The default tracker that the answers and the settings describe; null for the sandbox. */
export function resolveDefaultTracker(
  answers: Answers,
  { tracker, paths }: Settings,
  env: NodeJS.ProcessEnv,
): DefaultTracker | null {
  if (answers.choosesSandbox) return null
  const url = answers.trackerUrl ?? tracker.url
  if (url === null) {
    requireNoTrackerFlags(answers)
    return null
  }
  requireWebAddress(url, 'studio init --tracker-url https://github.com/acme/harbor')
  const key = stripCredentials(url)
  const isOther = tracker.url === null || key !== stripCredentials(tracker.url)
  const kind = answers.trackerKind ?? (isOther && !env['STUDIO_TRACKER_KIND'] ? null : tracker.kind)
  return {
    kind: kind ?? detectTrackerKind(url),
    url,
    project: answers.trackerProject || (isOther ? env['STUDIO_TRACKER_PROJECT'] || null : tracker.project),
    account: answers.trackerAccount || (isOther ? env['STUDIO_TRACKER_ACCOUNT'] || null : tracker.account),
    ...chooseCredential({
      given: answers,
      known: {
        token: env['STUDIO_TRACKER_TOKEN'],
        tokenCommand: env['STUDIO_TRACKER_TOKEN_COMMAND'] || (isOther ? null : tracker.tokenCommand),
      },
      address: key,
      paths,
    }),
    board: isOther ? null : tracker.board,
    typeLabels: isOther ? [] : tracker.typeLabels,
    isOther,
  }
}

function requireNoTrackerFlags({ trackerKind, trackerProject, trackerAccount, token }: Answers): void {
  if ([trackerKind, trackerProject, trackerAccount, token].every((value) => !value)) return
  throw new StudioError('invalid', 'No tracker address was specified.', {
    hint: 'Add --tracker-url <url>, for example: studio init --tracker-url https://github.com/acme/harbor',
  })
}

type Change = readonly [key: string, text: string | null]

/** The changes that make it the default tracker. What a variable sets is not stored. */
export function listTrackerChanges(answers: Answers, tracker: DefaultTracker | null): Change[] {
  // A user who chose the sandbox needs no notice about it, and a tracker that was set before is no longer used.
  if (answers.choosesSandbox) return [...otherSettings, ['tracker.url', null], ['tracker.sandboxNotice', 'off']]
  if (tracker === null) return []
  const given = [
    ['tracker.url', answers.trackerUrl],
    ['tracker.project', answers.trackerProject],
    ['tracker.account', answers.trackerAccount],
    ['tracker.tokenCommand', answers.tokenCommand],
  ] as const
  const { kind, url, isOther } = tracker
  // Without the kind that the address says anyway, another address can be set later.
  const isKindGiven = answers.trackerUrl !== undefined || answers.trackerKind !== undefined
  const kindChange: Change[] = isKindGiven ? [['tracker.kind', kind === detectTrackerKind(url) ? null : kind]] : []
  return [
    ...(isOther ? otherSettings : []),
    ...kindChange,
    ...given.flatMap(([key, text]): Change[] => (text ? [[key, text]] : [])),
  ]
}

/** The settings of a tracker besides its address. */
const otherSettings: readonly Change[] = ['kind', 'project', 'account', 'tokenCommand', 'board', 'typeLabels'].map(
  (name) => [`tracker.${name}`, null] as const,
)
