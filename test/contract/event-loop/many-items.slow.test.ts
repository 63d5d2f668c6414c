import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../../src/catalog'
import { pages } from '../../../src/console/routes'
import { deriveActions } from '../../../src/mcp/actions'
import { dateAhead } from '../../console/console-fixtures'
import type { Program } from '../program'
import { MAX_HOLD_MS, measureHold, startWatchedService, type WatchedService } from './watched-service'

const ITEMS = 20_000
/** The ID of an item that the tracker of the settings does not number. */
const LOCAL_NUMBER = 1_000_000_001

const states = ['New', 'Active', 'Resolved', 'Closed']
const HEAD =
  'ID,Rev,Work Item Type,Title 1,Title 2,Title 3,Assigned To,State,Story Points,Priority,Changed Date,Iteration Path,Tags'

/** Half of the items are in one tree, the others in trees of ten. */
function row(n: number): string {
  const isRoot = n === 0 || (n > ITEMS / 2 && n % 10 === 0)
  const isTask = n < ITEMS / 2 && n % 5 !== 1
  const title = `Item ${n} of the late orders that the dock confirms`
  const titles = isRoot ? `${title},,` : isTask ? `,,${title}` : `,${title},`
  const type = isRoot ? 'Feature' : isTask ? 'Task' : 'User Story'
  const date = `11/${String(1 + (n % 17)).padStart(2, '0')}/2026 3:04:05 PM`
  const id = n === ITEMS - 1 ? LOCAL_NUMBER : 1_000 + n
  const person = `P${n % 50} Q <p${n % 50}@example.com>`
  return `${id},1,${type},${titles},"${person}",${states[n % 4]},${isRoot ? '' : n % 6},${1 + (n % 4)},${date},Sprint ${n % 30},t${n % 40}; u${n % 7}`
}

async function importManyItems(studio: Program): Promise<void> {
  const path = join(studio.home, 'many.csv')
  await writeFile(path, [HEAD, ...Array.from({ length: ITEMS }, (_, n) => row(n))].join('\n'))
  const { added } = await studio.json(['import', '--file', path])
  expect(added).toBe(ITEMS)
}

const operations = (await loadAllOperations()).filter((op) => op.http)
const byId = (id: string) => operations.find((op) => op.id === id)!

/** They refuse an empty input that fits their schema. */
const NEED_INPUT = ['items.select', 'chat.stream', 'reports.forecast']

/** The operations that read the workspace and need no input. */
const reads = operations.filter(
  ({ id, access, effect, input }) =>
    access === 'workspace' && effect === 'read' && input.safeParse({}).success && !NEED_INPUT.includes(id),
)

/** The same with an input that makes them read or sort more, and others that read all items. */
const calls: (readonly [id: string, input: Record<string, unknown>])[] = [
  ...reads.map(({ id }) => [id, {}] as const),
  ['items.list', { search: 'confirms' }],
  ['items.list', { state: 'Active,Closed', tag: 't1', search: 'nothing' }],
  ['items.list', { sort: 'assignedTo,-changedAt' }],
  ['items.select', { query: '"Item 199"' }],
  ['filters.set-working', { criteria: { search: 'Item 199' } }],
  ['filters.working', {}],
  ['items.select', { filter: 'working' }],
  ['items.sync', {}],
  ['reports.hierarchy', { featureId: 1_000 }],
  ['reports.briefing', { mode: 'deterministic', explain: true }],
  ['reports.briefing', { mode: 'deterministic', featureIds: [1_000], since: '2026-11-01' }],
  ['reports.forecast', { featureIds: [1_000], by: dateAhead(100), backtest: true }],
  ['priorities.set', { designated: [1_000] }],
]

let service: WatchedService
beforeAll(async () => {
  service = await startWatchedService(importManyItems)
})
afterAll(() => service.close())

/** Expects an answer, or a refusal where a tracker or a model is missing, and that other calls run meanwhile. */
async function expectTurns(send: () => Promise<Response>): Promise<void> {
  await service.takeLongestHold()
  const { status, heldMs } = await measureHold(service, send)
  expect([200, 409, 503]).toContain(status)
  expect(heldMs).toBeLessThanOrEqual(MAX_HOLD_MS)
}

describe('with 20,000 work items, other calls run during', () => {
  it.each(calls)('%s %o', async (id, input) => {
    await expectTurns(() => service.call(byId(id), input))
  })

  const paths = Object.keys(pages).filter((path) => !/:|\/docks|\/settings|\/appointments/.test(path))
  const sorted = `/console/work?view=list&sort=${'points,'.repeat(2_000)}`
  const others = ['?view=list', '?q=orders', '?feature=1000', '/items/1000'].map((end) => `/console/work${end}`)
  it.each([...paths, ...others, sorted])('the page %s', async (path) => {
    await expectTurns(() => service.fetch(path))
  })

  const tools = new Map(deriveActions(operations).map(({ id, tool }) => [id, tool.name]))
  it.each(calls.filter(([id]) => tools.has(id)))('the action %s %o of an agent', async (action, input) => {
    const params = { name: tools.get(action), arguments: { action, ...input } }
    await expectTurns(() =>
      service.fetch('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      }),
    )
  })
})
