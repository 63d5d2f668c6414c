import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { execute, StudioError } from '../../../src/kernel'
import type { Database } from '../../../src/storage'
import { bigTree } from '../../bench/workspace-tree'
import { type Fault, type Faults, refuseWith, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

const SIZE = 1_000
const PAGE = 200

/** A workspace over a tree of five pages, whose tracker fails as the test demands. */
async function openWorkspaceOverTree() {
  let fault: ((request: { path: string; nth: number }) => Fault | null) | null = null
  const workspace = await openTestWorkspace({ seed: bigTree(SIZE), faults: (request) => fault?.(request) ?? null })
  const isPage = ({ path }: { path: string }) => path.includes('workitemsbatch')
  return {
    ...workspace,
    fail(choose: NonNullable<typeof fault> | null) {
      fault = choose
    },
    /** Fails all requests from the nth page on. */
    failFromPage(nth: number) {
      let pages = 0
      fault = (request) => (isPage(request) && ++pages >= nth ? respondUnavailable() : null)
    },
    /** The items of the pages requested since the last call. */
    idsAsked: () =>
      workspace.sandbox.requests
        .splice(0)
        .flatMap((request): number[] => (isPage(request) ? JSON.parse(request.body).ids : [])),
    cachedIds: async (): Promise<number[]> => (await workspace.run(listItems, {})).map(({ id }: { id: number }) => id),
    pages: () => workspace.asked().filter((one) => one.includes('workitemsbatch')).length,
  }
}

describe('importing a large tree', () => {
  it('requests pages, and little else', async () => {
    const workspace = await openWorkspaceOverTree()
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({
      imported: SIZE,
      skipped: [],
      notes: [],
    })
    expect(workspace.asked().length).toBeLessThanOrEqual(SIZE / PAGE + 8)
  })

  it('requests only changed items when it is repeated', async () => {
    const workspace = await openWorkspaceOverTree()
    await workspace.run(importFeature, { featureId: 1 })
    workspace.asked()
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({
      imported: 0,
      updated: 0,
      unchanged: SIZE,
    })
    expect(workspace.pages()).toBe(0)
    await workspace.changeRemotely(500, { 'System.Title': 'Another title' })
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({ updated: 1, unchanged: SIZE - 1 })
    expect(workspace.pages()).toBe(1)
  })

  it('saves the pages that it read before the tracker failed, and continues from there', async () => {
    const workspace = await openWorkspaceOverTree()
    workspace.failFromPage(3)
    await expect(workspace.run(importFeature, { featureId: 1 })).rejects.toMatchObject({ code: 'tracker_unavailable' })
    const stored = await workspace.cachedIds()
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.length % PAGE).toBe(0)
    workspace.fail(null)
    workspace.asked()
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({
      imported: SIZE - stored.length,
      unchanged: stored.length,
    })
    expect(workspace.idsAsked().filter((id) => stored.includes(id))).toEqual([])
    expect(await workspace.run(listItems, {})).toHaveLength(SIZE)
  })

  it('reports how many items are saved when the disk is full', async () => {
    const workspace = await openWorkspaceOverTree()
    const { db } = workspace.studio
    let isFull = false
    const write: Database['write'] = async (work, options) => {
      if (isFull) {
        const hint = 'Free some space and try again; nothing was changed.'
        throw new StudioError('disk_full', 'Cannot use studio.db: the disk is full.', { hint })
      }
      const done = await db.write(work, options)
      isFull = (await workspace.cachedIds()).length > 0
      return done
    }
    const context = { ...workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }) }
    const stopped = execute(importFeature, { featureId: 1 }, { ...context, db: { ...db, read: db.read, write } })
    await expect(stopped).rejects.toMatchObject({
      code: 'disk_full',
      message: `Cannot use studio.db: the disk is full. ${PAGE} work items are already saved.`,
      hint: 'Free some space and try again. It continues from there.',
    })
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({
      imported: SIZE - PAGE,
      unchanged: PAGE,
    })
  })

  it('also continues if the tracker has no feed of changes', async () => {
    const workspace = await openWorkspaceOverTree()
    workspace.failFromPage(3)
    await expect(workspace.run(importFeature, { featureId: 1 })).rejects.toMatchObject({ code: 'tracker_unavailable' })
    const stored = await workspace.cachedIds()
    workspace.fail(({ path }) => (path.includes('reporting') ? refuseWith(403, 'AccessDeniedException', 'no') : null))
    workspace.asked()
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({ imported: SIZE - stored.length })
    expect(workspace.idsAsked().filter((id) => stored.includes(id))).toEqual([])
  })

  it('reads all pages again without a feed, and writes nothing', async () => {
    const workspace = await openWorkspaceOverTree()
    workspace.fail(({ path }) => (path.includes('reporting') ? refuseWith(403, 'AccessDeniedException', 'no') : null))
    await workspace.run(importFeature, { featureId: 1 })
    const before = await workspace.run(listItems, {})
    workspace.asked()
    expect(await workspace.run(importFeature, { featureId: 1 })).toMatchObject({
      imported: 0,
      updated: 0,
      unchanged: SIZE,
    })
    expect(workspace.asked().length).toBeLessThanOrEqual(SIZE / PAGE + 4)
    expect(await workspace.run(listItems, {})).toEqual(before)
  })
})

