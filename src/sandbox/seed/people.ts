import type { Person } from '../state/state'

/** The team of the sample backlog; the first one is signed in. */
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

/** A mention as the editor of the tracker writes it. */
export function formatMention(member: Member): string {
  const { id, displayName } = team[member]
  return `<a href="#" data-vss-mention="version:2.0,${id}">@${displayName}</a>`
}
