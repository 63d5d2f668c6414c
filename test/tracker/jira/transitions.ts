import { editIssue } from './edit-issue'
import { type FakeIssue, type JiraSite, STATUSES } from './jira-site'
import { listCreateFields } from './site-description'
import { toStatus, type Wire } from './wire-issue'

/** A step of the workflow. */
export interface FakeTransition {
  from: string
  to: string
  /** The name of the button; default: the name of the status. */
  name?: string
  /** Whether its screen requires a resolution. */
  needsResolution?: boolean
  /** The IDs of fields of the site that its screen requires. */
  requires?: readonly string[]
}

/** Without a workflow every status can be reached from every other one. */
const everywhere: readonly FakeTransition[] = STATUSES.map(({ name }) => ({ from: '', to: name }))

const resolutionField = {
  required: true,
  schema: { type: 'resolution', system: 'resolution' },
  name: 'Resolution',
  hasDefaultValue: false,
  operations: ['set'],
  allowedValues: [{ id: '10000', name: 'Done' }],
}

export function listTransitions(site: JiraSite, issue: FakeIssue, { withFields = false } = {}): Wire[] {
  const isCloud = site.deployment === 'cloud'
  return (site.workflow ?? everywhere).flatMap(({ from, to, name = to, needsResolution = false, requires = [] }, i) => {
    if (from !== '' && from !== issue.status) return []
    const own = listCreateFields(site, issue.type).filter(({ fieldId }) => requires.includes(fieldId))
    const screen = Object.fromEntries(own.map(({ fieldId, ...field }) => [fieldId, { ...field, required: true }]))
    const fields = withFields
      ? {
          fields: {
            ...(needsResolution
              ? { resolution: { ...resolutionField, ...(isCloud ? { key: 'resolution' } : {}) } }
              : {}),
            ...screen,
          },
        }
      : {}
    const ofCloud = isCloud
      ? { hasScreen: needsResolution || requires.length > 0, isGlobal: from === '' }
      : { opsbarSequence: 10 }
    return [{ id: `${i + 1}1`, name, to: toStatus(to), ...ofCloud, ...fields }]
  })
}

/** Returns what is wrong, or null. Completed issues get a resolution. */
export function moveIssue(site: JiraSite, issue: FakeIssue, transitionId: string, fields: Wire = {}): string | null {
  const found = listTransitions(site, issue).find(({ id }) => id === transitionId)
  if (!found) return `Transition id '${transitionId}' is not valid for this issue.`
  const { needsResolution, requires = [] } = (site.workflow ?? everywhere)[Math.floor(Number(transitionId) / 10) - 1]!
  if (needsResolution && !fields['resolution']) return 'Resolution is required.'
  const { resolution, ...others } = fields
  const missing = requires.find((id) => (others[id] ?? issue.extra[id] ?? null) === null)
  if (missing !== undefined) return `${missing} is required.`
  const wrong = Object.values(editIssue(site, issue, { fields: others }))
  if (wrong.length > 0) return wrong.join(' ')
  issue.status = found['to'].name
  issue.resolution = found['to'].statusCategory.key === 'done' ? (resolution?.name ?? 'Done') : null
  issue.updated = issue.statusSince = site.tick()
  issue.resolved = issue.resolution === null ? null : issue.updated
  return null
}