describe('importing an unchanged tree again', () => {
  const TREE = 5_001
  const ELSEWHERE = 1_600
  const MOST_REQUESTS = Math.ceil(TREE / PAGE) + 4

  /** A tree below item 1, and items outside of it, all changed at the given time. */
  const seed = (at: string) => {
    const state = bigTree(TREE + ELSEWHERE)
    for (const { revisions } of state.items) for (const revision of revisions) revision.at = at
    for (const link of state.links) link.at = at
    return { ...state, links: state.links.filter(({ target }) => target <= TREE) }
  }

  async function importedAgain(at: string, faults: Faults = []) {
    const workspace = await openTestWorkspace({ seed: seed(at), faults })
    await workspace.run(importFeature, { featureId: 1 })
    for (let first = TREE + 1; first < TREE + ELSEWHERE; first += PAGE) {
      await workspace.changeManyRemotely(
        Array.from({ length: PAGE }, (_, i) => first + i),
        { 'System.Title': 'Another title' },
      )
    }
    workspace.asked()
    const answer = await workspace.run(importFeature, { featureId: 1 })
    expect(answer).toMatchObject({ imported: 0, updated: 0, unchanged: TREE })
    return workspace.asked()
  }

  it('reads a few pages of the feeds, however many other items have changed', async () => {
    const asked = await importedAgain('2026-10-01T08:00:00.000Z')
    expect(asked.filter((one) => one.includes('workitemsbatch'))).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(8)
  })

  it('reads only the items if the feeds are too long', async () => {
    const asked = await importedAgain(new Date().toISOString())
    expect(asked.length).toBeLessThanOrEqual(MOST_REQUESTS)
  })

  it.each([
    ['feeds', /reporting/],
    ['feed of links', /workitemlinks/],
  ])('reads only the items if there is no %s', async (_, path) => {
    const fault = refuseWith(404, 'VssResourceNotFoundException', 'no')
    const asked = await importedAgain('2026-10-01T08:00:00.000Z', [{ path, fault }])
    expect(asked.length).toBeLessThanOrEqual(MOST_REQUESTS)
  })
})

describe('an unusual tree', () => {
  it('with a cycle is imported, and noted', async () => {
    const seed = bigTree(12)
    const link = { at: seed.items[0]!.revisions[0]!.at, by: 'one@example.com', active: true }
    seed.links.push({ ...link, watermark: 99, type: 'System.LinkTypes.Hierarchy', source: 4, target: 1 })
    const workspace = await openTestWorkspace({ seed })
    const answer = await workspace.run(importFeature, { featureId: 1 })
    expect(answer.imported).toBe(12)
    expect(answer.notes).toEqual([
      { id: 1, reference: '#1', reason: 'It is below itself: its parent #4 is part of its own tree.' },
    ])
  })

  it('with an unreadable child is imported without it, and says so', async () => {
    const workspace = await openTestWorkspace({
      seed: bigTree(12),
      faults: [
        {
          path: /workitemsbatch/,
          fault: {
            editResponse(answer) {
              const { value } = JSON.parse(answer.body) as { value: { id: number }[] }
              return { ...answer, body: JSON.stringify({ value: value.map((item) => (item.id === 5 ? null : item)) }) }
            },
          },
        },
      ],
    })
    const answer = await workspace.run(importFeature, { featureId: 1 })
    expect(answer).toMatchObject({
      imported: 11,
      skipped: [{ id: 5, reason: expect.stringContaining('may not read') }],
    })
  })
})
