import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../../src/catalog'
import type { AnyOperation } from '../../../src/kernel'
import { fillers, fillText, hardKinds, largestInputs } from './largest-inputs'
import { startWatchedService, type WatchedService } from './watched-service'

/** No call may hold the event loop for longer, in milliseconds of the processor: all others wait. */
const MAX_HOLD_MS = 250

const operations = (await loadAllOperations()).filter((op) => op.http)
const byId = (id: string): AnyOperation => operations.find((op) => op.id === id)!

/** `npm run faults` tries all kinds of text. */
const kinds = process.env['STUDIO_FAULTS'] === 'long' ? Object.keys(fillers) : hardKinds

let service: WatchedService
beforeAll(async () => {
  service = await startWatchedService()
})
afterAll(() => service.close())

/** Runs each call, and lists those that held the event loop for too long or broke the service. */
async function listHolds(calls: Iterable<{ label: string; send: () => Promise<Response> }>): Promise<string[]> {
  const holds: string[] = []
  for (const { label, send } of calls) {
    const { status } = await send().then(async (answer) => {
      await answer.arrayBuffer()
      return answer
    })
    const heldMs = await service.takeLongestHold()
    if (heldMs > MAX_HOLD_MS) holds.push(`${label} -> ${status}: ${heldMs} ms`)
    if (status >= 500 && status !== 503) holds.push(`${label} -> ${status}`)
  }
  return holds
}

describe('the largest input that the schema of an operation accepts', () => {
  it.each(operations.map((op) => [op.id, op] as const))('%s lets other calls run', async (_id, op) => {
    // The first call loads the operation.
    await (await service.call(op, {})).arrayBuffer()
    await service.takeLongestHold()
    const bytes = op.http!.method === 'get' || op.http!.method === 'delete' ? 14_000 : 1024 * 1024
    const calls = largestInputs(op, bytes).map(({ label, input }) => ({
      label: `${op.id} ${label}`,
      send: () => service.call(op, input),
    }))
    expect(await listHolds(calls)).toEqual([])
  })
})

describe('a text of nearly a megabyte', () => {
  it.each(kinds)('of %s can be saved, shown, searched, copied and published', async (kind) => {
    const text = fillText(kind, 950_000)
    const send = (id: string, input: Record<string, unknown>) => service.call(byId(id), input)
    const saved: any = await (await send('drafts.save', { title: `Large ${kind}`, description: text })).json()
    const created = await send('items.create', {
      type: 'User Story',
      title: `Large ${kind}`,
      updates: { description: text },
    })
    const { id: itemId }: any = await created.json()
    expect([saved.id, itemId]).toEqual([expect.any(Number), expect.any(Number)])
    await service.takeLongestHold()
    const call = (id: string, input: Record<string, unknown>) => ({ label: id, send: () => send(id, input) })
    const page = (path: string) => ({ label: path.replace(/\d+/, 'N'), send: () => service.fetch(path) })
    const holds = await listHolds([
      call('drafts.save', { id: saved.id, description: `${text.slice(10)} end` }),
      call('drafts.get', { id: saved.id }),
      call('drafts.history', { id: saved.id }),
      call('drafts.undo', { id: saved.id }),
      call('items.publish-draft', { id: saved.id, type: 'User Story', dryRun: true }),
      page(`/console/drafts/${saved.id}`),
      call('items.get', { id: itemId, cached: true }),
      call('items.sync', { itemIds: [itemId] }),
      call('items.batch-update', { itemIds: [itemId], updates: { description: text.slice(20) }, dryRun: true }),
      call('drafts.copy-sanitize', { id: itemId }),
      page(`/console/work/items/${itemId}`),
      page(`/console/work/items/${itemId}/copy`),
      call('search.fast', { q: 'word1 a' }),
      call('search.fast', { q: '"word1 word2"' }),
    ])
    await send('drafts.delete', { id: saved.id })
    expect(holds).toEqual([])
  })
})

describe('a caller who leaves', () => {
  it('ends the conversion of its text, and that of others goes on', async () => {
    const send = (id: string, input: Record<string, unknown>) => service.call(byId(id), input)
    const saved: any = await (
      await send('drafts.save', { title: 'Left', description: fillText('brackets', 950_000) })
    ).json()
    const path = `/console/drafts/${saved.id}`
    for (let i = 0; i < 3; i++) {
      const leaving = service.fetch(path, { signal: AbortSignal.timeout(100) })
      await expect(leaving).rejects.toThrow()
    }
    const comment = { id: 204, text: fillText('paragraphs', 90_000), dryRun: true }
    expect((await send('items.comment', comment)).status).toBe(200)
    expect((await service.fetch(path)).status).toBe(200)
    await send('drafts.delete', { id: saved.id })
  })
})
