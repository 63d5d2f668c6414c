import type { FakeTransition } from './transitions'

export type Deployment = 'cloud' | 'server'

export interface FakeComment {
  id: number
  author: string
  body: unknown
  created: number
}

export interface FakeAttachment {
  id?: number
  filename: string
  size: number
  mimeType?: string
  author?: string
  created?: number
  content?: Buffer
}

export interface FakeWorklog {
  id: number
  author: string
  comment: unknown
  /** As it was sent. */
  started: string
  seconds: number
}

export interface FakeWebLink {
  id: number
  globalId: string | null
  url: string
  title: string
}

export interface FakeFilter {
  id: number
  name: string
  jql: string
  isFavourite?: boolean
}

export interface FakeIssue {
  id: number
  key: string
  type: string
  summary: string
  /** An ADF document on Cloud, wiki text on a server. */
  description: unknown
  status: string
  resolution: string | null
  /** When it was resolved, and when its status moved to another category. */
  resolved: number | null
  statusSince: number
  assignee: string | null
  labels: string[]
  priority: string | null
  /** The key of the parent, of the epic too. */
  parent: string | null
  sprints: number[]
  points: number | null
  isFlagged: boolean
  attachments: FakeAttachment[]
  worklogs: FakeWorklog[]
  webLinks: FakeWebLink[]
  /** The entity properties by their keys. */
  properties: Record<string, unknown>
  creator: string
  comments: FakeComment[]
  created: number
  updated: number
  /** Whether the token cannot see it. */
  isHidden: boolean
  /** Fields that this site does not describe otherwise. */
  extra: Record<string, unknown>
}

export interface FakeLink {
  id: number
  type: string
  /** The issue that `outward` of the type is said about: the one that blocks. */
  from: string
  to: string
}

export const USERS: Record<string, { name: string; email: string }> = {
  robin: { name: 'Robin Vale', email: 'robin@works.example' },
  ines: { name: 'Ines Ortega', email: 'ines@works.example' },
}
export const VIEWER = 'robin'

export const TYPES = [
  { id: '10000', name: 'Epic', level: 1 },
  { id: '10001', name: 'Story', level: 0 },
  { id: '10002', name: 'Task', level: 0 },
  { id: '10003', name: 'Bug', level: 0 },
  { id: '10004', name: 'Sub-task', level: -1 },
] as const

export const STATUSES = [
  { id: '1', name: 'To Do', category: { id: 2, key: 'new', name: 'To Do', colorName: 'blue-gray' } },
  { id: '3', name: 'In Progress', category: { id: 4, key: 'indeterminate', name: 'In Progress', colorName: 'yellow' } },
  { id: '5', name: 'Done', category: { id: 3, key: 'done', name: 'Done', colorName: 'green' } },
] as const

export const PRIORITIES = ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map((name, i) => ({ id: String(i + 1), name }))

