import { type SandboxState, STATE_FORMAT } from '../../src/tracker/sandbox'

const TASKS_A_STORY = 9

/** A tree of so many items below feature 1: stories with tasks, with texts of ordinary length. */
export function bigTree(size: number): SandboxState {
  const at = '2026-10-01T08:00:00.000Z'
  const by = 'one@example.com'
  const items: SandboxState['items'] = []
  const links: SandboxState['links'] = []
  for (let id = 1; id <= size; id += 1) {
    const place = (id - 2) % (TASKS_A_STORY + 1)
    const type = id === 1 ? 'Feature' : place === 0 ? 'User Story' : 'Task'
    const parent = id === 1 ? null : place === 0 ? 1 : id - place
    const set = {
      'System.WorkItemType': type,
      'System.Title': `${type} number ${id}`,
      'System.State': id % 3 === 0 ? 'Closed' : 'New',
      'System.AreaPath': 'Big',
      'System.IterationPath': 'Big',
      'System.AssignedTo': by,
      'Microsoft.VSTS.Common.Priority': 2,
      'System.Description': paragraphs(id),
    }
    items.push({ id, revisions: [{ watermark: id, at, by, set }] })
    if (parent !== null) {
      const type = 'System.LinkTypes.Hierarchy'
      links.push({ watermark: size + id, at, by, type, source: parent, target: id, active: true })
    }
  }
  const node = (id: number) => ({ id, identifier: `00000000-0000-4000-8000-00000000000${id}`, name: 'Big' })
  return {
    format: STATE_FORMAT,
    organization: 'many',
    project: { id: '00000000-0000-4000-8000-000000000009', name: 'Big', description: '' },
    people: [{ id: '00000000-0000-4000-8000-000000000008', displayName: 'One', uniqueName: by }],
    areas: node(1),
    iterations: node(2),
    items,
    links,
  }
}

/** About a kilobyte, another one for each item. */
function paragraphs(id: number): string {
  const line = (n: number) =>
    `<div>Pallet ${(id * n) % 997} goes to door ${(id + n) % 31} before the driver leaves the yard.</div>`
  return Array.from({ length: 14 }, (_, n) => line(n + 1)).join('')
}
