import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import type { StubRequest } from '../azure-devops/stub-server'
import { countPoints } from './count-nodes'
import { createBacklog, openGitHubWorkspace } from './fixtures'

const milestones = [{ title: 'Sprint 24', dueOn: '2026-11-27T00:00:00Z' }]
const inMilestone = createBacklog(37, 26).map((issue) => ({ ...issue, milestone: 'Sprint 24' }))
const onBoard = createBacklog(37, 26).map((issue) => ({ ...issue, board: { points: 1, iteration: 'Sprint 24' } }))

const WORKSPACES = [
  { name: 'without milestones', options: { issues: createBacklog(37, 26) }, settings: {}, points: 31 },
  { name: 'in a milestone', options: { issues: inMilestone, milestones }, settings: {}, points: 31 },
  { name: 'on a project board', options: { issues: onBoard }, settings: { board: 7 }, points: 91 },
]

/** What the requests cost of the 5,000 points that GitHub allows in an hour. */
const sumPoints = (requests: readonly StubRequest[]) =>
  requests.reduce((sum, { body }) => sum + countPoints(body.query, body.variables), 0)

describe.each(WORKSPACES)('a feature with 1,000 issues $name', ({ options, settings, points }) => {
  it('is imported with at most 15 requests, and with 3 if nothing has changed', async () => {
    const { run, requests } = await openGitHubWorkspace(options, settings)
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 1_000, skipped: [], notes: [] })
    expect(requests.length).toBeLessThanOrEqual(15)
    requests.length = 0
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 0, updated: 0, unchanged: 1_000 })
    expect(requests.length).toBeLessThanOrEqual(3)
    expect(sumPoints(requests)).toBeLessThanOrEqual(points)
    requests.length = 0
    expect(await run(syncItems, {})).toMatchObject({ checked: 1_000, updated: 0 })
    expect(requests.length).toBeLessThanOrEqual(2)
  })
})
