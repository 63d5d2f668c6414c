import { describe, expect, it } from 'vitest'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { getItem } from '../../../src/items/operations/get-item'
import { checkFreshness } from '../../../src/items/operations/import/check-freshness'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { linkItem } from '../../../src/items/operations/links/link-item'
import { unlinkItem } from '../../../src/items/operations/links/unlink-item'
import { resetAfter, resetBefore, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

const isPatch = ({ method }: { method: string }) => method === 'PATCH'

/** The links of an item as the tracker has them: `parent 204`. */
async function readLinks({ studio }: TestWorkspace, id: number): Promise<string[]> {
  const ctx = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const { parentId, predecessorIds, successorIds, relatedIds } = await (await ctx.tracker()).getItem(id, ctx.signal)
  return [
    ...(parentId === null ? [] : [`parent ${parentId}`]),
    ...predecessorIds.map((other) => `predecessor ${other}`),
    ...successorIds.map((other) => `successor ${other}`),
    ...relatedIds.map((other) => `related ${other}`),
  ]
}

const isFresh = async (workspace: TestWorkspace, id: number) => (await workspace.run(checkFreshness, { id })).isFresh

describe('linkItem', () => {
  it('replaces the parent with one request that changes it, and shows which one it replaces', async () => {
    const workspace = await openTestWorkspace()
    const preview = await workspace.run(linkItem, { id: 343, parentId: 205, dryRun: true })
    expect(preview.results).toMatchObject([
      { id: 343, status: 'notAttempted', changes: [{ field: 'Parent', from: 204, to: 205 }] },
    ])
    expect(preview.linked.map(({ id }: { id: number }) => id).sort()).toEqual([204, 205])
    expect(workspace.sandbox.requests.some(isPatch)).toBe(false)
    expect(await workspace.run(linkItem, { id: 343, parentId: 205 })).toMatchObject({ applied: 1 })
    expect(workspace.sandbox.requests.filter(isPatch)).toHaveLength(1)
    expect(await readLinks(workspace, 343)).toContain('parent 205')
  })

  it('adds links of all kinds', async () => {
    const workspace = await openTestWorkspace()
    const before = await readLinks(workspace, 217)
    const links = { predecessorIds: [211, 219], successorIds: [213], relatedIds: [501] }
    expect(await workspace.run(linkItem, { id: 217, ...links })).toMatchObject({ requested: 1, applied: 1 })
    const added = ['predecessor 211', 'predecessor 219', 'successor 213', 'related 501']
    expect((await readLinks(workspace, 217)).sort()).toEqual([...before, ...added].sort())
    const again = await workspace.run(linkItem, { id: 217, ...links })
    expect(again.results).toMatchObject([{ status: 'applied', changes: [] }])
  })

  it('moves children, each with its own outcome', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(linkItem, { id: 205, parentId: 102, childIds: [343, 344], relatedIds: [501] })
    expect(answer.results.map(({ id, status }: any) => [id, status])).toEqual([
      [205, 'applied'],
      [343, 'applied'],
      [344, 'applied'],
    ])
    for (const id of [343, 344]) expect(await readLinks(workspace, id)).toContain('parent 205')
    expect(await readLinks(workspace, 205)).toEqual(expect.arrayContaining(['parent 102', 'related 501']))
  })

  it('updates the cached items at both ends', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [343, 204, 205, 217, 211] })
    await workspace.run(linkItem, { id: 343, parentId: 205 })
    await workspace.run(linkItem, { id: 217, successorIds: [211] })
    expect(await workspace.run(getItem, { id: 343, cached: true })).toMatchObject({ parentId: 205 })
    const waiting = await workspace.run(getItem, { id: 211, cached: true })
    expect(waiting.blocked).toContainEqual(expect.objectContaining({ by: 'predecessor', itemId: 217 }))
    for (const id of [343, 204, 205, 217, 211]) expect(await isFresh(workspace, id), `#${id}`).toBe(true)
  })

  it.each([
    ['itself as parent', { id: 204, parentId: 204 }, 'Parent: #204 cannot be linked to itself'],
    ['itself as child', { id: 204, childIds: [204] }, 'Child: #204 cannot be linked to itself'],
    ['itself as related', { id: 204, relatedIds: [204] }, 'Related: #204 cannot be linked to itself'],
    [
      'a parent of a lower level',
      { id: 101, parentId: 343 },
      'Parent: #343 (Task) cannot be the parent of an item of type Feature',
    ],
    [
      'a child of a higher level',
      { id: 343, childIds: [101] },
      'Parent: #343 (Task) cannot be the parent of an item of type Feature',
    ],
    [
      'a predecessor that waits for it',
      { id: 204, predecessorIds: [206] },
      '#206 already waits for #204 (#206 → #204)',
    ],
    ['a successor that it waits for', { id: 206, successorIds: [204] }, '#206 already waits for #204 (#206 → #204)'],
    ['the same before and after it', { id: 211, predecessorIds: [219], successorIds: [219] }, 'must not form a circle'],
    ['an item that does not exist', { id: 204, predecessorIds: [9999] }, 'no work item 9999'],
    ['nothing', { id: 204 }, 'No link of work item 204 was specified'],
  ])('refuses %s before anything is sent', async (_, input, message) => {
    const workspace = await openTestWorkspace()
    const refused = expect.objectContaining({ message: expect.stringContaining(message) })
    await expect(workspace.run(linkItem, input)).rejects.toEqual(refused)
    expect(workspace.sandbox.requests.some(isPatch)).toBe(false)
  })

  it('refuses a circle over several items, of which the cache has only some', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(linkItem, { id: 205, parentId: 204 })
    await workspace.linkRemotely(211, 'System.LinkTypes.Dependency-Reverse', 219)
    await expect(workspace.run(linkItem, { id: 204, parentId: 205 })).rejects.toMatchObject({
      message: expect.stringContaining('#205 is already below #204'),
    })
    await workspace.run(linkItem, { id: 213, predecessorIds: [211] })
    await expect(workspace.run(linkItem, { id: 219, predecessorIds: [213] })).rejects.toMatchObject({
      message: expect.stringContaining('(#213 → #211 → #219)'),
    })
  })

  it('says how to open a circle', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(linkItem, { id: 204, predecessorIds: [206] })).rejects.toMatchObject({
      details: [{ path: 'Predecessor' }],
      hint: expect.arrayContaining([{ operation: 'items.unlink', input: { id: 206, predecessorIds: 204 } }]),
    })
  })

  it('looks for circles with one request, however long a cached chain is', async () => {
    const workspace = await openTestWorkspace()
    const chain = [217, 218, 219, 212, 213]
    for (const [at, id] of chain.slice(1).entries()) {
      await workspace.linkRemotely(chain[at]!, 'System.LinkTypes.Dependency-Reverse', id)
    }
    await workspace.run(importSingle, { ids: chain })
    workspace.asked()
    await workspace.run(linkItem, { id: 211, predecessorIds: [217] })
    const read = 'POST quayside/_apis/wit/workitemsbatch'
    // The item, the other end, the rest of the chain, and the item again just before the change.
    const asked = workspace.asked()
    expect(
      asked.slice(
        0,
        asked.findIndex((request) => request.startsWith('PATCH')),
      ),
    ).toEqual([read, read, read, read])
  })

  it('lets parent and child change places, because there is no circle afterwards', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(linkItem, { id: 205, parentId: 204 })
    expect(await workspace.run(linkItem, { id: 204, parentId: 101, childIds: [205] })).toMatchObject({ conflicts: 0 })
    await workspace.run(linkItem, { id: 205, parentId: 101, childIds: [204] })
    expect(await readLinks(workspace, 204)).toContain('parent 205')
  })

  it('reports a conflict if another user has moved the item since it was cached', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [343] })
    await moveRemotely(workspace, 343, 206)
    const answer = await workspace.run(linkItem, { id: 343, parentId: 205 })
    expect(answer.results).toMatchObject([
      { status: 'conflict', message: expect.stringContaining('Parent from 204 to 206') },
    ])
    expect(await readLinks(workspace, 343)).toContain('parent 206')
    expect(await workspace.run(linkItem, { id: 343, parentId: 205 })).toMatchObject({ applied: 1 })
  })
})

