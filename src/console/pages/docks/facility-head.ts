import type { ResultOf } from '../../../catalog'
import { pageHead } from '../../components/page-head'
import { mayRun } from '../../forms/rights'
import { type Html, html } from '../../html'
import { pageLinks } from '../../page-links'
import { facilityPath } from './facility-path'

/** The pages of a facility, in the order of their tabs. */
const tabs = {
  '': 'Board',
  '/attention': 'Attention',
  '/week': 'Week',
  '/appointments': 'Appointments',
  '/holds': 'Holds',
  '/series': 'Series',
  '/waitlist': 'Waitlist',
  '/yard': 'Yard',
  '/report': 'Report',
  '/carriers': 'Carriers',
  '/gate-links': 'Gate links',
  '/settings': 'Settings',
} as const

export type FacilityTab = keyof typeof tabs

/** What the caller must be allowed to see the page of a tab. */
const needed = {
  '/attention': 'facilities.conflicts',
  '/series': 'series.list',
  '/yard': 'yard.board',
  '/report': 'facilities.report',
  '/week': 'facilities.report',
  '/carriers': 'carriers.admit',
  '/gate-links': 'facilities.list-gate-links',
  '/settings': 'facilities.update',
} as const

/** The pages of a facility that the caller may see, with their titles. */
export async function listFacilityPages(code: string): Promise<(readonly [path: string, title: string])[]> {
  const entries = await Promise.all(
    Object.entries(tabs).map(async ([page, title]) => {
      const operation = needed[page as keyof typeof needed]
      return operation === undefined || (await mayRun(operation)) ? [[facilityPath(code, page), title] as const] : []
    }),
  )
  return entries.flat()
}

/** Links to the pages of the facility, the present one marked. */
export async function facilityTabs(code: string, current: FacilityTab): Promise<Html> {
  return pageLinks(`Pages of ${code}`, Object.fromEntries(await listFacilityPages(code)), facilityPath(code, current))
}

/** The head of a page of a facility: its name, the buttons of the page, and the other pages. */
export function facilityHead(
  { code, name }: Pick<ResultOf<'facilities.get'>, 'code' | 'name'>,
  current: FacilityTab,
  actions: NonNullable<Parameters<typeof pageHead>[0]['actions']> = '',
): Html {
  const title = current === '' ? `${code} ${name}` : `${code} ${name}: ${tabs[current].toLowerCase()}`
  return html`${pageHead({ title, actions })}
${facilityTabs(code, current)}`
}
