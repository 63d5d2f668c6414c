import type { Html } from '../../html'
import { pageLinks } from '../../page-links'

const links = {
  '/console/reports': 'Summary',
  '/console/reports/forecast': 'Forecast',
  '/console/reports/briefing': 'Briefing',
  '/console/reports/priorities': 'Priorities',
}

/** The pages of the reports. */
export function reportLinks(current: keyof typeof links): Html {
  return pageLinks('Reports', links, current)
}
