import { type FakeIssue, FIELD, type FurtherSiteField, type JiraSite, TYPES, USERS } from './jira-site'
import { toUser, type Wire } from './wire-issue'

/** Sets fields of an issue, all or none. Returns what is wrong by field. */
export function editIssue(
  site: JiraSite,
  issue: FakeIssue,
  { fields = {}, update = {} }: Wire,
): Record<string, string> {
  const draft = { ...issue }
  const errors: Record<string, string> = {}
  function setField(name: string, value: any): void {
    const problem =
      setters[name] && !site.fields.offScreen.includes(name)
        ? setters[name]!(value)
        : `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`
    if (problem) errors[name] = problem
  }

  function applyStep(name: string, step: Wire): void {
    if ('set' in step) {
      setField(name, step['set'])
      return
    }
    if (name !== 'labels' || site.fields.offScreen.includes(name)) {
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
      const found = site.priorities.find(({ id, name }) => id === value?.id || name === value?.name)
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
      if (value !== null && !site.sprints.some(({ id }) => id === value))
        return 'Number value expected as the Sprint id.'
      draft.sprints = value === null ? [] : [value]
    },
    [FIELD.points]: (value) => {
      if (value !== null && typeof value !== 'number') return 'Operation value must be a number'
      draft.points = value
    },
    ...(site.fields.missing.includes(FIELD.estimate)
      ? {}
      : {
          [FIELD.estimate]: (value: unknown) => {
            if (value !== null && typeof value !== 'number') return 'Operation value must be a number'
            draft.extra = { ...draft.extra, [FIELD.estimate]: value }
            return undefined
          },
        }),
    [FIELD.flagged]: (value) => {
      draft.isFlagged = (value ?? []).length > 0
    },
    ...(site.deployment === 'server' ? serverSetters() : {}),
    ...Object.fromEntries(site.fields.further.map((field) => [field.id, furtherSetter(field)])),
  }

  function furtherSetter({ id, name, type, items, allowed, below = {}, custom }: FurtherSiteField): Setter {
    return (value) => {
      if (type === 'array' && !Array.isArray(value)) return `data was not an array`
      const values: any[] = type === 'array' ? value : value === null ? [] : [value]
      const kind = items ?? type
      const key = kind.startsWith('option') ? 'value' : 'name'
      if (kind === 'string' && values.some((one) => typeof one !== 'string' && custom !== 'textarea'))
        return 'Operation value must be a string'
      if (custom === 'textarea' && values.some((one) => (site.deployment === 'cloud') !== (one.type === 'doc')))
        return 'Operation value must be an Atlassian Document (see the Atlassian Document Format)'
      if (kind === 'date' && values.some((one) => !/^\d{4}-\d\d-\d\d$/.test(one)))
        return `Error parsing date string: ${value}`
      const child = value?.child?.value
      if (child !== undefined && !below[value.value]?.includes(child))
        return `Option '${child}' is not valid for ${name}.`
      if (kind === 'user') {
        const accounts = values.map((one) => one?.accountId ?? one?.name)
        if (accounts.some((account) => !(account in USERS))) return `User does not exist.`
        const users = accounts.map((account) => toUser(site, account))
        draft.extra = { ...draft.extra, [id]: type === 'array' ? users : (users[0] ?? null) }
        return
      }
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
