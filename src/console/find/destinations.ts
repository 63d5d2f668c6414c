import { loadOperation } from '../../catalog'
import type { OperationId } from '../../kernel'
import type { PageRequest } from '../console-page'
import { facilityPath } from '../pages/docks/facility-path'

/** A page that the menu or the search leads to. */
export interface Destination {
  title: string
  /** What else one may look for it by. */
  about: string
  path: string
}

/** Pages, each with the operation that it needs. */
const pages: readonly [title: string, path: string, needs: OperationId | null][] = [
  ['Home', '/console', null],
  ['Work', '/console/work', 'reports.hierarchy'],
  ['Drafts', '/console/drafts', 'drafts.list'],
  ['Leadership summary', '/console/reports', 'reports.summary'],
  ['Briefing', '/console/reports/briefing', 'reports.briefing'],
  ['Priorities', '/console/reports/priorities', 'priorities.get'],
  ['Docks', '/console/docks', 'facilities.list'],
  ['Security & Access', '/console/settings', 'tokens.list'],
  ['Staff & keys', '/console/settings/staff', 'staff.list'],
  ['Webhooks and mails', '/console/settings/messages', 'webhooks.list'],
  ['Audit', '/console/settings/audit', 'audit.list'],
  ['System', '/console/settings/system', 'system.doctor'],
]

/** Where one begins an operation that is about nothing which exists. The texts are those of the catalog. */
export const startingPlaces: readonly [operation: OperationId, path: string][] = [
  ['features.import', '/console/work'],
  ['items.sync', '/console/work'],
  ['views.save', '/console/work'],
  ['drafts.save', '/console/drafts'],
  ['folders.create', '/console/drafts'],
  ['priorities.set', '/console/reports/priorities'],
  ['reports.briefing', '/console/reports/briefing'],
  ['facilities.create', '/console/docks'],
  ['tokens.create', '/console/settings'],
  ['sessions.create-link', '/console/settings'],
  ['staff.add', '/console/settings/staff'],
  ['tenants.create-key', '/console/settings/staff'],
  ['carriers.invite', '/console/settings/staff'],
  ['webhooks.add', '/console/settings/messages'],
  ['mail-templates.set', '/console/settings/messages'],
  ['storage.backup', '/console/settings/system'],
]

/** The pages of a facility, by the end of their paths. */
const facilityPages: readonly [title: string, path: string, needs: OperationId][] = [
  ['board', '', 'facilities.board'],
  ['book', '/book', 'appointments.book'],
  ['free slots', '/availability', 'facilities.availability'],
  ['week', '/week', 'facilities.report'],
  ['waitlist', '/waitlist', 'waitlist.list'],
  ['yard', '/yard', 'yard.board'],
  ['import appointments', '/import', 'appointments.import'],
  ['gate links', '/gate-links', 'facilities.list-gate-links'],
  ['settings', '/settings', 'facilities.update'],
]

/** A tenant may have more; they are found by their codes. */
const MAX_FACILITIES = 200

/** Pages and operations that the caller may use. Every word of the query is in their texts. */
export async function findDestinations(
  query: string,
  { may, run }: Pick<PageRequest, 'may' | 'run'>,
): Promise<Destination[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isMeant = ({ title, about }: Destination) => {
    const text = `${title} ${about}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found: Destination[] = []
  for (const [title, path, needs] of pages) {
    const page = { title, about: 'page', path }
    if (isMeant(page) && (needs === null || (await may(needs)))) found.push(page)
  }
  for (const [id, path] of startingPlaces) {
    const { summary } = await loadOperation(id)
    const place = { title: summary, about: pages.find(([, page]) => page === path)![0], path }
    if (isMeant(place) && (await may(id))) found.push(place)
  }
  if (!(await may('facilities.list'))) return found
  const facilities = (await run('facilities.list', {})).slice(0, MAX_FACILITIES)
  for (const [title, path, needs] of facilityPages) {
    if (!(await may(needs))) continue
    for (const { code, name } of facilities) {
      const page = { title: `${code}: ${title}`, about: name, path: facilityPath(code, path) }
      if (isMeant(page)) found.push(page)
    }
  }
  return found
}
