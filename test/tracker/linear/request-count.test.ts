import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { openLinearWorkspace } from './fixtures'

/** A feature with 37 stories of 26 tasks each: 1,000 issues from number 1. */
function createBacklog() {
  const issues: { number: number; parent?: number; labels: string[] }[] = [{ number: 1, labels: ['Feature'] }]
  for (let story = 0; story < 37; story++) {
    const number = issues.length + 1
    issues.push({ number, parent: 1, labels: ['Story'] })
    for (let task = 0; task < 26; task++) issues.push({ number: issues.length + 1, parent: number, labels: ['Task'] })
  }
  return issues
}

const labels = ['Feature', 'Story', 'Task']
/** A hundred issues block the one after them. */
const relations = Array.from({ length: 50 }, (_, i) => ({ type: 'blocks', from: 2 * i + 2, to: 2 * i + 3 }))
const all = Array.from({ length: 999 }, (_, i) => ({ type: 'blocks', from: i + 1, to: i + 2 }))

describe.each([
  { name: 'of which a hundred have relations', relations, most: 6 },
  { name: 'that all have relations', relations: all, most: 15 },
])('a feature with 1,000 issues $name', ({ relations, most }) => {
  it('is imported with few requests, of which none has more than 10,000 points', async () => {
    const { run, requests, linear } = await openLinearWorkspace({ issues: createBacklog(), labels, relations })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 1_000, skipped: [], notes: [] })
    expect(requests.length).toBeLessThanOrEqual(most)
    expect(Math.max(...linear.points)).toBeLessThanOrEqual(10_000)
  })
})

describe('a feature with 1,000 issues of which none has changed', () => {
  it('is compared with at most 3 requests', async () => {
    const { run, requests, linear } = await openLinearWorkspace({ issues: createBacklog(), labels, relations })
    await run(importFeature, { featureId: 1 })
    requests.length = 0
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 0, updated: 0, unchanged: 1_000 })
    expect(requests.length).toBeLessThanOrEqual(3)
    requests.length = 0
    expect(await run(syncItems, {})).toMatchObject({ checked: 1_000, updated: 0 })
    expect(requests.length).toBeLessThanOrEqual(2)
    expect(Math.max(...linear.points)).toBeLessThanOrEqual(10_000)
  })
})
