import type { FakeIssue, FakeRelation } from './fake-issue'

type Filter = Record<string, any>

/** What a filter may look at besides the issue. */
export interface Surroundings {
  findById(id: string | null): FakeIssue | null
  relations: readonly FakeRelation[]
}

/** Whether an issue matches a filter. Throws for a part that this fake does not know, so that no filter counts as met by mistake. */
export function matchesFilter(issue: FakeIssue, filter: Filter, around: Surroundings): boolean {
  return Object.entries(filter).every(([name, part]) => {
    switch (name) {
      case 'and':
        return part.every((one: Filter) => matchesFilter(issue, one, around))
      case 'or':
        return part.some((one: Filter) => matchesFilter(issue, one, around))
      case 'number':
      case 'priority':
        return compare(issue[name], part)
      case 'title':
        return compare(issue.title, part)
      case 'id':
        return compare(issue.id, part)
      case 'team':
        return compare(issue.team, part.key)
      case 'parent': {
        const parent = around.findById(issue.parentId)
        return parent !== null && matchesFilter(parent, part, around)
      }
      case 'labels':
        if (part.some) return issue.labelIds.some((id) => compare(id, part.some.id))
        if (part.every) return issue.labelIds.every((id) => compare(id, part.every.id))
        break
      case 'hasBlockingRelations':
        return part.eq === around.relations.some(({ type, from }) => type === 'blocks' && from === issue.id)
      case 'hasBlockedByRelations':
        return part.eq === around.relations.some(({ type, to }) => type === 'blocks' && to === issue.id)
      case 'hasRelatedRelations':
        return part.eq === isEnd(issue, 'related', around)
      case 'hasDuplicateRelations':
        return part.eq === isEnd(issue, 'duplicate', around)
    }
    throw new Error(`The fake does not know the filter ${name}.`)
  })
}

function isEnd({ id }: FakeIssue, kind: string, { relations }: Surroundings): boolean {
  return relations.some(({ type, from, to }) => type === kind && (from === id || to === id))
}

export function compare(value: string | number, comparator: Filter): boolean {
  return Object.entries(comparator).every(([operator, given]) => {
    if (operator === 'eq') return value === given
    if (operator === 'in') return given.includes(value)
    if (operator === 'nin') return !given.includes(value)
    if (operator === 'eqIgnoreCase') return String(value).toLowerCase() === given.toLowerCase()
    if (operator === 'containsIgnoreCase') return String(value).toLowerCase().includes(given.toLowerCase())
    throw new Error(`The fake does not know the comparator ${operator}.`)
  })
}
