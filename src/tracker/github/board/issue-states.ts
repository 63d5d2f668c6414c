import { equalsIgnoringCase } from '../../../kernel/text/text'
import type { StateCategory, WorkItemType } from '../../tracker'
import { type BoardItem, readText } from './board-item'
import type { Board } from './project-board'

export interface IssueState {
  name: string
  category: StateCategory
  color: string | null
}

const OPEN: IssueState = { name: 'Open', category: 'Proposed', color: '1f883d' }
const CLOSED: IssueState = { name: 'Closed', category: 'Completed', color: '8250df' }
const NOT_PLANNED: IssueState = { name: 'Closed as not planned', category: 'Removed', color: '59636e' }

/** The names of the statuses of new and of finished work, as boards usually have them. */
const PROPOSED = /^(?:to[ -]?do|backlog|ready|new|open|triage|needs triage|inbox|planned|proposed|up next|icebox)$/
const COMPLETED = /^(?:done|completed?|closed|finished|released|shipped|deployed|resolved)$/

/** The colors of options by their names in the API. */
const COLORS: Readonly<Record<string, string>> = {
  GRAY: '59636e',
  BLUE: '0969da',
  GREEN: '1a7f37',
  YELLOW: '9a6700',
  ORANGE: 'bc4c00',
  RED: 'd1242f',
  PINK: 'bf3989',
  PURPLE: '8250df',
}

/** The statuses of a board with their categories: by their names, or else by their places, because names may be in any language. */
function listStatuses(board: Board | null): IssueState[] {
  const options = board?.status?.options ?? []
  // GitHub shows an emoji in the name where people have written one.
  const names = options.map(({ name }) =>
    name
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .trim()
      .toLowerCase(),
  )
  const hasProposed = names.some((name) => PROPOSED.test(name))
  const hasCompleted = names.some((name) => COMPLETED.test(name))
  return options.map(({ name, color }, index): IssueState => {
    const isFirst = index === 0 && !hasProposed && options.length > 1
    const isLast = index === options.length - 1 && !hasCompleted && options.length > 2
    const known = names[index]!
    const category =
      COMPLETED.test(known) || isLast ? 'Completed' : PROPOSED.test(known) || isFirst ? 'Proposed' : 'InProgress'
    return { name, category, color: COLORS[color ?? ''] ?? null }
  })
}

/** The states of issues: those of GitHub, and the statuses of the board between them. A status may have the name of one of them. */
export function listStates(board: Board | null): IssueState[] {
  const statuses = listStatuses(board)
  const others = [OPEN, CLOSED, NOT_PLANNED].filter((one) => !findState(statuses, one.name))
  const [open, closed] = [others.filter((one) => one === OPEN), others.filter((one) => one !== OPEN)]
  return [...open, ...statuses, ...closed]
}

function findState(states: readonly IssueState[], name: unknown): IssueState | null {
  return states.find((state) => equalsIgnoringCase(state.name, String(name))) ?? null
}

/** The state of an issue. What is closed is finished or given up, whatever the board says. */
export function readState(
  { state, stateReason }: { state: 'OPEN' | 'CLOSED'; stateReason?: string | null | undefined },
  item: BoardItem | null,
  board: Board | null,
): IssueState {
  const status = findState(listStatuses(board), readText(item, board?.status ?? null))
  if (state === 'OPEN') return status ?? OPEN
  if (stateReason === 'NOT_PLANNED' || stateReason === 'DUPLICATE') return NOT_PLANNED
  return status?.category === 'Completed' ? status : CLOSED
}

/** What makes the state of an issue another one. */
export interface StateChange {
  /** The reason to close it, or to open it. */
  closing: 'COMPLETED' | 'NOT_PLANNED' | null
  /** The ID of the option on the board; null clears it, undefined leaves it. */
  optionId: string | null | undefined
}

/** How an issue gets a state; null if it has no such state. */
export function planState(name: unknown, board: Board | null): StateChange | null {
  const status = findState(listStatuses(board), name)
  if (status) {
    const option = board!.status!.options!.find((one) => one.name === status.name)!
    return { closing: status.category === 'Completed' ? 'COMPLETED' : null, optionId: option.id }
  }
  if (name === OPEN.name) return { closing: null, optionId: board?.status ? null : undefined }
  if (name === CLOSED.name) return { closing: 'COMPLETED', optionId: undefined }
  return name === NOT_PLANNED.name ? { closing: 'NOT_PLANNED', optionId: undefined } : null
}

export function toProcessStates(board: Board | null): WorkItemType['states'] {
  return listStates(board).map((state) => ({ ...state }))
}
