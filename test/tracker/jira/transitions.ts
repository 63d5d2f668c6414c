import { type FakeIssue, type JiraSite, STATUSES } from './jira-site'
import { toStatus, type Wire } from './wire-issue'

/** A step of the workflow. */
export interface FakeTransition {
  from: string
  to: string
  /** The name of the button; default: the name of the status. */
  name?: string
  /** Whether its screen requires a resolution. */
  needsResolution?: boolean
}

/** Without a workflow every status can be reached from every other one. */
const everywhere: readonly FakeTransition[] = STATUSES.map(({ name }) => ({ from: '', to: name }))

const resolutionField = {
  required: true,
  schema: { type: 'resolution', system: 'resolution' },
  name: 'Resolution',
  key: 'resolution',
  hasDefaultValue: false,
  operations: ['set'],
  allowedValues: [{ id: '10000', name: 'Done' }],
}

export function listTransitions(site: JiraSite, issue: FakeIssue, { withFields = false } = {}): Wire[] {
  return (site.workflow ?? everywhere).flatMap(({ from, to, name = to, needsResolution = false }, i) => {
    if (from !== '' && from !== issue.status) return []
    const fields = withFields ? { fields: needsResolution ? { resolution: resolutionField } : {} } : {}
    return [{ id: `${i + 1}1`, name, to: toStatus(to), hasScreen: needsResolution, isGlobal: from === '', ...fields }]
  })
}

/** Returns what is wrong, or null. Completed issues get a resolution. */
export function moveIssue(site: JiraSite, issue: FakeIssue, transitionId: string, fields: Wire = {}): string | null {
  const found = listTransitions(site, issue).find(({ id }) => id === transitionId)
  if (!found) return `Transition id '${transitionId}' is not valid for this issue.`
  if (found['hasScreen'] && !fields['resolution']) return 'Resolution is required.'
  issue.status = found['to'].name
  issue.resolution = found['to'].statusCategory.key === 'done' ? 'Done' : null
  issue.updated = issue.statusSince = site.tick()
  issue.resolved = issue.resolution === null ? null : issue.updated
  return null
}
