export const REPOSITORY = 'works/harbor'

export interface FakeComment {
  id: number
  author: string
  body: string
  bodyHTML?: string
  createdAt: string
}

export interface FakeBoardValues {
  points: number | null
  iteration: string | null
  status?: string | null
  /** The values of other fields, by their names. */
  others?: Record<string, string | number>
  isArchived?: boolean
}

export interface FakePullRequest {
  number: number
  title: string
}

export interface FakeIssue {
  number: number
  title: string
  body: string
  state: 'OPEN' | 'CLOSED'
  stateReason: string | null
  labels: string[]
  assignees: string[]
  milestone: string | null
  type: string | null
  parent: number | null
  blockedBy: number[]
  /** Its values on the board; null if it is not on the board. */
  board: FakeBoardValues | null
  /** How many other boards it is on, which GitHub lists first. */
  otherBoards: number
  /** The values of fields of the organization, by their names. */
  issueFields: Record<string, string | number | readonly string[]>
  comments: FakeComment[]
  /** The body as GitHub shows it. */
  bodyHTML: string
  /** The pull requests that close it, and the branches for it. */
  pulls: FakePullRequest[]
  branches: (string | null)[]
  /** What closed it: a pull request, or a commit by its message. */
  closers: (FakePullRequest | string)[]
  createdAt: string
  closedAt: string | null
  updatedAt: string
}

export function createIssue(given: Partial<FakeIssue> & { number: number }, at: string): FakeIssue {
  return {
    title: `Issue ${given.number}`,
    body: '',
    state: 'OPEN',
    stateReason: null,
    labels: [],
    assignees: [],
    milestone: null,
    type: null,
    parent: null,
    blockedBy: [],
    board: null,
    otherBoards: 0,
    issueFields: {},
    comments: [],
    bodyHTML: '',
    pulls: [],
    branches: [],
    closers: [],
    createdAt: at,
    closedAt: null,
    updatedAt: at,
    ...structuredClone(given),
  }
}
