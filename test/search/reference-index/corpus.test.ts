import { expect, it } from 'vitest'
import { entity } from '../sample'
import { buildCorpus } from './corpus'

it('distinguishes a single word from words that are joined by a character', async () => {
  const { vocabulary } = await buildCorpus([entity(1, 'The dock-door'), entity(2, 'timeout')], async () => {})
  expect(vocabulary.hasWrittenForm('timeout')).toBe(true)
  expect(vocabulary.hasWrittenForm('dockdoor')).toBe(false)
  expect(vocabulary.countDocuments('dockdoor')).toBe(1)
  expect([...vocabulary.forms('')].sort()).toEqual(['dock', 'dockdoor', 'door', 'timeout'])
})

it('does not block the event loop while it is built', async () => {
  const entities = Array.from({ length: 1000 }, (_, i) => entity(i + 1, 'Dock door'))
  let pauses = 0
  await buildCorpus(entities, async () => {
    pauses += 1
  })
  expect(pauses).toBeGreaterThanOrEqual(10)
})
