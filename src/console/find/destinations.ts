import { loadOperation } from '../../catalog'
import { type Access, isAuthorized, type OperationId } from '../../kernel'
import type { PageRequest } from '../console-page'
import { listFacilityPages } from '../pages/docks/facility-head'
import { listSettingsPages } from '../settings-links'

/** A page that the menu or the search leads to. */
export interface Destination {
  title: string
  /** What else one may look for it by. */
  about: string
  path: string
}

/** Pages, each with what it requires. */
const pages: readonly [title: string, path: string, access: Access][] = [
  ['Home', '/console', 'public'],
  ['Work', '/console/work', 'workspace'],
  ['Drafts', '/console/drafts', 'workspace'],
  ['Leadership summary', '/console/reports', 'workspace'],
  ['Briefing', '/console/reports/briefing', 'workspace'],
  ['Priorities', '/console/reports/priorities', 'workspace'],
  ['Docks', '/console/docks', { docks: 'viewer' }],
  ['Find an appointment', '/console/appointments', { docks: 'viewer' }],
]

/** Where one begins an operation that is about nothing which exists. The texts are those of the catalog. */
export const startingPlaces: readonly [operation: OperationId, path: string][] = [
  ['features.import', '/console/work/import'],
  ['items.import-file', '/console/work/import'],
  ['items.search', '/console/work/import'],
  ['queries.run', '/console/work/queries'],
  ['items.create', '/console/work/new'],
  ['items.sync', '/console/work'],
  ['views.save', '/console/work/saved'],
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
  ['storage.backup', '/console/settings/storage'],
  ['people.add', '/console/settings/people'],
  ['system.doctor', '/console/settings/system'],
]

/** A tenant may have more; they are found by their codes. */
const MAX_FACILITIES = 200

/** Pages and operations that the caller may use. Every word of the query is in their texts. */
export async function findDestinations(
  query: string,
  { may, run, actorFor }: Pick<PageRequest, 'may' | 'run' | 'actorFor'>,
): Promise<Destination[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const maySee = (access: Access) => isAuthorized({ access, effect: 'read' }, actorFor(access))
  const all = pages.filter(([, , access]) => maySee(access)).map(([title, path]) => ({ title, about: 'page', path }))
  for (const [path, title] of await listSettingsPages()) all.push({ title, about: 'settings', path })
  for (const [id, path] of startingPlaces) {
    if (!(await may(id))) continue
    const { summary } = await loadOperation(id)
    all.push({ title: summary, about: 'operation', path })
  }
  if (maySee({ docks: 'viewer' }))
    for (const { code, name } of (await run('facilities.list', {})).slice(0, MAX_FACILITIES))
      for (const [path, title] of await listFacilityPages(code))
        all.push({ title: `${code}: ${title.toLowerCase()}`, about: name, path })
  return all.filter(({ title, about }) => {
    const text = `${title} ${about}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
