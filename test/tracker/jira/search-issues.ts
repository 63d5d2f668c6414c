import { type FakeIssue, type JiraSite, STATUSES, VIEWER } from './jira-site'
import { type Clause, JqlError, parseJql } from './jql'

interface SearchOptions {
  /** The IDs of issues whose latest version is searched. */
  reconciled?: readonly number[]
  /** Whether issues that do not exist are errors. Otherwise they are `warnings`. */
  isStrict: boolean
}

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 1440, w: 10_080 }

/** Finds issues with JQL. Fields and issues that do not exist are errors, as they are in Jira. */
export function searchIssues(site: JiraSite, jql: string, { reconciled = [], isStrict }: SearchOptions) {
  const { where, orderBy } = parseJql(jql)
  const warnings: string[] = []

  function checkClause(clause: Clause): void {
    if (clause.kind === 'not') checkClause(clause.clause)
    else if (clause.kind !== 'test') clause.clauses.forEach(checkClause)
    else {
      const field = normalizeField(clause.field)
      if (!(field in readers) && !['text', 'project'].includes(field))
        throw new JqlError(`Field '${clause.field}' does not exist or you do not have permission to view it.`)
      if (clause.operator.startsWith('is')) return
      for (const value of clause.values) warnings.push(...checkValue(field, value))
    }
  }

  function checkValue(field: string, value: string): string[] {
    if (field === 'project' && ![site.project.key, site.project.name].some((one) => isSame(one, value)))
      return [`The value '${value}' does not exist for the field 'project'.`]
    if (field === 'status' && !STATUSES.some(({ id, name }) => isSame(name, value) || id === value))
      return [`The value '${value}' does not exist for the field 'status'.`]
    if (!['id', 'parent', 'epic link'].includes(field) || site.find(value)) return []
    return [
      /^\d+$/.test(value)
        ? `A value with ID '${value}' does not exist for the field '${field}'.`
        : `An issue with key '${value}' does not exist for field '${field}'.`,
    ]
  }

  const readers: Record<string, (issue: FakeIssue) => readonly (string | null)[]> = {
    id: ({ id, key }) => {
      const former = Object.entries(site.options.movedKeys ?? {}).filter(([, moved]) => moved === id)
      return [String(id), key, ...former.map(([old]) => old)]
    },
    issuetype: ({ type }) => [type],
    status: ({ status }) => [status, STATUSES.find(({ name }) => name === status)!.id],
    statuscategory: ({ status }) => {
      const { category } = STATUSES.find(({ name }) => name === status)!
      return [category.name, category.key, String(category.id)]
    },
    summary: ({ summary }) => [summary],
    description: ({ description }) => [readText(description)],
    comment: ({ comments }) => comments.map(({ body }) => readText(body)),
    labels: ({ labels }) => labels,
    creator: ({ creator }) => [creator],
    assignee: ({ assignee }) => [assignee],
    priority: ({ priority }) => [priority],
    resolution: ({ resolution }) => [resolution],
    sprint: ({ sprints }) => sprints.map(String),
    created: ({ created }) => [String(created)],
    updated: ({ updated }) => [String(updated)],
    parent: ({ parent, type }) => (site.deployment === 'cloud' || type === 'Sub-task' ? parentValues(parent) : []),
    ...(site.deployment === 'server'
      ? { 'epic link': ({ parent, type }: FakeIssue) => (type === 'Sub-task' ? [] : parentValues(parent)) }
      : { 'epic link': ({ parent }: FakeIssue) => parentValues(parent) }),
  }

  function parentValues(parent: string | null): string[] {
    const found = parent === null ? null : site.find(parent)
    return found ? [String(found.id), found.key] : []
  }

  function matches(issue: FakeIssue, clause: Clause): boolean {
    if (clause.kind === 'and') return clause.clauses.every((one) => matches(issue, one))
    if (clause.kind === 'or') return clause.clauses.some((one) => matches(issue, one))
    if (clause.kind === 'not') return !matches(issue, clause.clause)
    const field = normalizeField(clause.field)
    if (field === 'project') return isNegative(clause) !== clause.values.some((value) => isProject(value))
    const found = (field === 'text' ? ['summary', 'description', 'comment'] : [field])
      .flatMap((one) => readers[one]!(issue))
      .filter((value) => value !== null)
    return test(clause, found)
  }

  const isProject = (value: string) => isSame(value, site.project.key) || isSame(value, site.project.name)

  function test({ operator, values }: Extract<Clause, { kind: 'test' }>, found: readonly string[]): boolean {
    if (operator === 'is') return found.length === 0
    if (operator === 'is not') return found.length > 0
    if (operator === '~') return values.every((value) => containsWords(found, value))
    if (operator === '!~') return !values.every((value) => containsWords(found, value))
    if (/[<>]/.test(operator)) return found.some((one) => compare(Number(one), operator, readTime(values[0]!)))
    const isFound = values.some((value) => found.some((one) => isSame(one, value === 'currentUser' ? VIEWER : value)))
    // Jira does not return issues with an empty field for a negative condition.
    return isNegative({ operator }) ? found.length > 0 && !isFound : isFound
  }

  function readTime(value: string): number {
    if (/^\d{5,}$/.test(value)) return Number(value)
    const [, amount, unit] = /^(-?\d+)([mhdw])$/.exec(value) ?? []
    if (amount !== undefined) return site.now + Number(amount) * MINUTES[unit!]! * 60_000
    const [, date, time = '00:00'] = /^(\d{4}[-/]\d\d[-/]\d\d)(?: (\d\d:\d\d))?$/.exec(value) ?? []
    if (date === undefined)
      throw new JqlError(
        `Date value '${value}' for field 'updated' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.`,
      )
    return Date.parse(`${date.replaceAll('/', '-')}T${time}:00.000Z`) - site.offsetMinutes * 60_000
  }

  if (where) checkClause(where)
  if (isStrict && warnings.length > 0) throw new JqlError(warnings.join('\n'))

  const visible = [...site.issues.values()].filter(({ isHidden }) => !isHidden)
  const found = visible.filter((issue) => {
    const searched = reconciled.includes(issue.id) ? issue : site.indexed(issue)
    return searched !== null && (where === null || matches(searched, where))
  })
  const order = orderBy.length > 0 ? orderBy : [{ field: 'created', isDescending: true }]
  found.sort((a, b) => {
    for (const { field, isDescending } of order) {
      const read = readers[normalizeField(field)]
      if (!read) throw new JqlError(`Not able to sort using field '${field}'.`)
      const difference = compareValues(read(a)[0] ?? '', read(b)[0] ?? '')
      if (difference !== 0) return isDescending ? -difference : difference
    }
    return b.id - a.id
  })
  return { issues: found, warnings, isUnbounded: where === null }
}

