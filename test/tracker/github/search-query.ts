import type { FakeBoardValues, FakeIssue } from './fake-issue'

/** The qualifiers and quoted words of the search that the adapter uses. */
export function matches(issue: FakeIssue, query: string, repository: string): boolean {
  const parts = query.match(/(?:-?[a-z]+:)?(?:"[^"]*"(?:,"[^"]*")*|[^\s"]+)/g) ?? []
  return parts.every((part) => {
    const [, not = '', name = '', text = ''] = /^(-?)(?:([a-z]+):)?(.*)$/.exec(part) ?? []
    const values = text.split(',').map((value) => value.replaceAll('"', '').toLowerCase())
    if (name === 'repo') return values[0] === repository
    if (name === 'is' || name === 'in' || name === 'sort') return true
    if (name === 'no') return issue.type === null
    if (name === 'type') return values.includes(issue.type?.toLowerCase() ?? '')
    const found =
      name === 'label'
        ? issue.labels.some((label) => values.includes(label.toLowerCase()))
        : `${issue.title} ${issue.body}`.toLowerCase().includes(values[0]!)
    return not === '-' ? !found : found
  })
}

/** A filter of a view by the status, the only one that the tests use. */
export function matchesFilter({ status }: FakeBoardValues, filter: string): boolean {
  const [, name] = /^status:"?([^"]+)"?$/.exec(filter) ?? []
  return name === undefined || name.toLowerCase() === status?.toLowerCase()
}
