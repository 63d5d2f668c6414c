import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadTask } from '../../../src/background/tasks'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { getItem } from '../../../src/items/operations/get-item'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { resolveUpdates } from '../../../src/items/rules/update-fields'
import { sendUpdates } from '../../../src/items/services/update/send-updates'
import { type Background, StudioError } from '../../../src/kernel'
import { bigTree } from '../../bench/workspace-tree'
import { failBatchAtomically, resetBefore, respondSignInPage } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

describe('batchUpdate', () => {
  it('updates all items, caches the result and returns each revision', async () => {
    const workspace = await openTestWorkspace()
    const before = await workspace.run(getItem, { id: 344 })
    const answer = await workspace.run(batchUpdate, { itemIds: [343, 344], updates: { State: 'Active', priority: 1 } })
    expect(answer).toMatchObject({
      requested: 2,
      applied: 2,
      results: [{ id: 343 }, { id: 344, status: 'applied', rev: before.rev + 1 }],
    })
    const after = await workspace.run(getItem, { id: 344, cached: true })
    expect(after).toMatchObject({ state: 'Active', stateCategory: 'InProgress', priority: 1, localRev: before.rev + 1 })
  })

  it('sends nothing for an item that has the values already', async () => {
    const workspace = await openTestWorkspace()
    const { rev, state } = await workspace.run(getItem, { id: 343 })
    const answer = await workspace.run(batchUpdate, { itemIds: [343], fields: { state } })
    expect(answer.results).toEqual([
      { id: 343, reference: '#343', status: 'applied', rev, message: 'had these values already', changes: [] },
    ])
  })

  it('sends nothing at all if one value is not allowed for one item', async () => {
    const workspace = await openTestWorkspace()
    const before = await workspace.run(getItem, { id: 343 })
    await expect(
      workspace.run(batchUpdate, { itemIds: [343, 204], updates: { State: 'Resolved' } }),
    ).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('not a state of a Task'),
    })
    expect(workspace.sandbox.requests.filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(await workspace.run(getItem, { id: 343 })).toMatchObject({ rev: before.rev })
  })

  it('shows the changes in a dry run', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(batchUpdate, { itemIds: [344], updates: { State: 'Active' }, dryRun: true })
    expect(answer.results[0].changes).toEqual([{ field: 'State', from: 'New', to: 'Active', storedAs: null }])
    expect(workspace.sandbox.requests.some(({ method }) => method === 'PATCH')).toBe(false)
  })

  it('converts a long text from Markdown to what the item stores', async () => {
    const workspace = await openTestWorkspace()
    const markdown = '## Steps\n\n- [x] drive **in**\n- [ ] `unload`\n  1. door\n\n| a | b |\n| - | - |\n| 1 | 2 |'
    const updates = { Description: markdown }
    const preview = await workspace.run(batchUpdate, { itemIds: [204], updates, dryRun: true })
    expect(preview.results[0].changes).toMatchObject([{ field: 'Description', to: markdown, storedAs: 'html' }])
    expect(preview.results[0].changes[0].from).toContain('As a **driver**')
    await workspace.run(batchUpdate, { itemIds: [204], updates })
    const stored = await workspace.run(getItem, { id: 204 })
    expect(stored).toMatchObject({
      descriptionFormat: 'html',
      description: expect.stringContaining('<li>☑ drive <strong>in</strong></li>'),
    })
    const again = await workspace.run(batchUpdate, { itemIds: [204], updates })
    expect(again.results).toMatchObject([{ rev: stored.rev, message: 'had these values already', changes: [] }])
  })

  it('sends Markdown as it is to an item that stores Markdown', async () => {
    const workspace = await openTestWorkspace()
    const markdownItem = (
      await Promise.all(
        [204, 205, 206, 207, 208, 209, 210, 211].map((id) => workspace.run(getItem, { id }).catch(() => null)),
      )
    ).find((item: any) => item?.descriptionFormat === 'markdown')
    expect(markdownItem).toBeDefined()
    await workspace.run(batchUpdate, { itemIds: [markdownItem.id], updates: { Description: 'Now **bold**' } })
    expect(await workspace.run(getItem, { id: markdownItem.id })).toMatchObject({
      description: 'Now **bold**',
      descriptionFormat: 'markdown',
    })
  })

  it('makes the name of a person in the items a mention', async () => {
    const workspace = await openTestWorkspace()
    const { assignedTo } = await workspace.run(getItem, { id: 204 })
    await workspace.run(batchUpdate, {
      itemIds: [204],
      updates: { Description: `@${assignedTo.displayName}, please check.` },
    })
    const { description } = await workspace.run(getItem, { id: 204 })
    expect(description).toMatch(/^<p><a href="#" data-vss-mention="version:2\.0,[\w-]+">@/)
  })

  it('returns an outcome for each item, also for those that do not exist', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(batchUpdate, { itemIds: [343, 99998, 344, 99999], updates: { Priority: 4 } })
    expect(answer).toMatchObject({ requested: 4, applied: 2, rejected: 2 })
    expect(answer.results.map(({ id, status }: any) => [id, status])).toEqual([
      [343, 'applied'],
      [99998, 'rejected'],
      [344, 'applied'],
      [99999, 'rejected'],
    ])
  })
})

