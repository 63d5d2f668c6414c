import * as z from 'zod'
import { readProxySettings } from '../../src/config/services/proxy-settings'
import type { LoginStore } from '../../src/credentials'
import { StudioError } from '../../src/kernel'
import { getAdapter, type TrackerKind } from '../../src/tracker/adapters'
import type { SettingNames } from '../../src/tracker/services/setting-names'
import type { Invocation } from '../start/invocation'
import { isWebAddress } from './tracker-questions'

export const TrackerCheck = z.object({ name: z.string(), types: z.array(z.string()) })
export type TrackerCheck = z.infer<typeof TrackerCheck>

/** A tracker that the flags or the answers describe. */
export interface NewTracker {
  kind: TrackerKind
  url: string
  project: string | null
  account: string | null
  token: string | null
  /** A command that prints the token; null for none. */
  tokenCommand: string | null
  /** A stored sign-in; null for none. */
  login: LoginStore | null
}

/** Refuses an address that is none. `example` is a command that names one. */
export function requireWebAddress(url: string, example: string): void {
  if (isWebAddress(url) === true) return
  throw new StudioError('invalid', '--tracker-url must be an http or https address.', {
    hint: `For example: ${example}`,
  })
}

/** Refuses a tracker without what its kind needs besides the address. */
export function requireComplete({
  kind,
  url,
  project,
  account,
  token,
}: Omit<NewTracker, 'tokenCommand' | 'login'>): void {
  if (kind !== 'jira') return
  if (project === null) {
    throw new StudioError('invalid', 'Jira requires the key of a project.', {
      hint: 'Add --tracker-project ABC for issues such as ABC-7.',
    })
  }
  if (account === null && token !== null && getAdapter(kind).needsAccount(url) === 'always') {
    throw new StudioError('invalid', 'Jira Cloud accepts a token only together with the account that it belongs to.', {
      hint: 'Add --tracker-account <e-mail address>.',
    })
  }
}

/** Calls the tracker before anything is written. */
export async function callTracker(
  settings: Omit<NewTracker, 'tokenCommand' | 'login'> &
    Partial<NewTracker> & { board?: number | null; typeLabels?: readonly string[]; settingNames?: SettingNames },
  { terminal, signal }: Invocation,
): Promise<TrackerCheck> {
  requireComplete(settings)
  const { openTracker } = await import('../../src/tracker')
  const tracker = openTracker({ ...settings, proxy: readProxySettings(terminal.env) })
  try {
    const { types } = await tracker.describeProcess(signal)
    return { name: tracker.name, types: types.map((type) => type.name) }
  } finally {
    await tracker.close()
  }
}
