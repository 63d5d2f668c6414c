import type { SandboxState } from '../../src/sandbox'
import { BY, stateOf } from '../sandbox/generated-state'

const TASKS_A_STORY = 9

/** A tree of this many items below feature 1: stories with tasks, with texts of typical length. */
export function bigTree(size: number): SandboxState {
  return stateOf(size, (id) => {
    const place = (id - 2) % (TASKS_A_STORY + 1)
    return {
      type: id === 1 ? 'Feature' : place === 0 ? 'User Story' : 'Task',
      parent: id === 1 ? null : place === 0 ? 1 : id - place,
      fields: {
        'System.AssignedTo': BY,
        'Microsoft.VSTS.Common.Priority': 2,
        'System.Description': paragraphs(id),
      },
    }
  })
}

/** About a kilobyte of text, different for each item. */
function paragraphs(id: number): string {
  const line = (n: number) =>
    `<div>Pallet ${(id * n) % 997} goes to door ${(id + n) % 31} before the driver leaves the yard.</div>`
  return Array.from({ length: 14 }, (_, n) => line(n + 1)).join('')
}
