/** A relation as Linear stores it: `from` blocks `to`. */
export interface FakeRelation {
  id: string
  type: string
  from: string
  to: string
}

export interface FakeComment {
  id: string
  body: string
  createdAt: string
  updatedAt: string
  user: string
}

export interface FakeAttachment {
  id: string
  title: string
  url: string
  createdAt: string
}

export interface FakeIssue {
  id: string
  number: number
  /** The key of its team. */
  team: string
  previousIdentifiers: string[]
  title: string
  description: string | null
  priority: number
  estimate: number | null
  dueDate: string | null
  stateId: string
  /** The ID of an account. */
  assigneeId: string | null
  projectId: string | null
  cycleId: string | null
  labelIds: string[]
  parentId: string | null
  trashed: boolean
  archivedAt: string | null
  createdAt: string
  updatedAt: string
  comments: FakeComment[]
  attachments: FakeAttachment[]
}

/** What a test says of an issue: the names of labels, and the number of its parent. */
export type GivenIssue = { number: number; parent?: number; labels?: readonly string[] } & Partial<FakeIssue>

/** A UUID that shows what it is of. */
export function createId(kind: number, number: number): string {
  return `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

export function createIssue({ number, parent, labels: _, ...values }: GivenIssue, at: string): FakeIssue {
  return {
    id: createId(1, number),
    number,
    team: 'ENG',
    previousIdentifiers: [],
    title: `Issue ${number}`,
    description: null,
    priority: 0,
    estimate: null,
    dueDate: null,
    stateId: createId(2, 1),
    assigneeId: null,
    projectId: null,
    cycleId: null,
    labelIds: [],
    parentId: parent === undefined ? null : createId(1, parent),
    trashed: false,
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
    comments: [],
    attachments: [],
    ...values,
  }
}
