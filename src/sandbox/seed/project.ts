import { sampleSite } from '../../tracker/sample-site'
import type { ClassificationNode, Person } from '../state/state'

/** The team of the sample backlog; the first member is signed in. */
export const team = {
  hannah: person('3f1c9b52-7a60-4d5e-9a41-0c2b8e6d7f01', 'Hannah Okafor'),
  priya: person('8d2e4a17-5b93-4c68-8f20-1d3c9f7e8a02', 'Priya Nair'),
  tomas: person('b64f0e39-2c85-4e7a-a1d7-2e4dab8f9b03', 'Tomás Ferreira'),
  jonas: person('05a7d1c8-9e34-4f16-b3c5-3f5ebc90ac04', 'Jonas Lindqvist'),
  mei: person('c9183f6e-41d2-4a9b-8e74-406fcd1abd05', 'Mei Tanaka'),
  samuel: person('71e5b2d4-f80c-4b3d-95a6-5170de2bce06', 'Samuel Wright'),
  aoife: person('2a9c6e80-3d57-4c1f-a8b9-6281ef3cdf07', 'Aoife Brennan'),
  diego: person('e43b7f15-6c29-4d80-9cba-7392f04de008', 'Diego Salas'),
} as const

export type Member = keyof typeof team

function person(id: string, displayName: string): Person {
  const account = displayName.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(' ', '.')
  return { id, displayName, uniqueName: `${account}@quayside.example` }
}

/** A mention in the format of the tracker's editor. */
export function formatMention(member: Member): string {
  const { id, displayName } = team[member]
  return `<a href="#" data-vss-mention="version:2.0,${id}">@${displayName}</a>`
}

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

/** The iterations with dates. The last one is in progress at the end of the sample backlog's history. */
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
