import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { describeTracker } from '../../../src/items/operations/describe-tracker'
import { getItem } from '../../../src/items/operations/get-item'
import { checkFreshness } from '../../../src/items/operations/import/check-freshness'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { listItemHistory } from '../../../src/items/operations/list-item-history'
import { listItems } from '../../../src/items/operations/list-items'
import { searchTracker } from '../../../src/items/operations/search-tracker'
import { suggest } from '../../../src/kernel'
import { startSandbox } from '../../../src/sandbox'
import { openTracker } from '../../../src/tracker'
import { bigTree } from '../../bench/workspace-tree'
import { refuseWith, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

describe('the freshness of a snapshot', () => {
  it('depends on the revision', async () => {
    const workspace = await openTestWorkspace()
    expect(await workspace.run(checkFreshness, { id: 204 })).toMatchObject({
      localRev: 0,
      isFresh: false,
      reason: 'never-fetched',
    })
    const { rev } = await workspace.run(getItem, { id: 204 })
    expect(await workspace.run(checkFreshness, { id: 204 })).toEqual({
      id: 204,
      reference: '#204',
      localRev: rev,
      remoteRev: rev,
      isFresh: true,
      reason: 'fresh',
      fromFile: null,
    })
    await workspace.changeRemotely(204, { 'System.Title': 'Another title' })
    expect(await workspace.run(checkFreshness, { id: 204 })).toMatchObject({
      localRev: rev,
      remoteRev: rev + 1,
      isFresh: false,
      reason: 'revision',
    })
  })

  it('also depends on the links, which do not change the revision', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [202, 204] })
    await workspace.linkRemotely(202, 'System.LinkTypes.Dependency-Reverse', 204)
    expect(await workspace.run(checkFreshness, { id: 204 })).toMatchObject({ isFresh: false, reason: 'relations' })
  })

  it('takes one request, saves nothing, and refuses items that do not exist', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(checkFreshness, { id: 204 })
    expect(workspace.asked()).toEqual(['GET quayside/_apis/wit/workitems/204'])
    expect(await workspace.run(listItems, {})).toEqual([])
    await expect(workspace.run(checkFreshness, { id: 99_999 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a cached item', () => {
  /** The tracker's answer for it has lost its fields. */
  const misshapen = {
    editResponse: (answer: any) => ({ ...answer, body: JSON.stringify({ value: [{ id: 343, rev: 'three' }] }) }),
  }

  it('is not marked as gone if the answer of the tracker cannot be read', async () => {
    let isMisshapen = false
    const workspace = await openTestWorkspace({
      faults: ({ path }) => (isMisshapen && path.includes('workitemsbatch') ? misshapen : null),
    })
    await workspace.run(getItem, { id: 343 })
    isMisshapen = true
    await expect(workspace.run(getItem, { id: 343 })).rejects.toMatchObject({
      code: 'tracker_answer',
      hint: expect.arrayContaining([suggest('items.get', { id: 343, cached: true })]),
    })
    expect(await workspace.run(importSingle, { id: 343 })).toMatchObject({ imported: [], failed: [{ id: 343 }] })
    expect(await workspace.run(getItem, { id: 343, cached: true })).toMatchObject({ goneSince: null })
  })

  it('is marked as gone when an import does not find it, and unmarked when it is back', async () => {
    let isHidden = false
    const hidden = { editResponse: (answer: any) => ({ ...answer, body: '{"value":[]}' }) }
    const workspace = await openTestWorkspace({
      faults: ({ path }) => (isHidden && path.includes('workitemsbatch') ? hidden : null),
    })
    await workspace.run(importSingle, { id: 343 })
    isHidden = true
    expect(await workspace.run(importSingle, { ids: [343, 344] })).toMatchObject({ failed: [{ id: 343 }, { id: 344 }] })
    const cached = { id: 343, cached: true }
    expect(await workspace.run(getItem, cached)).toMatchObject({ goneSince: expect.stringMatching(/Z$/) })
    isHidden = false
    await workspace.run(importSingle, { id: 343 })
    expect(await workspace.run(getItem, cached)).toMatchObject({ goneSince: null })
  })
})

describe('the history of an item', () => {
  it('has a snapshot of every version that was read, newest first, with its changes', async () => {
    const workspace = await openTestWorkspace()
    const { rev } = await workspace.run(getItem, { id: 343 })
    await workspace.changeRemotely(343, {
      'System.Title': 'Another title',
      'System.AssignedTo': 'mei.tanaka@quayside.example',
    })
    await workspace.run(getItem, { id: 343 })
    await workspace.run(getItem, { id: 343 })
    const { snapshots } = await workspace.run(listItemHistory, { id: 343 })
    expect(snapshots.map((entry: any) => entry.rev)).toEqual([rev + 1, rev])
    expect(snapshots[0].changes).toEqual([
      { field: 'System.AssignedTo', from: 'priya.nair@quayside.example', to: 'mei.tanaka@quayside.example' },
      { field: 'System.Title', from: expect.any(String), to: 'Another title' },
    ])
    expect(snapshots[1]).toMatchObject({ changes: [], linksChanged: false })
  })

  it('compares any two revisions', async () => {
    const workspace = await openTestWorkspace()
    const { rev, title } = await workspace.run(getItem, { id: 343 })
    for (const name of ['One', 'Two']) {
      await workspace.changeRemotely(343, { 'System.Title': name })
      await workspace.run(getItem, { id: 343 })
    }
    const between = async (input: object) => (await workspace.run(listItemHistory, { id: 343, ...input })).comparison
    expect((await between({ from: rev })).changes).toEqual([{ field: 'System.Title', from: title, to: 'Two' }])
    expect(await between({ from: rev, to: rev + 1 })).toMatchObject({
      from: rev,
      to: rev + 1,
      changes: [{ to: 'One' }],
    })
    await expect(between({ from: 99 })).rejects.toMatchObject({ code: 'invalid' })
    await expect(between({ to: rev })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('needs no tracker, and does not exist for an item that was never fetched', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(getItem, { id: 343 })
    await workspace.sandbox.close()
    expect((await workspace.run(listItemHistory, { id: 343 })).snapshots).toHaveLength(1)
    await expect(workspace.run(listItemHistory, { id: 344 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('searching the tracker', () => {
  it('finds items that are not cached, and shows which are', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [204] })
    const answer = await workspace.run(searchTracker, { query: 'door', limit: 2 })
    expect(answer).toMatchObject({ query: 'door', itemType: null, source: 'search', partial: false })
    expect(answer.total).toBeGreaterThan(2)
    expect(answer.results).toHaveLength(2)
    const [first] = answer.results
    expect(first).toMatchObject({ id: 204, localRev: first.rev })
    expect(answer.results[1].localRev).toBe(0)
    expect(first).not.toHaveProperty('description')
    expect(await workspace.run(listItems, {})).toHaveLength(1)
  })

  it('filters by type', async () => {
    const workspace = await openTestWorkspace()
    const { results } = await workspace.run(searchTracker, { query: 'door', itemType: 'Bug' })
    expect(results.map(({ type }: any) => type)).toEqual(results.map(() => 'Bug'))
    expect(results.length).toBeGreaterThan(0)
  })

  it.each([
    ['is not there', refuseWith(404, 'VssResourceNotFoundException', 'no such controller')],
    ['is down', respondUnavailable()],
    [
      'has not indexed anything',
      {
        editResponse: () => ({
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: '{"count":0,"results":[],"infoCode":4}',
        }),
      },
    ],
  ])('uses a query if the search %s', async (_, fault) => {
    const workspace = await openTestWorkspace({ faults: [{ path: /workitemsearchresults/, fault }] })
    const { source, results } = await workspace.run(searchTracker, { query: "dock door' OR 1 = 1" })
    expect([source, results]).toEqual(['query', []])
    const found = await workspace.run(searchTracker, { query: 'door', itemType: 'Bug' })
    expect(found.results.map(({ type }: any) => type)).toContain('Bug')
  })

  it('reports incomplete results of the tracker', async () => {
    const edit = (answer: any) => ({ ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), infoCode: 1 }) })
    const workspace = await openTestWorkspace({
      faults: [{ path: /workitemsearchresults/, fault: { editResponse: edit } }],
    })
    expect(await workspace.run(searchTracker, { query: 'door' })).toMatchObject({ source: 'search', partial: true })
  })

  it('looks a number up as an ID', async () => {
    const workspace = await openTestWorkspace()
    expect(await workspace.run(searchTracker, { query: '#204' })).toMatchObject({
      total: 1,
      source: 'id',
      results: [{ id: 204 }],
    })
    expect(await workspace.run(searchTracker, { query: '204', itemType: 'Bug' })).toMatchObject({
      total: 0,
      results: [],
    })
    expect(await workspace.run(searchTracker, { query: '99999999999' })).toMatchObject({ total: 0, results: [] })
  })

  it.each([{ query: '' }, { query: 'door', limit: 201 }, { query: 'a\u0000b' }])('refuses %j', async (input) => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(searchTracker, input)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('the process', () => {
  it('has areas, iterations with dates, types with states, and the field for points', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(describeTracker, {})
    expect(answer.areaPaths).toContain('Harbor\\Yard')
    expect(answer.iterations).toContainEqual({
      path: 'Harbor\\2026 Q4\\Sprint 24',
      startDate: expect.stringMatching(/^2026-11-16/),
      finishDate: expect.stringMatching(/^2026-11-27/),
    })
    const story = answer.workItemTypes.find(({ name }: any) => name === 'User Story')
    expect(story).toMatchObject({
      level: 1,
      category: 'Requirement Category',
      color: expect.stringMatching(/^[0-9A-Fa-f]{6}$/),
    })
    expect(story.states[0]).toEqual({
      name: 'New',
      category: 'Proposed',
      color: expect.stringMatching(/^[0-9A-Fa-f]{6}$/),
    })
    expect(answer.pointsField).toEqual({
      name: 'Story Points',
      referenceName: 'Microsoft.VSTS.Scheduling.StoryPoints',
    })
  })
})

describe('a workspace', () => {
  /** The same workspace with another tracker in the settings. */
  async function withAnotherTracker() {
    const workspace = await openTestWorkspace()
    const other = await startSandbox({ file: null, seed: bigTree(12) })
    const studio = workspace.studio
    const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    const tracker = openTracker({ url: other.url, project: other.project, token: null })
    const run = (op: any, input: unknown) => op.run({ ...context, tracker: async () => tracker }, op.input.parse(input))
    return { workspace, other, run, close: () => Promise.all([tracker.close(), other.close()]) }
  }

  it.each([
    ['get', getItem, { id: 1 }],
    ['import', importFeature, { featureId: 1 }],
    ['import single', importSingle, { ids: [1] }],
    ['copy', copySanitize, { id: 1 }],
    ['sync', syncItems, {}],
    ['freshness', checkFreshness, { id: 1 }],
    ['update', batchUpdate, { itemIds: [1], updates: { Title: 'Mixed' } }],
  ])('belongs to one tracker: %s of another is refused, with a hint', async (_, op, input) => {
    const { workspace, run, close } = await withAnotherTracker()
    await workspace.run(getItem, { id: 204 })
    await expect(run(op, input)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/localhost\/quayside\/harbor.*localhost\/many\/big/),
      hint: expect.stringContaining('STUDIO_DB'),
    })
    expect(await workspace.run(listItems, {})).toHaveLength(1)
    await close()
  })

  it('is linked to the first tracker that returns an item', async () => {
    const { workspace, run, close } = await withAnotherTracker()
    await expect(run(getItem, { id: 99_999 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await workspace.run(getItem, { id: 204 })).toMatchObject({ id: 204 })
    await close()
  })
})
