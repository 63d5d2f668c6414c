import { sampleSite } from '../../tracker/sample-site'
import type { ClassificationNode } from '../state/state'

export const project = {
  id: '6d0f2c4e-1b7a-4e93-8c55-9a3e7b1d4f60',
  name: sampleSite.project,
  description: 'Yard, warehouse floor and carriers of the Quayside distribution centres.',
}

/** Area paths by the short name that the sample items use. */
export const areas = {
  root: 'Harbor',
  yard: 'Harbor\\Yard',
  floor: 'Harbor\\Floor',
  counting: 'Harbor\\Floor\\Counting',
  carriers: 'Harbor\\Carriers',
} as const

export type Area = keyof typeof areas

/** The dated iterations: first and last day. The last one is running on the day on which the sample backlog ends. */
export const sprints = {
  22: { path: 'Harbor\\2026 Q4\\Sprint 22', start: '2026-10-19', finish: '2026-10-30' },
  23: { path: 'Harbor\\2026 Q4\\Sprint 23', start: '2026-11-02', finish: '2026-11-13' },
  24: { path: 'Harbor\\2026 Q4\\Sprint 24', start: '2026-11-16', finish: '2026-11-27' },
} as const

export type Sprint = keyof typeof sprints

export const areaTree: ClassificationNode = node(11, 'Harbor', {
  children: [node(12, 'Yard'), node(13, 'Floor', { children: [node(14, 'Counting')] }), node(15, 'Carriers')],
})

export const iterationTree: ClassificationNode = node(21, 'Harbor', {
  children: [
    node(22, '2026 Q4', { children: [sprintNode(23, 22), sprintNode(24, 23), sprintNode(25, 24)] }),
    node(26, 'Later'),
  ],
})

function node(id: number, name: string, more: Partial<ClassificationNode> = {}): ClassificationNode {
  return { id, identifier: `0000${id}00-5eed-4000-8000-0000000000${id}`, name, ...more }
}

function sprintNode(id: number, sprint: Sprint): ClassificationNode {
  const { start, finish } = sprints[sprint]
  return node(id, `Sprint ${sprint}`, { startDate: `${start}T00:00:00.000Z`, finishDate: `${finish}T00:00:00.000Z` })
}
