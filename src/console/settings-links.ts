import type { Html } from './html'
import { pageLinks } from './page-links'

const pages = {
  '/console/settings': 'Security & Access',
  '/console/settings/staff': 'Staff & keys',
  '/console/settings/audit': 'Audit',
  '/console/settings/system': 'System',
}

/** The pages of the settings. */
export function settingsLinks(current: keyof typeof pages): Html {
  return pageLinks('Settings', pages, current)
}
