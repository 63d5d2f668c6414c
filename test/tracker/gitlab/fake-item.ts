import type { ServerVersion } from './vendor-schema'

/** The project of the stub server, and its group. */
export const PROJECT = 'works/harbor'
export const GROUP = 'works'

export interface FakeNote {
  id: number
  author: string
  body: string
  createdAt: string
}

export interface FakeItem {
  id: number
  iid: number
  /** `works` for epics. */
  namespace: string
  type: string
  title: string
  description: string | null
  state: 'OPEN' | 'CLOSED'
  status: string | null
  parent: number | null
  labels: string[]
  assignees: string[]
  milestone: string | null
  iteration: string | null
  weight: number | null
  startDate: string | null
  dueDate: string | null
  healthStatus: string | null
  custom: Record<string, string | number | string[] | null>
  /** From this item to the others. */
  links: { type: 'relates_to' | 'blocks'; to: number }[]
  notes: FakeNote[]
  timelogs: { id: number; user: string; spentAt: string; timeSpent: number; summary: string }[]
  mergeRequests: { id: number; title: string; webUrl: string }[]
  branches: string[]
  lockVersion: number
  createdAt: string
  updatedAt: string
  closedAt: string | null
}

export function createItem(values: Partial<FakeItem> & { id: number }, at: string): FakeItem {
  const type = values.type ?? 'Issue'
  return {
    iid: values.id,
    namespace: type === 'Epic' ? GROUP : PROJECT,
    type,
    title: `Item ${values.id}`,
    description: null,
    state: 'OPEN',
    status: null,
    parent: null,
    labels: [],
    assignees: [],
    milestone: null,
    iteration: null,
    weight: null,
    startDate: null,
    dueDate: null,
    healthStatus: null,
    custom: {},
    links: [],
    notes: [],
    timelogs: [],
    mergeRequests: [],
    branches: [],
    lockVersion: 0,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    ...values,
  }
}

export interface FakeStatus {
  name: string
  category: 'TRIAGE' | 'TO_DO' | 'IN_PROGRESS' | 'DONE' | 'CANCELED'
}

export interface FakeCustomField {
  id: number
  name: string
  fieldType: 'NUMBER' | 'TEXT' | 'DATE' | 'SINGLE_SELECT' | 'MULTI_SELECT'
  options?: readonly string[]
}

export interface FakeGitLabOptions {
  items: readonly (Partial<FakeItem> & { id: number })[]
  labels?: readonly string[]
  milestones?: readonly { title: string; startDate: string | null; dueDate: string | null }[]
  iterations?: readonly { title: string | null; startDate: string; dueDate: string; cadence: string }[]
  /** Of issues and tasks; without them, items are open or closed. */
  statuses?: readonly FakeStatus[]
  customFields?: readonly FakeCustomField[]
  types?: readonly string[]
  version?: ServerVersion
  /** The complexity that a query may have (default: 250). */
  maxComplexity?: number
}

export const VIEWER = 'robin'
export interface FakeState {
  items: Map<number, FakeItem>
  options: FakeGitLabOptions
  tick(): string
  find(gid: string): FakeItem
  toItem(item: FakeItem): Record<string, unknown>
  toNote(note: FakeItem['notes'][number]): Record<string, unknown>
}

export const numberOf = (gid: string) => Number(gid.split('/').at(-1))
/** The global ID of something whose name is its ID. */
export const gidOf = (kind: string, name: string) => `gid://gitlab/${kind}/${name}`
export const nameOf = (gid: string, kind: string) => gid.slice(`gid://gitlab/${kind}/`.length)
