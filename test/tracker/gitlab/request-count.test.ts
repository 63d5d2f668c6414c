import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { createBacklog, openGitLabWorkspace } from './fixtures'

const iterations = [{ title: null, startDate: '2026-11-16', dueDate: '2026-11-29', cadence: 'Team' }]
const items = createBacklog(37, 26).map((item) => ({ ...item, iteration: '2026-11-16' }))

describe('an epic of the group with 1,000 work items', () => {
  it('is imported with at most 15 requests, and with 3 if nothing has changed, within the complexity that GitLab allows', async () => {
    const { run, requests, gitlab } = await openGitLabWorkspace({ items, iterations })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 1_000, skipped: [], notes: [] })
    expect(requests.length).toBeLessThanOrEqual(15)
    // GitLab allows 250 points with a token. Nothing was refused, so that no request was repeated with less.
    expect(gitlab.complexities).toHaveLength(requests.length)
    expect(Math.max(...gitlab.complexities)).toBeLessThanOrEqual(250)
    requests.length = 0
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 0, updated: 0, unchanged: 1_000 })
    expect(requests.length).toBeLessThanOrEqual(3)
    requests.length = 0
    expect(await run(syncItems, {})).toMatchObject({ checked: 1_000, updated: 0 })
    expect(requests.length).toBeLessThanOrEqual(2)
  })

  it('is imported in smaller parts where the server allows less', async () => {
    const { run, gitlab } = await openGitLabWorkspace({ items: createBacklog(3, 4), iterations, maxComplexity: 150 })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 16, skipped: [] })
    expect(Math.max(...gitlab.complexities)).toBeLessThanOrEqual(150)
  })
})
