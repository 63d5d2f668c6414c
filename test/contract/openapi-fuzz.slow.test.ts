import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createTenant } from '../../src/access/operations/create-tenant'
import { loadAllOperations } from '../../src/catalog'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { AnswerTurns } from '../../src/http/answers/answer-turns'
import { ResponseCache } from '../../src/http/answers/response-cache'
import { createApp } from '../../src/http/app'
import type { Caller } from '../../src/http/callers/caller'
import { CallerLimits } from '../../src/http/callers/caller-limits'
import { OpenStreams } from '../../src/http/connections/open-streams'
import { openApiDocument } from '../../src/http/openapi'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { type Actor, type AnyOperation, execute, isDockAccess, silentLog } from '../../src/kernel'
import { startSandbox } from '../../src/sandbox'
import { openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio, type Studio } from '../../src/studio'
import { openTracker } from '../../src/tracker'
import { startStubModel } from '../assistant/stub-model'
import { dockCaller } from '../dock-caller'
import { nonsense, resolve, valueFor } from './openapi-arbitrary'

const REQUESTS = 3_000
/** Those of a request that is none of the description's; they are not declared for each call. */
const ANY_CALL = [405, 406, 414, 431]

const operations = (await loadAllOperations()).filter((op) => op.http)
const description = openApiDocument(operations, '1.0.0') as any
const ajv = addFormats.default(new Ajv2020({ strict: false }))
ajv.addSchema(description, 'api')

interface Call {
  name: string
  method: string
  path: string
  parameters: any[]
  body: { schema: any } | null
  responses: Record<string, any>
}

const calls: Call[] = Object.entries<any>(description.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, call]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters: (call.parameters ?? []).map((each: any) => (each.$ref ? resolve(each.$ref, description) : each)),
    body: call.requestBody?.content['application/json'] ?? null,
    responses: call.responses,
  })),
)

interface Sent {
  call: Call
  parameters: Record<string, unknown>
  body: unknown
  text: string | null
}

/** A call as the description has it; one value in five is replaced by nonsense, and one body in twenty is no JSON. */
const anyCall: fc.Arbitrary<Sent> = fc.constantFrom(...calls).chain((call) => {
  const spoilt = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ arbitrary: value, weight: 4 }, { arbitrary: nonsense, weight: 1 })
  const of = (parameter: any) => spoilt(valueFor(parameter.schema, description))
  const parameters = Object.fromEntries(call.parameters.map((each) => [each.name, of(each)]))
  const required = call.parameters.filter((each) => each.required).map((each) => each.name)
  return fc.record({
    call: fc.constant(call),
    parameters: fc.record(parameters, { requiredKeys: required }),
    body: call.body ? spoilt(valueFor(call.body.schema, description)) : fc.constant(undefined),
    text: fc.oneof({ arbitrary: fc.constant(null), weight: 19 }, { arbitrary: fc.string(), weight: 1 }),
  })
})

let send: (sent: Sent) => Promise<Response>
let close: () => Promise<void>

beforeAll(async () => {
  const [sandbox, model] = await Promise.all([startSandbox({ file: null }), startStubModel({})])
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere', STUDIO_LLM_HOST: model.url },
    cwd: '/',
    db: await openMemoryDatabase(migrations),
    openTracker: async () => openTracker({ url: sandbox.url, project: sandbox.project, token: null }),
  })
  close = async () => {
    await studio.close()
    await Promise.all([sandbox.close(), model.close()])
  }
  const tenantId = await furnish(studio)
  const admin: Actor = { kind: 'user', name: 'fuzz', role: 'admin', tokenId: null }
  const key = dockCaller({ tenantId, role: 'admin' })
  const caller: Caller = {
    identify: async () => ({ user: null, dock: null }),
    identifyAgain: async () => null,
    actorFor: (_call, access) => (isDockAccess(access) ? key : admin),
    findSession: async () => null,
    takeLinkRequest: async () => null,
    beginPerson: async () => ({ secret: '', url: '' }),
    signInPerson: async () => ({ session: '', nextPage: '' }),
    signIn: async () => '',
    actAs: async () => false,
    signOut: async () => {},
    checkProof: async () => {},
  }
  const app = await createApp({
    studio,
    people: null,
    mailLinks: null,
    gate: {} as never,
    accessSummary: [],
    version: '1.0.0',
    log: silentLog,
    draining: new AbortController().signal,
    stopping: new AbortController().signal,
    cache: new ResponseCache(studio.db),
    limits: new CallerLimits({ rateLimit: 0, concurrentCalls: 0 }),
    turns: new AnswerTurns(),
    streams: new OpenStreams(caller),
    caller,
    portal: { findSession: async () => null, signIn: async () => '', signOut: async () => {} },
  })
  send = async (sent) => {
    const { url, init } = requestOf(sent)
    const call = {
      requestId: 'fuzz',
      trust: { verdict: 'local' },
      peer: '127.0.0.1',
      route: null,
      caller: null,
      code: null,
      credentials: { user: null, dock: null },
      validity: null,
    }
    return app.request(url, init, {
      incoming: { headers: init.headers, method: init.method },
      outgoing: { closed: true, getHeaders: () => ({}) },
      call,
    })
  }
})
afterAll(() => close())

