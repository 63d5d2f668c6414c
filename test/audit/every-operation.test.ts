import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { createToken } from '../../src/access/operations/create-token'
import { listAudit } from '../../src/audit/operations/list-audit'
import type { AuditEntry } from '../../src/audit/schemas'
import { loadAllOperations } from '../../src/catalog'
import { actionMessage } from '../../src/console/actions/run-action'
import { exampleInput } from '../../src/http/discovery/example-input'
import { type AnyOperation, execute, recordingTimeOf, type Surface } from '../../src/kernel'
import { deriveActions } from '../../src/mcp/actions'
import { call } from '../http/served'
import { openService, type Service } from './service'

const operations = await loadAllOperations()
const actions = new Map(deriveActions(operations).map((action) => [action.id, action]))

/** Texts of a caller, which no entry may have. */
const HIDDEN = 'hidden-words'
const texts = ['title', 'description', 'acceptanceCriteria', 'text', 'note', 'reason', 'carrierName', 'name', 'lane']

/** Inputs of operations whose examples need files, or leave out what the schema requires. */
const inputs: Record<string, () => Record<string, unknown>> = {
  'items.import-file': () => ({
    text: JSON.stringify([{ id: 900, type: 'Bug', title: HIDDEN, state: 'New' }]),
    name: 'items.json',
    modifiedAt: '2026-01-01T00:00:00Z',
  }),
  'appointments.import': () => ({ text: JSON.stringify({ carrierName: HIDDEN }), facilityCode: 'DC1' }),
  'yard.import': () => ({ text: JSON.stringify({ carrierName: HIDDEN }), facilityCode: 'DC1' }),
  'appointments.archive': () => ({
    file: join(mkdtempSync(join(tmpdir(), 'audit-')), `${HIDDEN}.gz`),
    before: '2020-01-01',
  }),
  'appointments.unarchive': () => ({ file: `/nowhere/${HIDDEN}.gz` }),
  'storage.restore': () => ({ file: `/nowhere/${HIDDEN}.db` }),
  'storage.migrate': () => ({ to: join(mkdtempSync(join(tmpdir(), 'audit-')), `${HIDDEN}.db`) }),
  'system.doctor': () => ({ repair: true, offline: true }),
  'drafts.refine': () => ({ id: 1, promptId: 'story', apply: true }),
}

function inputFor(op: AnyOperation): Record<string, unknown> {
  const input = inputs[op.id]?.() ?? exampleInput(op) ?? {}
  for (const field of texts) {
    const candidate = { ...input, [field]: HIDDEN }
    if (field in op.input.shape && !(op.id in inputs) && op.input.safeParse(candidate).success) input[field] = HIDDEN
  }
  const { dryRun: _, planId: __, ...rest } = input
  return rest
}

function isRecorded(op: AnyOperation): boolean {
  return recordingTimeOf(op, inputFor(op)) !== 'none'
}

let service: Service
beforeAll(async () => {
  service = await openService()
})

/** Calls the operation the way of a surface. The ID of the request is the one in the entry. */
const ways: Partial<Record<Surface, (op: AnyOperation, requestId: string) => Promise<unknown>>> = {
  async cli(op, requestId) {
    const origin = { surface: 'cli', requestId, address: 'machine' } as const
    const context = service.studio.context({ actor: { kind: 'terminal', tenant: 'default' }, origin })
    return execute(op, inputFor(op), context).catch((error) => error)
  },
  async http(op, requestId) {
    if (!op.http) return null
    const rest = new Map(Object.entries(inputFor(op)))
    const path = op.http.path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = rest.get(name)
      rest.delete(name)
      return encodeURIComponent(String(value))
    })
    const hasBody = op.http.method !== 'get' && op.http.method !== 'delete'
    const names = op.http.query ?? {}
    const query = new URLSearchParams(
      [...rest].map(([name, value]): [string, string] => [
        Object.keys(names).find((wire) => names[wire] === name) ?? name,
        String(value),
      ]),
    )
    return call({
      host: '127.0.0.1',
      port: service.port,
      method: op.http.method.toUpperCase(),
      path: hasBody ? path : `${path}?${query}`,
      headers: { ...service.credentials, 'x-request-id': requestId },
      ...(hasBody ? { body: Object.fromEntries(rest) } : {}),
    })
  },
  async console(op, requestId) {
    return call({
      host: '127.0.0.1',
      port: service.port,
      method: 'POST',
      path: `/console/run/${op.id}`,
      headers: {
        ...service.credentials,
        origin: `http://127.0.0.1:${service.port}`,
        'sec-fetch-site': 'same-origin',
        'x-request-id': requestId,
      },
      body: forms[op.id] ?? toForm(inputFor(op)),
    })
  },
  async mcp(op, requestId) {
    const action = actions.get(op.id)
    if (!action) return null
    const params = { name: action.tool.name, arguments: { action: op.id, ...inputFor(op) } }
    return call({
      host: '127.0.0.1',
      port: service.port,
      method: 'POST',
      path: '/mcp',
      headers: {
        ...service.credentials,
        accept: 'application/json, text/event-stream',
        'x-request-id': requestId,
      },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    })
  },
}

