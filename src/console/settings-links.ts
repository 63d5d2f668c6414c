import type { OperationId } from '../kernel'
import { mayRun } from './forms/rights'
import type { Html } from './html'
import { pageLinks } from './page-links'

/** The pages of the settings, each with an operation that only who sees the page may run. */
const pages = {
  '/console/settings': { title: 'Security & Access', needs: 'tokens.list' },
  '/console/settings/people': { title: 'People', needs: 'people.list' },
  '/console/settings/staff': { title: 'Staff & keys', needs: 'staff.list' },
  '/console/settings/messages': { title: 'Webhooks & mails', needs: 'webhooks.list' },
  '/console/settings/trackers': { title: 'Trackers', needs: 'tracker.hooks' },
  '/console/settings/storage': { title: 'Storage', needs: 'storage.backup' },
  '/console/settings/audit': { title: 'Audit', needs: 'audit.list' },
  '/console/settings/system': { title: 'System', needs: 'system.doctor' },
} as const satisfies Record<string, { title: string; needs: OperationId }>

/** The pages of the settings that the caller may see, with their titles. */
export async function listSettingsPages(): Promise<(readonly [path: string, title: string])[]> {
  const entries = await Promise.all(
    Object.entries(pages).map(async ([path, { title, needs }]) =>
      (await mayRun(needs)) ? [[path, title] as const] : [],
    ),
  )
  return entries.flat()
}

/** Links to the pages of the settings, the present one marked. */
export async function settingsLinks(current: keyof typeof pages): Promise<Html> {
  return pageLinks('Settings', Object.fromEntries(await listSettingsPages()), current)
}