/** A workspace with work in it, and a dock to book. */
async function furnish(studio: Studio): Promise<string> {
  const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const run = (op: AnyOperation, input: unknown): Promise<any> => execute(op, input, context)
  await run(importFeature, { featureId: 101 })
  await run(createFacility, {
    code: 'DC1',
    name: 'North',
    timeZone: 'America/Chicago',
    queues: [{ name: 'Day', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '18:00' }],
    doors: [{ name: 'Door 1' }],
  })
  await run(createTenant, { name: 'other' })
  const { listTenants } = await import('../../src/access/operations/list-tenants')
  return (await run(listTenants, {})).find(({ name }: any) => name === 'default').id
}

function requestOf({ call, parameters, body, text }: Sent): {
  url: string
  init: { method: string; headers: Record<string, string>; body?: string }
} {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let { path } = call
  for (const { name, in: place } of call.parameters) {
    const value = parameters[name]
    if (value === undefined) continue
    const shown = typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(wellFormed(String(shown))) || '-')
    else if (place === 'header') headers[name] = String(shown).replace(/[^\x21-\x7e]/g, '') || 'x'
    else for (const each of Array.isArray(shown) ? shown : [shown]) query.append(name, String(each))
  }
  const init: ReturnType<typeof requestOf>['init'] = { method: call.method, headers }
  if (call.body) {
    headers['content-type'] = 'application/json'
    init.body = text ?? JSON.stringify(body) ?? ''
  }
  return { url: `http://127.0.0.1:4317${path}${query.size > 0 ? `?${query}` : ''}`, init }
}

/** A lone surrogate cannot stand in a URL. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, '\ufffd')
}

const validators = new Map<string, ValidateFunction>()

function validatorFor(call: Call, status: number, mediaType: string): ValidateFunction | null {
  const answer = call.responses[status]
  const declared = answer?.$ref ? resolve(answer.$ref, description) : answer
  const schema = declared?.content?.[mediaType]?.schema
  if (!schema) return null
  const key = `${call.name} ${status} ${mediaType}`
  const known = validators.get(key) ?? ajv.compile({ $defs: {}, ...rooted(schema) })
  validators.set(key, known)
  return known
}

/** The same schema where it stands alone: its references lead into the description. */
function rooted(schema: any): any {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
}

async function requireDeclared(sent: Sent): Promise<number> {
  const answer = await send(sent)
  const { status } = answer
  const text = await answer.text()
  const shown = `${sent.call.name} ${JSON.stringify(requestOf(sent))} -> ${status} ${text.slice(0, 400)}`
  expect(status, shown).toBeLessThan(500)
  if (ANY_CALL.includes(status)) return status
  // A text in the path that is empty, or a dot, makes another path of it.
  if (status === 404 && /^There is no endpoint at/.test(JSON.parse(text).message)) return status
  expect(Object.keys(sent.call.responses), shown).toContain(String(status))
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? ''
  if (status === 304 || mediaType === 'text/event-stream') return status
  const validate = validatorFor(sent.call, status, mediaType)
  expect(validate, `no schema for ${mediaType}: ${shown}`).not.toBeNull()
  const value = /json$/.test(mediaType) ? JSON.parse(text) : /yaml$/.test(mediaType) ? parse(text) : text
  expect(validate!(value), `${shown} ${JSON.stringify(validate!.errors)}`).toBe(true)
  return status
}

describe('the service under generated calls', () => {
  it(`answers ${REQUESTS} of them without an internal error, and as declared`, async () => {
    const met = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(anyCall, async (sent) => {
        const status = await requireDeclared(sent)
        met.set(status, (met.get(status) ?? 0) + 1)
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    )
    // Else the calls would have been refused before they met anything.
    expect(met.get(200) ?? 0).toBeGreaterThan(REQUESTS / 10)
    expect(met.get(400) ?? 0).toBeGreaterThan(REQUESTS / 10)
  })
})
