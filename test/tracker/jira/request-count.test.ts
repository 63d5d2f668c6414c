import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { listIterations } from '../../../src/items/queries'
import { createBacklog, DEPLOYMENTS, openJiraWorkspace } from './fixtures'

const SHAPES: [string, number, number][] = [
  ['37 stories with 26 subtasks each', 37, 26],
  ['999 stories', 999, 0],
]

describe.each(DEPLOYMENTS)('the number of requests on %s', (deployment) => {
  it.each(SHAPES)('is at most 15 to import an epic with %s', async (_, stories, subtasks) => {
    const { run, requests } = await openJiraWorkspace({ deployment, issues: createBacklog(stories, subtasks) })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 1_000, skipped: [], notes: [] })
    expect(requests.length).toBeLessThanOrEqual(15)
  })

  it.each(SHAPES)('is at most 15 by its key: an epic with %s', async (_, stories, subtasks) => {
    const { run, requests } = await openJiraWorkspace({ deployment, issues: createBacklog(stories, subtasks) })
    expect(await run(importFeature, { featureId: 'HAR-1' })).toMatchObject({ imported: 1_000, skipped: [], notes: [] })
    expect(requests.length).toBeLessThanOrEqual(15)
  })

  it.each(SHAPES)(
    'is at most 15 by its key with every issue in a sprint: an epic with %s',
    async (_, stories, subtasks) => {
      const { run, requests } = await openJiraWorkspace({ deployment, issues: planBacklog(stories, subtasks) })
      expect(await run(importFeature, { featureId: 'HAR-1' })).toMatchObject({
        imported: 1_000,
        skipped: [],
        notes: [],
      })
      expect(requests.length).toBeLessThanOrEqual(15)
    },
  )

  it.each(SHAPES)(
    'is at most 3 for a new process if none of an epic with %s has changed',
    async (_, stories, subtasks) => {
      const { run, restart, requests } = await openJiraWorkspace({
        deployment,
        issues: createBacklog(stories, subtasks),
      })
      await run(importFeature, { featureId: 1 })
      const later = restart()
      requests.length = 0
      expect(await later(importFeature, { featureId: 1 })).toMatchObject({ imported: 0, updated: 0, unchanged: 1_000 })
      expect(requests.length).toBeLessThanOrEqual(3)
      requests.length = 0
      expect(await later(syncItems, {})).toMatchObject({ checked: 1_000, updated: 0, accessChecked: true })
      expect(requests.length).toBeLessThanOrEqual(3)
    },
  )
})

/** A backlog whose issues are in the active sprint. */
function planBacklog(stories: number, subtasks: number) {
  return createBacklog(stories, subtasks).map((issue) => (issue.type === 'Epic' ? issue : { ...issue, sprints: [24] }))
}

describe('the sprints of a first import from Cloud', () => {
  const open = async (sprints: number[]) => {
    const issues = createBacklog(2, 0).map((issue) => ({ ...issue, sprints }))
    const { run, change, requestsTo, openProcess } = await openJiraWorkspace({ deployment: 'cloud', issues })
    const importEpic = () => run(importFeature, { featureId: 1 })
    const list = () => openProcess()().db.read((tx) => listIterations(tx))
    return { importEpic, change, list, boardRequests: () => requestsTo(/board/).length }
  }

  it('are those that its issues name, with their dates and without a request', async () => {
    const { importEpic, list, boardRequests } = await open([23, 24])
    await importEpic()
    expect(boardRequests()).toBe(0)
    expect(await list()).toMatchObject([
      { path: 'Sprint 23', finish_date: '2026-11-16T09:00:00.000Z' },
      { path: 'Sprint 24', start_date: '2026-11-16T09:00:00.000Z', finish_date: '2026-11-30T09:00:00.000Z' },
    ])
  })

  it('are all of the boards if no issue is in the active one, so that the active one is known', async () => {
    const { importEpic, list, boardRequests } = await open([23])
    await importEpic()
    expect(boardRequests()).toBe(2)
    expect((await list()).map(({ path }) => path)).toEqual(['Sprint 23', 'Sprint 24', 'Sprint 25'])
  })

  it('are all of the boards after the next change', async () => {
    const { importEpic, change, list } = await open([24])
    await importEpic()
    change(2, { summary: 'Renamed' })
    await importEpic()
    expect((await list()).map(({ path }) => path)).toEqual(['Sprint 23', 'Sprint 24', 'Sprint 25'])
  })
})

describe.each(DEPLOYMENTS)('a second import of a large epic on %s', (deployment) => {
  const open = async () => {
    const workspace = await openJiraWorkspace({ deployment, issues: createBacklog(30, 14) })
    await workspace.run(importFeature, { featureId: 1 })
    // The issues of the fake site were changed long before.
    const change = (id: number, values: Parameters<typeof workspace.change>[1]) =>
      Object.assign(workspace.site.find(id)!, values, { updated: Date.now() })
    const importAgain = () => workspace.restart()(importFeature, { featureId: 1 })
    return { ...workspace, changeNow: change, importAgain }
  }

  it('reads only what has changed', async () => {
    const { changeNow, importAgain, requestsTo, requests } = await open()
    changeNow(20, { summary: 'Renamed' })
    requests.length = 0
    expect(await importAgain()).toMatchObject({ imported: 0, updated: 1, unchanged: 450 })
    expect(requestsTo(/search|bulkfetch/).length).toBeLessThanOrEqual(4)
  })

  it('sees that an issue has moved to another parent of the same epic', async () => {
    const { changeNow, importAgain, site } = await open()
    const [subtask, story] = [site.find(3)!, site.find(17)!]
    expect(story.type).toBe('Story')
    changeNow(subtask.id, { parent: story.key })
    expect(await importAgain()).toMatchObject({ updated: 1, unchanged: 450, notes: [] })
  })

  it('sees new issues, and those that have left the epic', async () => {
    const { changeNow, importAgain, site } = await open()
    site.add({ type: 'Sub-task', parent: 'HAR-2' })
    changeNow(17, { parent: null })
    expect(await importAgain()).toMatchObject({
      imported: 1,
      byType: { Epic: 1, Story: 29, 'Sub-task': 30 * 14 - 14 + 1 },
    })
  })

  it('reports that the epic is gone', async () => {
    const { importAgain, site } = await open()
    site.find(1)!.isHidden = true
    await expect(importAgain()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('reading from the index of Cloud', () => {
  it('does not replace a newer version by one that the index still has', async () => {
    const { run, site, change } = await openJiraWorkspace({
      deployment: 'cloud',
      issues: createBacklog(2, 1),
      hasStaleSearch: true,
    })
    await run(importFeature, { featureId: 1 })
    change(2, { summary: 'Renamed' })
    await run(syncItems, { itemIds: [2], full: true })
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ updated: 0, unchanged: 5 })
    site.reindex()
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ updated: 0, unchanged: 5 })
  })
})
