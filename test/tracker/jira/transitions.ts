import { type FakeIssue, type JiraSite, STATUSES } from './jira-site'
import { toStatus, type Wire } from './wire-issue'

/** Every status can be reached from every other one. */
export const listTransitions = (): Wire[] =>
  STATUSES.map(({ name }, i) => ({ id: `${i + 1}1`, name, to: toStatus(name), hasScreen: false, isGlobal: true }))

/** Returns what is wrong, or null. Completed issues get a resolution. */
export function moveIssue(site: JiraSite, issue: FakeIssue, transitionId: string): string | null {
  const status = listTransitions().find(({ id }) => id === transitionId)?.['to']
  if (!status) return `Transition id '${transitionId}' is not valid for this issue.`
  issue.status = status.name
  issue.resolution = status.statusCategory.key === 'done' ? 'Done' : null
  issue.updated = site.tick()
  return null
}