function normalizeField(name: string): string {
  const field = name.toLowerCase()
  if (['key', 'issue', 'issuekey'].includes(field)) return 'id'
  if (field === 'type') return 'issuetype'
  if (field === 'updateddate') return 'updated'
  if (field === 'createddate') return 'created'
  return field === 'cf[10014]' ? 'epic link' : field
}

const isNegative = ({ operator }: { operator: string }) => operator === '!=' || operator === 'not in'
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Text is found by whole words; `*` at the end of a word stands for the rest of it, and quotes in it for a phrase. */
function containsWords(texts: readonly string[], query: string): boolean {
  const phrase = /^"(.*)"$/.exec(query)?.[1]
  const words = phrase === undefined ? query.toLowerCase().match(/[\p{L}\p{N}-]+\*?/gu) : [phrase.toLowerCase()]
  return (words ?? []).every((word) =>
    texts.some((text) => {
      const plain = text.toLowerCase()
      if (phrase !== undefined) return plain.includes(word)
      const parts = plain.match(/[\p{L}\p{N}-]+/gu) ?? []
      return parts.some((part) => (word.endsWith('*') ? part.startsWith(word.slice(0, -1)) : part === word))
    }),
  )
}

function compare(value: number, operator: string, limit: number): boolean {
  if (operator === '<') return value < limit
  if (operator === '<=') return value <= limit
  return operator === '>' ? value > limit : value >= limit
}

function compareValues(a: string, b: string): number {
  return /^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0
}

/** The words of a document or of wiki text. */
function readText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return ''
  const { text, content = [] } = value as { text?: string; content?: unknown[] }
  return [text ?? '', ...content.map(readText)].join(' ')
}