describe('updating an item that another user changes meanwhile', () => {
  const staleUpdate = async (remote: Record<string, unknown>) => {
    const workspace = await openTestWorkspace()
    const ctx = { ...workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }) }
    const tracker = await ctx.tracker()
    const read = await tracker.getItem(343, ctx.signal)
    await workspace.changeRemotely(343, remote)
    const { requested: updates } = resolveUpdates(
      { updates: { Priority: 1 } },
      await tracker.describeProcess(ctx.signal),
      null,
    )
    const { outcomes } = await sendUpdates(ctx, { tracker }, { items: [read], fields: updates })
    return { outcome: outcomes.get(343), now: await tracker.getItem(343, ctx.signal), read }
  }

  it('succeeds if other fields were changed, and leaves those', async () => {
    const { outcome, now, read } = await staleUpdate({ 'System.Title': 'Another title' })
    expect(outcome).toEqual({ status: 'applied', rev: read.rev + 2, message: null })
    expect(now).toMatchObject({ title: 'Another title', priority: 1 })
  })

  it('is a conflict if the same field was changed, which stays', async () => {
    const { outcome, now } = await staleUpdate({ 'Microsoft.VSTS.Common.Priority': 4 })
    expect(outcome).toMatchObject({ status: 'conflict' })
    expect(now.priority).toBe(4)
  })
})

describe('sending an item again after a conflict', () => {
  it.each([
    ['cannot be read again', 'workitemsbatch'],
    ['cannot be sent again', '/workitems/343'],
  ])('reports what was done if it %s', async (_, stopped) => {
    let isSent = false
    const workspace = await openTestWorkspace({
      faults: ({ path }) => {
        if (path.includes('$batch')) isSent = true
        return isSent && path.includes(stopped) ? respondSignInPage() : null
      },
    })
    const ctx = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    const tracker = await ctx.tracker()
    const { items } = await tracker.getItems([343, 344], { signal: ctx.signal })
    await workspace.changeRemotely(343, { 'System.Title': 'Another title' })
    const { requested: updates } = resolveUpdates(
      { updates: { Priority: 4 } },
      await tracker.describeProcess(ctx.signal),
      null,
    )
    const sent = await sendUpdates(ctx, { tracker }, { items, fields: updates })
    expect(sent.outcomes.get(344)).toMatchObject({ status: 'applied' })
    expect(sent.outcomes.get(343)).toMatchObject({
      status: 'notAttempted',
      message: expect.stringMatching(/changed the item, and it was not sent again: .*token/),
    })
    expect(sent.items.map(({ id }) => id)).toContain(344)
  })

  it('reports what was done if the caller leaves while it is compared', async () => {
    const workspace = await openTestWorkspace()
    const leaving = new AbortController()
    const background: Background = {
      async run(name, args, { signal }) {
        signal.throwIfAborted()
        return (await loadTask(name))(...args)
      },
    }
    const { studio } = workspace
    const actor = { kind: 'terminal' as const, tenant: 'default' }
    const ctx = { ...studio.context({ actor, signal: leaving.signal }), background }
    const tracker = await ctx.tracker()
    const { items } = await tracker.getItems([343, 344], { signal: ctx.signal })
    await workspace.changeRemotely(343, { 'System.Title': 'Another title' })
    const text = 'x'.repeat(20_000)
    const { requested: updates } = resolveUpdates(
      { updates: { Description: text } },
      await tracker.describeProcess(ctx.signal),
      null,
    )
    const reread = vi.spyOn(tracker, 'getItems').mockImplementationOnce(async (...request) => {
      const found = await tracker.getItems(...request)
      leaving.abort()
      return found
    })
    onTestFinished(() => reread.mockRestore())
    const sent = await sendUpdates(ctx, { tracker }, { items, fields: updates })
    expect(sent.outcomes.get(344)).toMatchObject({ status: 'applied' })
    expect(sent.outcomes.get(343)).toMatchObject({
      status: 'notAttempted',
      message: 'Another user changed the item, and it was not sent again: Interrupted.',
    })
  })
})

describe('values in another letter case than the process uses', () => {
  it('are equal', async () => {
    const workspace = await openTestWorkspace()
    const { rev } = await workspace.run(getItem, { id: 204 })
    const updates = { state: 'aCTIVE', 'Assigned To': 'JONAS.LINDQVIST@quayside.example' }
    const answer = await workspace.run(batchUpdate, { itemIds: [204], updates })
    expect(answer.results).toEqual([
      { id: 204, reference: '#204', status: 'applied', rev, message: 'had these values already', changes: [] },
    ])
    expect(workspace.sandbox.requests.filter(({ method }) => method === 'PATCH')).toEqual([])
  })
})

