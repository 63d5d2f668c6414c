import {
  type FakeIssue,
  FIELD,
  type FurtherSiteField,
  type JiraSite,
  PRIORITIES,
  SPRINTS,
  TYPES,
  USERS,
} from './jira-site'
import type { Wire } from './wire-issue'

/** Sets fields of an issue, all or none. Returns what is wrong by field. */
export function editIssue(
  site: JiraSite,
  issue: FakeIssue,
  { fields = {}, update = {} }: Wire,
): Record<string, string> {
  const draft = { ...issue }
  const errors: Record<string, string> = {}
  function setField(name: string, value: any): void {
    const problem = setters[name]
      ? setters[name](value)
      : `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`
    if (problem) errors[name] = problem
  }

  function applyStep(name: string, step: Wire): void {
    if ('set' in step) {
      setField(name, step['set'])
      return
    }
    if (name !== 'labels') {
      errors[name] = `Field '${name}' does not support the operation.`
      return
    }
    const { add, remove } = step as { add?: string; remove?: string }
    setField('labels', [...draft.labels.filter((one) => one !== remove && one !== add), ...(add ? [add] : [])])
  }

  /** Returns what is wrong with the value. */
  type Setter = (value: any) => string | undefined
  const setters: Record<string, Setter> = {
    project: () => undefined,
    summary: (value) => {
      if (typeof value !== 'string' || value.trim() === '') return 'You must specify a summary of the issue.'
      if (value.length > 255) return 'Summary must be less than 255 characters.'
      draft.summary = value
    },
    description: (value) => {
      if (value !== null && site.deployment === 'cloud' && value.type !== 'doc')
        return 'Operation value must be an Atlassian Document (see the Atlassian Document Format)'
      if (value !== null && site.deployment === 'server' && typeof value !== 'string')
        return 'Operation value must be a string'
      draft.description = value
    },
    issuetype: ({ id, name }) => {
      const type = TYPES.find((one) => one.id === id || one.name === name)
      if (!type) return 'Specify a valid issue type'
      draft.type = type.name
    },
    labels: (value: string[]) => {
      const wrong = value.find((label) => /\s/.test(label))
      if (wrong !== undefined) return `The label '${wrong}' contains spaces which is invalid.`
      draft.labels = [...new Set(value)].sort()
    },
    priority: (value) => {
      const found = PRIORITIES.find(({ id, name }) => id === value?.id || name === value?.name)
      if (!found) return 'The priority selected is invalid.'
      draft.priority = found.name
    },
    assignee: (value) => {
      const account = site.deployment === 'cloud' ? (value?.accountId ?? value?.id ?? null) : (value?.name ?? null)
      if (account !== null && !(account in USERS)) return `User '${account}' does not exist.`
      draft.assignee = account
    },
    parent: (value) => {
      if (value === null) {
        draft.parent = null
        return
      }
      const parent = site.find(value.id ?? value.key)
      if (!parent || levelOf(parent) !== levelOf(draft) + 1)
        return 'Given parent work item does not belong to appropriate hierarchy.'
      if (site.deployment === 'server' && draft.type !== 'Sub-task')
        return `Field 'parent' cannot be set. It is not on the appropriate screen, or unknown.`
      draft.parent = parent.key
    },
    [FIELD.sprint]: (value) => {
      if (value !== null && !SPRINTS.some(({ id }) => id === value)) return 'Number value expected as the Sprint id.'
      draft.sprints = value === null ? [] : [value]
    },
    [FIELD.points]: (value) => {
      if (value !== null && typeof value !== 'number') return 'Operation value must be a number'
      draft.points = value
    },
    [FIELD.flagged]: (value) => {
      draft.isFlagged = (value ?? []).length > 0
    },
    ...(site.deployment === 'server' ? serverSetters() : {}),
    ...Object.fromEntries(site.fields.further.map((field) => [field.id, furtherSetter(field)])),
  }

  function furtherSetter({ id, name, type, items, allowed }: FurtherSiteField): Setter {
    return (value) => {
      const values: any[] = type === 'array' ? value : value === null ? [] : [value]
      const key = (items ?? type) === 'option' ? 'value' : 'name'
      const wrong = allowed && values.find((one) => !allowed.includes(one?.[key]))
      if (wrong !== undefined) return `Option '${wrong?.[key]}' is not valid for ${name}.`
      if (type === 'number' && value !== null && typeof value !== 'number') return 'Operation value must be a number'
      draft.extra = { ...draft.extra, [id]: value }
    }
  }

  function serverSetters(): Record<string, Setter> {
    return {
      [FIELD.epicLink]: (value) => {
        const epic = value === null ? null : site.find(value)
        if (value !== null && epic?.type !== 'Epic') return `Issue key '${value}' is not an epic.`
        draft.parent = epic?.key ?? null
      },
      [FIELD.epicName]: (value) => {
        draft.extra = { ...draft.extra, [FIELD.epicName]: value }
      },
    }
  }

  for (const [name, value] of Object.entries(fields)) setField(name, value)
  for (const [name, steps] of Object.entries(update)) for (const step of steps as Wire[]) applyStep(name, step)
  if (Object.keys(errors).length === 0) Object.assign(issue, draft)
  return errors
}

export const levelOf = ({ type }: FakeIssue): number => TYPES.find(({ name }) => name === type)!.level
