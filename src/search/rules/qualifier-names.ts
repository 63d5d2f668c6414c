import { type Filter, isQualifier, QUALIFIERS, type Qualifier } from './filters'

/** Further names, as other trackers have them. */
const ALIASES: Record<string, Qualifier> = {
  status: 'state',
  assigned: 'assignee',
  assignedto: 'assignee',
  'assigned-to': 'assignee',
  owner: 'assignee',
  label: 'tag',
  tags: 'tag',
  sprint: 'iteration',
  prio: 'priority',
}

/** All names under which a query may give a qualifier. */
export const QUALIFIER_NAMES: readonly string[] = [...QUALIFIERS, ...Object.keys(ALIASES)]

/** @param name in small letters. */
export function findQualifier(name: string): Qualifier | null {
  if (isQualifier(name)) return name
  return Object.hasOwn(ALIASES, name) ? ALIASES[name]! : null
}

const PROGRESS: Record<string, string> = { open: 'open', done: 'done', closed: 'done', completed: 'done' }
const TYPES = ['bug', 'task', 'story', 'feature', 'epic', 'issue', 'draft', 'folder', 'devops']

/** What `is:` asks for: a progress, a type, or whether an item is assigned. */
export function parseIsValue(value: string): Filter | null {
  const word = value.toLowerCase()
  if (Object.hasOwn(PROGRESS, word)) return { qualifier: 'state', value: PROGRESS[word]!, negated: false }
  if (TYPES.includes(word)) return { qualifier: 'type', value: word, negated: false }
  if (word === 'item') return { qualifier: 'type', value: 'devops', negated: false }
  if (word === 'assigned' || word === 'unassigned') {
    return { qualifier: 'assignee', value: null, negated: word === 'assigned' }
  }
  return null
}