export const LINK_TYPES = [
  { id: '10000', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
  { id: '10003', name: 'Relates', inward: 'relates to', outward: 'relates to' },
] as const

export interface FakeSprint {
  id: number
  name: string
  state: string
  startDate: string | null
  endDate: string | null
}

export const SPRINTS: readonly FakeSprint[] = [
  {
    id: 23,
    name: 'Sprint 23',
    state: 'closed',
    startDate: '2026-11-02T09:00:00.000Z',
    endDate: '2026-11-16T09:00:00.000Z',
  },
  {
    id: 24,
    name: 'Sprint 24',
    state: 'active',
    startDate: '2026-11-16T09:00:00.000Z',
    endDate: '2026-11-30T09:00:00.000Z',
  },
  { id: 25, name: 'Sprint 25', state: 'future', startDate: null, endDate: null },
]

export const FIELD = {
  epicName: 'customfield_10011',
  epicLink: 'customfield_10014',
  sprint: 'customfield_10020',
  flagged: 'customfield_10021',
  points: 'customfield_10028',
  /** Of team-managed projects. */
  estimate: 'customfield_10016',
} as const

export interface SiteOptions {
  deployment: Deployment
  project?: { key: string; name: string }
  issues?: readonly (Partial<FakeIssue> & { links?: { type: string; to: string }[] })[]
  /** Issues are found as they were before the last `reindex()`, except those of `reconcileIssues`. */
  hasStaleSearch?: boolean
  /** The offset of the user's time zone in minutes. */
  offsetMinutes?: number
  workflow?: readonly FakeTransition[]
  /** Fields that differ from site to site. */
  fields?: Partial<SiteFields>
  /** Cloud: whether the project has fields and screens of its own. */
  isTeamManaged?: boolean
  /** The former keys of issues that were moved, with their IDs. */
  movedKeys?: Record<string, number>
  filters?: readonly FakeFilter[]
  /** The largest attachment in bytes. */
  uploadLimit?: number
  /** Answers to requests for another version of the API than the site has, which a proxy may write. */
  unknownVersion?: { text: string; contentType: string }
}

export interface SiteFields {
  /** The names of fields by their IDs, where a site has others. */
  names: Record<string, string>
  /** The IDs of fields that the site does not have. */
  missing: readonly string[]
  /** Fields of this site alone. */
  further: readonly FurtherSiteField[]
  /** The IDs of fields that no screen of the project has. */
  offScreen: readonly string[]
}

export interface FurtherSiteField {
  id: string
  name: string
  type: string
  /** The type of the entries of a list. */
  items?: string
  /** Whether a new issue must have it. */
  required?: boolean
  /** The names of what it can be. */
  allowed?: readonly string[]
  /** The names of what is below an option. */
  below?: Record<string, readonly string[]>
  /** The end of the name of its kind: `textarea`. */
  custom?: string
}

/** The project of a Jira site and its issues. */
export class JiraSite {
  readonly deployment: Deployment
  readonly project: { key: string; name: string }
  readonly issues = new Map<number, FakeIssue>()
  readonly links: FakeLink[] = []
  readonly offsetMinutes: number
  readonly workflow: readonly FakeTransition[] | null
  readonly options: SiteOptions
  readonly sprints: FakeSprint[] = [...SPRINTS]
  readonly priorities: { id: string; name: string }[] = [...PRIORITIES]
  readonly fields: SiteFields
  readonly #indexed: Map<number, FakeIssue> | null
  #now = Date.UTC(2026, 10, 2, 9)
  #nextId = 10_000

  constructor(options: SiteOptions) {
    this.deployment = options.deployment
    this.options = options
    this.project = options.project ?? { key: 'HAR', name: 'Harbor' }
    this.offsetMinutes = options.offsetMinutes ?? 0
    this.workflow = options.workflow ?? null
    this.fields = { names: {}, missing: [FIELD.estimate], further: [], offScreen: [], ...options.fields }
    for (const { links = [], ...issue } of options.issues ?? []) {
      const { key } = this.add(issue)
      for (const { type, to } of links) this.links.push({ id: this.takeId(), type, from: key, to })
    }
    this.#indexed = options.hasStaleSearch ? new Map() : null
    this.reindex()
  }

  /** Advances the clock. */
  tick(): number {
    this.#now += 5_000
    return this.#now
  }

  get now(): number {
    return this.#now
  }

  takeId(): number {
    return this.#nextId++
  }

  add(given: Partial<FakeIssue>): FakeIssue {
    const id = given.id ?? this.takeId()
    const at = this.tick()
    const issue: FakeIssue = {
      id,
      key: `${this.project.key}-${this.#takeNumber(given.id)}`,
      type: 'Task',
      summary: `Issue ${id}`,
      description: null,
      status: 'To Do',
      resolution: null,
      resolved: null,
      statusSince: at,
      assignee: null,
      labels: [],
      priority: 'Medium',
      parent: null,
      sprints: [],
      points: null,
      isFlagged: false,
      attachments: [],
      worklogs: [],
      webLinks: [],
      properties: {},
      creator: VIEWER,
      comments: [],
      created: at,
      updated: at,
      isHidden: false,
      extra: {},
      ...given,
    }
    this.issues.set(id, issue)
    return issue
  }

  #takeNumber(id: number | undefined): number {
    if (id !== undefined) return id
    return Math.max(0, ...[...this.issues.values()].map(({ key }) => Number(key.split('-')[1]))) + 1
  }

  /** Finds an issue that the token can see. Keys are not case-sensitive. */
  find(idOrKey: string | number): FakeIssue | null {
    const text = String(idOrKey)
    const moved = this.options.movedKeys?.[text.toUpperCase()]
    const found = /^\d+$/.test(text)
      ? this.issues.get(Number(text))
      : moved !== undefined
        ? this.issues.get(moved)
        : [...this.issues.values()].find(({ key }) => key === text.toUpperCase())
    return found && !found.isHidden ? found : null
  }

  /** Changes an issue as another user does. */
  change(idOrKey: string | number, values: Partial<FakeIssue>): void {
    Object.assign(this.find(idOrKey)!, values, { updated: this.tick() })
  }

  /** The issue as the search finds it; null if the search does not know it yet. */
  indexed(issue: FakeIssue): FakeIssue | null {
    return this.#indexed ? (this.#indexed.get(issue.id) ?? null) : issue
  }

  reindex(): void {
    for (const issue of this.issues.values()) this.#indexed?.set(issue.id, structuredClone(issue))
  }

  /** A time as Jira writes it, in the user's time zone. */
  formatTime(time: number): string {
    const local = new Date(time + this.offsetMinutes * 60_000).toISOString().slice(0, -1)
    const minutes = Math.abs(this.offsetMinutes)
    const pad = (value: number) => String(value).padStart(2, '0')
    return `${local}${this.offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`
  }
}