describe('updating an item that has changed since its snapshot', () => {
  it('succeeds if other fields have changed, and caches those too', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(getItem, { id: 343 })
    await workspace.changeRemotely(343, { 'System.Title': 'Another title' })
    expect(await workspace.run(batchUpdate, { itemIds: [343], updates: { Priority: 1 } })).toMatchObject({ applied: 1 })
    expect(await workspace.run(getItem, { id: 343, cached: true })).toMatchObject({
      title: 'Another title',
      priority: 1,
    })
  })

  it('does not overwrite a change that the snapshot lacks, reports it, and accepts a second attempt', async () => {
    const workspace = await openTestWorkspace()
    const { rev } = await workspace.run(getItem, { id: 343 })
    await workspace.changeRemotely(343, { 'Microsoft.VSTS.Common.Priority': 4 })
    const update = { itemIds: [343], updates: { Priority: 1 } }
    const dry = await workspace.run(batchUpdate, { ...update, dryRun: true })
    expect(dry.results[0]).toMatchObject({ status: 'conflict' })
    const first = await workspace.run(batchUpdate, update)
    expect(first).toMatchObject({ conflicts: 1, results: [{ status: 'conflict', rev: rev + 1 }] })
    expect(first.results[0].message).toMatch(/Priority from \d to 4/)
    expect(await workspace.run(getItem, { id: 343, cached: true })).toMatchObject({ priority: 4 })
    expect(await workspace.run(batchUpdate, update)).toMatchObject({ applied: 1 })
  })

  it('sends nothing if another user made the same change', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(getItem, { id: 344 })
    await workspace.changeRemotely(344, { 'System.State': 'Active' })
    expect(await workspace.run(batchUpdate, { itemIds: [344], updates: { State: 'Active' } })).toMatchObject({
      applied: 1,
      results: [{ message: 'had these values already' }],
    })
  })
})

describe('updating hundreds of items', () => {
  const SIZE = 1_000

  it('takes two bulk requests for two hundred items, and few others', async () => {
    const workspace = await openTestWorkspace({ seed: bigTree(SIZE) })
    const itemIds = Array.from({ length: SIZE }, (_, i) => i + 1)
    const answer = await workspace.run(batchUpdate, { itemIds, updates: { Iteration: 'Big', 'Assigned To': '' } })
    expect(answer).toMatchObject({ requested: SIZE, applied: SIZE })
    expect(workspace.asked().length).toBeLessThanOrEqual((2 * SIZE) / 200 + 4)
  })

  it('returns an outcome for each item if the tracker applies a bulk request entirely or not at all', async () => {
    const workspace = await openTestWorkspace({ faults: [{ path: /\$batch/, fault: failBatchAtomically() }] })
    await workspace.run(importSingle, { ids: [343, 344] })
    const answer = await workspace.run(batchUpdate, { itemIds: [343, 344, 99_999], updates: { Priority: 4 } })
    expect(answer).toMatchObject({ requested: 3, applied: 2, rejected: 1 })
  })

  it('stops when the token expires, and separates what was applied from what was not attempted', async () => {
    let bulks = 0
    const workspace = await openTestWorkspace({
      seed: bigTree(600),
      faults: ({ path }) => (path.includes('$batch') && ++bulks > 1 ? respondSignInPage() : null),
    })
    const itemIds = Array.from({ length: 600 }, (_, i) => i + 1)
    const answer = await workspace.run(batchUpdate, { itemIds, updates: { Title: 'Another title' } })
    expect(answer).toMatchObject({ applied: 200, notAttempted: 400 })
    expect(answer.results[599]).toMatchObject({ status: 'notAttempted', message: expect.stringContaining('token') })
  })

  it.each([
    ['has done', undefined, 'applied', { updated: 2 }],
    ['has not answered', [{ path: /\$batch/, fault: resetBefore() }], 'unknown', { updated: 0 }],
  ])('reports what the tracker %s, also if it cannot be cached', async (_, faults, status, afterwards) => {
    const workspace = await openTestWorkspace({ faults })
    await workspace.run(importSingle, { ids: [343, 344] })
    const context = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    const full = async () => Promise.reject(new StudioError('disk_full', 'The disk is full; nothing was changed.'))
    const input = batchUpdate.input.parse({ itemIds: [343, 344], updates: { Priority: 4 } })
    const { results } = await batchUpdate.run(
      { ...context, db: { ...workspace.studio.db, read: (work) => workspace.studio.db.read(work), write: full } },
      input,
    )
    expect(results.map((result) => result.status)).toEqual([status, status])
    for (const { message } of results) expect(message).toMatch(/The disk is full\.$/)
    expect(await workspace.run(syncItems, {})).toMatchObject(afterwards)
  })
})
