import { type SandboxState, STATE_FORMAT } from '../../src/sandbox'

const AT = '2026-10-01T08:00:00.000Z'
export const BY = 'one@example.com'

export interface Place {
  type: 'Feature' | 'User Story' | 'Task'
  parent: number | null
  /** In addition to its type, title, state, area and iteration. */
  fields: Record<string, string | number>
}

/** A state with items of the IDs 1 to `size`, a third of them closed. */
export function stateOf(size: number, placeOf: (id: number) => Place): SandboxState {
  const items: SandboxState['items'] = []
  const links: SandboxState['links'] = []
  for (let id = 1; id <= size; id += 1) {
    const { type, parent, fields } = placeOf(id)
    const set = {
      'System.WorkItemType': type,
      'System.Title': `${type} number ${id}`,
      'System.State': id % 3 === 0 ? 'Closed' : 'New',
      'System.AreaPath': 'Big',
      'System.IterationPath': 'Big',
      ...fields,
    }
    items.push({ id, revisions: [{ watermark: id, at: AT, by: BY, set }] })
    if (parent !== null) {
      const type = 'System.LinkTypes.Hierarchy'
      links.push({ watermark: size + id, at: AT, by: BY, type, source: parent, target: id, active: true })
    }
  }
  const node = (id: number) => ({ id, identifier: `00000000-0000-4000-8000-00000000000${id}`, name: 'Big' })
  return {
    format: STATE_FORMAT,
    organization: 'many',
    project: { id: '00000000-0000-4000-8000-000000000009', name: 'Big', description: '' },
    people: [{ id: '00000000-0000-4000-8000-000000000008', displayName: 'One', uniqueName: BY }],
    areas: node(1),
    iterations: node(2),
    items,
    links,
  }
}

/** A state of any size with a feature for each hundred items, ten stories below it, and tasks below those. */
export function generatedState(size: number): SandboxState {
  return stateOf(size, (id) => {
    const place = (id - 1) % 100
    return {
      type: place === 0 ? 'Feature' : place <= 10 ? 'User Story' : 'Task',
      parent: place === 0 ? null : place <= 10 ? id - place : id - place + 1 + (place % 10),
      fields: { 'System.Description': `<div>Pallet ${id % 97} goes to door ${id % 31}.</div>` },
    }
  })
}