describe('unlinkItem', () => {
  it('removes exactly the named links', async () => {
    const workspace = await openTestWorkspace()
    const before = await readLinks(workspace, 206)
    const answer = await workspace.run(unlinkItem, { id: 206, predecessorIds: [204, 9998] })
    expect(answer.results).toMatchObject([
      { status: 'applied', changes: [{ field: 'Predecessor', from: 204, to: null }] },
    ])
    expect(await readLinks(workspace, 206)).toEqual(before.filter((link) => link !== 'predecessor 204'))
  })

  it('removes the parent, but only the named one', async () => {
    const workspace = await openTestWorkspace()
    expect((await workspace.run(unlinkItem, { id: 343, parentId: 205 })).results).toMatchObject([
      { message: 'its links needed no change' },
    ])
    await workspace.run(unlinkItem, { id: 204, childIds: [343] })
    expect(await readLinks(workspace, 343)).not.toContain('parent 204')
    await workspace.run(unlinkItem, { id: 344, parentId: 204 })
    expect(await readLinks(workspace, 344)).not.toContain('parent 204')
  })

  it('reports that the links moved if another user removes one between reading and sending', async () => {
    const hasRead = { done: false }
    const workspace: TestWorkspace = await openTestWorkspace({
      faults: (request) =>
        request.method === 'PATCH' && !hasRead.done && request.body.includes('"remove"')
          ? {
              async respond({ request, dispatch }) {
                hasRead.done = true
                const body = JSON.stringify([{ op: 'remove', path: '/relations/0' }])
                await dispatch({ ...request, body })
                return dispatch(request)
              },
            }
          : null,
    })
    await workspace.run(linkItem, { id: 206, relatedIds: [501, 502] })
    const last = 'related 501'
    expect(await readLinks(workspace, 206)).toContain(last)
    const answer = await workspace.run(unlinkItem, { id: 206, relatedIds: [501] })
    expect(answer.results).toMatchObject([
      { status: 'unknown', message: expect.stringContaining('still has the link to #501') },
    ])
  })
})

