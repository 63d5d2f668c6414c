import { getLastSegment } from './compare-snapshots'

/** The dates around the state of an item in a snapshot: ISO 8601 UTC with milliseconds, null if the snapshot has none. */
export interface PastState {
  state: string
  changedAt: string | null
  stateSince: string | null
  activatedAt: string | null
  closedAt: string | null
  createdAt: string | null
}

/** The last parts of the names of the fields, as Azure DevOps, Jira and GitHub name them. */
const NAMES: Record<keyof PastState, readonly string[]> = {
  state: ['State', 'status', 'state'],
  changedAt: ['ChangedDate', 'updated', 'updatedAt'],
  stateSince: ['StateChangeDate', 'statuscategorychangedate'],
  activatedAt: ['ActivatedDate'],
  closedAt: ['ClosedDate', 'resolutiondate', 'closedAt'],
  createdAt: ['CreatedDate', 'created', 'createdAt'],
}

/** Reads the fields by the last part of their names, because processes put them in different namespaces. */
export function parsePastState(fields: Readonly<Record<string, unknown>>): PastState {
  const named = new Map<string, unknown>()
  for (const name of Object.keys(fields).sort().reverse()) named.set(getLastSegment(name), fields[name])
  const read = (property: keyof PastState) => named.get(NAMES[property].find((name) => named.has(name)) ?? '')
  const state = read('state')
  return {
    state: typeof state === 'string' ? state : '',
    changedAt: parseInstant(read('changedAt')),
    stateSince: parseInstant(read('stateSince')),
    activatedAt: parseInstant(read('activatedAt')),
    closedAt: parseInstant(read('closedAt')),
    createdAt: parseInstant(read('createdAt')),
  }
}

/** The number of comments in a snapshot; null if it does not say. */
export function readCommentCount(fields: Readonly<Record<string, unknown>>): number | null {
  const name = Object.keys(fields).find((field) => getLastSegment(field) === 'CommentCount')
  const count = name === undefined ? null : fields[name]
  return typeof count === 'number' ? count : null
}

/** Some servers write a missing date as one in the far past or future. */
function parseInstant(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const moment = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value)
  const year = moment.getUTCFullYear()
  return year >= 1970 && year < 9000 ? moment.toISOString() : null
}

/** A mention in the HTML of the tracker's editor. The text of the link is the name. */
const MENTION = /data-vss-mention="[^"<>]{0,200}"[^<>]{0,200}>@?([^<>]{2,100})</g

/** A person as text, in files and old fields: `Jane Doe <jane@contoso.example>`. */
const NAME_AND_ADDRESS = /^([^<>\n]{2,100}) <([^<>\s]{2,200})>$/

/** The names and accounts in the fields of a work item: assignees, authors, and people mentioned in its texts. */
export function findPeopleInFields(fields: Readonly<Record<string, unknown>>): string[] {
  const people = Object.values(fields).flatMap((value) => {
    if (typeof value === 'string') return findPeopleInText(value)
    if (typeof value !== 'object' || value === null) return []
    const { displayName, uniqueName } = value as { displayName?: unknown; uniqueName?: unknown }
    return [displayName, uniqueName].filter((name): name is string => typeof name === 'string')
  })
  return [...new Set(people)]
}

function findPeopleInText(text: string): string[] {
  const [, name, address] = NAME_AND_ADDRESS.exec(text) ?? []
  if (name !== undefined && address !== undefined) return [name, address]
  return [...text.matchAll(MENTION)].map(([, shown = '']) => shown.replaceAll('&nbsp;', ' ').trim())
}
