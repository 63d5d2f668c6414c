import { describe, expect, it } from 'vitest'
import { batchUpdate } from '../../../src/workspace/operations/batch-update'
import { getItem } from '../../../src/workspace/operations/get-item'
import { resolveUpdates } from '../../../src/workspace/rules/update-fields'
import { sendUpdates } from '../../../src/workspace/send-updates'
import { openDesk } from './desk'

describe('updating many items', () => {
  it('applies to all, keeps what the tracker has then, and says each revision', async () => {
    const desk = await openDesk()
    const before = await desk.run(getItem, { id: 344 })
    const answer = await desk.run(batchUpdate, { itemIds: [343, 344], updates: { State: 'Active', priority: 1 } })
    expect(answer).toMatchObject({
      requested: 2,
      applied: 2,
      results: [{ id: 343 }, { id: 344, status: 'applied', rev: before.rev + 1 }],
    })
    const after = await desk.run(getItem, { id: 344, cached: true })
    expect(after).toMatchObject({ state: 'Active', stateCategory: 'InProgress', priority: 1, localRev: before.rev + 1 })
  })

  it('sends nothing to an item that has the values already', async () => {
    const desk = await openDesk()
    const { rev, state } = await desk.run(getItem, { id: 343 })
    const answer = await desk.run(batchUpdate, { itemIds: [343], fields: { state } })
    expect(answer.results).toEqual([
      { id: 343, status: 'applied', rev, message: 'had these values already', changes: [] },
    ])
  })

  it('sends nothing at all when one value is not allowed for one item', async () => {
    const desk = await openDesk()
    const before = await desk.run(getItem, { id: 343 })
    await expect(desk.run(batchUpdate, { itemIds: [343, 204], updates: { State: 'Resolved' } })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('not a state of a Task'),
    })
    expect(desk.sandbox.requests.filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(await desk.run(getItem, { id: 343 })).toMatchObject({ rev: before.rev })
  })

  it('shows what it would do', async () => {
    const desk = await openDesk()
    const answer = await desk.run(batchUpdate, { itemIds: [344], updates: { State: 'Active' }, dryRun: true })
    expect(answer.results[0].changes).toEqual([{ field: 'State', from: 'New', to: 'Active' }])
    expect(desk.sandbox.requests.some(({ method }) => method === 'PATCH')).toBe(false)
  })

  it('gives an outcome for each of many, those among them that do not exist', async () => {
    const desk = await openDesk()
    const answer = await desk.run(batchUpdate, { itemIds: [343, 99998, 344, 99999], updates: { Priority: 4 } })
    expect(answer).toMatchObject({ requested: 4, applied: 2, rejected: 2 })
    expect(answer.results.map(({ id, status }: any) => [id, status])).toEqual([
      [343, 'applied'],
      [99998, 'rejected'],
      [344, 'applied'],
      [99999, 'rejected'],
    ])
  })
})

describe('updating an item that somebody else changes meanwhile', () => {
  const staleUpdate = async (remote: Record<string, unknown>) => {
    const desk = await openDesk()
    const ctx = { ...desk.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }) }
    const tracker = await ctx.tracker()
    const read = await tracker.getItem(343, ctx.signal)
    await desk.changeRemotely(343, remote)
    const updates = resolveUpdates({ updates: { Priority: 1 } }, await tracker.describeProcess(ctx.signal), null)
    const { outcomes } = await sendUpdates(ctx, [read], updates)
    return { outcome: outcomes.get(343), now: await tracker.getItem(343, ctx.signal), read }
  }

  it('goes through where other fields were changed, and keeps those', async () => {
    const { outcome, now, read } = await staleUpdate({ 'System.Title': 'Another title' })
    expect(outcome).toEqual({ status: 'applied', rev: read.rev + 2, message: null })
    expect(now).toMatchObject({ title: 'Another title', priority: 1 })
  })

  it('is a conflict where the same field was changed, which stays', async () => {
    const { outcome, now } = await staleUpdate({ 'Microsoft.VSTS.Common.Priority': 4 })
    expect(outcome).toMatchObject({ status: 'conflict' })
    expect(now.priority).toBe(4)
  })
})
