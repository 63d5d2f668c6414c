export const REPOSITORY = 'works/harbor'

export interface FakeComment {
  id: number
  author: string
  body: string
  createdAt: string
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
  board: { points: number | null; iteration: string | null } | null
  comments: FakeComment[]
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
    comments: [],
    createdAt: at,
    closedAt: null,
    updatedAt: at,
    ...structuredClone(given),
  }
}