describe('a change of links without a response', () => {
  const patch = /workitems\/343/

  it('is found by its links, also if the response shows none', async () => {
    const dropLinks = (answer: { body: string }) => {
      const { relations: _, ...item } = JSON.parse(answer.body)
      return { ...answer, body: JSON.stringify(item) } as never
    }
    for (const fault of [resetAfter(), { editResponse: dropLinks }]) {
      const workspace = await openTestWorkspace({ faults: [{ method: 'PATCH', path: patch, fault }] })
      const answer = await workspace.run(unlinkItem, { id: 343, parentId: 204 })
      expect(answer.results).toMatchObject([{ status: 'applied' }])
      expect(await readLinks(workspace, 343)).not.toContain('parent 204')
    }
  })

  it.each([
    ['was made', resetAfter(), 'applied', 205],
    ['was not made', resetBefore(), 'unknown', 204],
    ['was refused for the moment', respondUnavailable(), 'applied', 205],
  ])('%s', async (_, fault, status, parent) => {
    const workspace = await openTestWorkspace({ faults: [{ method: 'PATCH', path: patch, nth: 1, fault }] })
    const answer = await workspace.run(linkItem, { id: 343, parentId: 205 })
    expect(answer.results).toMatchObject([{ status }])
    expect(await readLinks(workspace, 343)).toContain(`parent ${parent}`)
  })
})

describe('two changes of links at once', () => {
  it('leave one parent and all other links', async () => {
    const workspace = await openTestWorkspace()
    const answers = await Promise.all([
      workspace.run(linkItem, { id: 343, parentId: 205 }),
      workspace.run(linkItem, { id: 343, parentId: 206, relatedIds: [501] }),
      workspace.run(linkItem, { id: 343, relatedIds: [502] }),
    ])
    const links = await readLinks(workspace, 343)
    expect(links.filter((link) => link.startsWith('parent'))).toHaveLength(1)
    expect(links).toContain('related 502')
    const applied = answers.filter((answer) => answer.applied === 1)
    expect(applied.length).toBeGreaterThanOrEqual(2)
  })
})

describe('Parent in batchUpdate', () => {
  it('moves all items, together with fields', async () => {
    const workspace = await openTestWorkspace()
    const updates = { parent: '#205', Priority: 1 }
    const answer = await workspace.run(batchUpdate, { itemIds: [343, 344], updates })
    expect(answer).toMatchObject({ applied: 2 })
    expect(answer.results[0].changes).toContainEqual({ field: 'Parent', from: 204, to: 205, storedAs: null })
    expect(await workspace.run(getItem, { id: 344 })).toMatchObject({ parentId: 205, priority: 1 })
  })

  it('is removed by an empty value', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(batchUpdate, { itemIds: [343], fields: { 'System.Parent': null } })
    expect(await workspace.run(getItem, { id: 343 })).toMatchObject({ parentId: null })
  })

  it('is refused for all items if it is wrong for one', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(batchUpdate, { itemIds: [343, 205], updates: { Parent: 343 } })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'Parent' }, { path: 'Parent' }],
    })
    await expect(workspace.run(batchUpdate, { itemIds: [343], updates: { Parent: 'story' } })).rejects.toMatchObject({
      details: [{ path: 'updates.Parent', message: expect.stringContaining('must be the ID') }],
    })
    expect(workspace.sandbox.requests.some(isPatch)).toBe(false)
  })
})

/** Moves an item below another parent, as another user does. */
async function moveRemotely({ sandbox }: TestWorkspace, id: number, parentId: number): Promise<void> {
  const address = `${sandbox.url}/_apis/wit/workitems/${id}?$expand=relations&api-version=7.1`
  const { relations } = (await (await fetch(address)).json()) as { relations: { rel: string }[] }
  const at = relations.findIndex(({ rel }) => rel.endsWith('Hierarchy-Reverse'))
  const value = { rel: 'System.LinkTypes.Hierarchy-Reverse', url: `${sandbox.url}/_apis/wit/workItems/${parentId}` }
  const response = await fetch(address, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: JSON.stringify([
      { op: 'remove', path: `/relations/${at}` },
      { op: 'add', path: '/relations/-', value },
    ]),
  })
  expect(response.status).toBe(200)
  sandbox.requests.length = 0
}