/** Forms whose fields are not those of the input. */
const forms: Record<string, Record<string, string>> = {
  'views.save': { name: HIDDEN, sort: 'id' },
  'tokens.create': { name: HIDDEN, role: 'reader' },
  'filters.save': { name: HIDDEN, 'criteria.state': 'open' },
  'filters.set-working': { 'criteria.state': 'open' },
  'items.batch-update': { itemIds: '204', 'updates.Title': HIDDEN },
  'facilities.create': {
    code: 'DC9',
    name: HIDDEN,
    timeZone: 'UTC',
    'queues.0.name': HIDDEN,
    'queues.0.days[]': 'mon',
    'queues.0.start': '06:00',
    'queues.0.end': '18:00',
    'doors[]': 'Door 1',
  },
  'facilities.update': { id: 'DC1', name: HIDDEN },
}

/** As the fields of a form are sent. */
function toForm(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

async function entriesOf(requestId: string): Promise<AuditEntry[]> {
  const list: AuditEntry[] = await service.run(listAudit, {})
  return list.filter((entry) => entry.requestId === requestId)
}

describe.each(Object.keys(ways) as Surface[])('over %s', (surface) => {
  const hasSurface = (op: AnyOperation) => {
    if (surface === 'http') return op.http !== undefined
    // The console repairs nothing.
    if (surface === 'console') return actionMessage(op.id) !== null && op.id !== 'system.doctor'
    return surface === 'cli' || actions.has(op.id)
  }
  const own = operations.filter(hasSurface)

  it.each(own.filter(isRecorded).map((op) => [op.id, op] as const))('%s leaves one entry', async (id, op) => {
    const requestId = `${surface}-${id}`
    const answer = await ways[surface]!(op, requestId)
    const entries = await entriesOf(requestId)
    expect(entries, JSON.stringify(answer)).toHaveLength(1)
    const [entry] = entries as [AuditEntry]
    expect(entry).toMatchObject({ operation: id, surface, times: 1 })
    expect(entry.outcome).not.toBe('started')
    expect(JSON.stringify(entry)).not.toContain(HIDDEN)
    for (const secret of service.secrets) expect(JSON.stringify(entry)).not.toContain(secret)
  })

  it('what only reads leaves none', async () => {
    const before = await service.count()
    for (const op of own.filter((one) => !isRecorded(one) && !one.stream && !/^(system|llm)\./.test(one.id)))
      await ways[surface]!(op, `${surface}-${op.id}`)
    expect(await service.count()).toBe(before)
  })
})

it('a dry run leaves none', async () => {
  const before = await service.count()
  for (const op of operations.filter((one) => 'dryRun' in one.input.shape)) {
    const context = service.studio.context({ actor: { kind: 'terminal', tenant: 'default' }, origin: 'cli' })
    await execute(op, { ...inputFor(op), dryRun: true }, context).catch(() => {})
  }
  expect(await service.count()).toBe(before)
})

it('the secrets that an operation creates are in no entry', async () => {
  const { token } = await service.run(createToken, { name: 'made', scopes: ['read'] })
  const { key } = await service.run(createTenantKey, { scope: 'read' })
  const all = JSON.stringify(await service.run(listAudit, {}))
  expect(all).not.toContain(token)
  expect(all).not.toContain(key)
})
