import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { formatCredential } from '../../src/access/services/credential'
import { loadAllOperations } from '../../src/catalog'
import { StudioError } from '../../src/kernel'
import { jsonSchemaOf } from '../../src/kernel/input/json-schema'
import { type Database, openMemoryDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { served } from '../http/served'
import { firstJsonLine, program } from './program'

interface DescribedCall {
  method: string
  path: string
  responses: Record<string, any>
}

interface Answered {
  status: number
  headers: Headers
  body: any
}

const UNKNOWN_TOKEN = `Bearer ${formatCredential('studio_pat_', 'z'.repeat(30))}`

describe('the statuses of the OpenAPI document', () => {
  it('name a missing or wrong credential, a wrong origin and too many failures on every path of the running service', async () => {
    const { run, start } = await program()
    await run(['import', '--feature', '101'])
    const { url } = await firstJsonLine(
      start(['serve', '--port', '0', '--auth', 'always', '--json', '--quiet'], {
        STUDIO_TRUSTED_PROXIES: '127.0.0.0/8',
      }),
    )
    const api = await readDescription(async (path) => (await fetch(url + path)).json())
    const send = async ({ method, path }: DescribedCall, headers: Record<string, string>): Promise<Answered> => {
      const answer = await fetch(url + path, { method, headers })
      return { status: answer.status, headers: answer.headers, body: await answer.json().catch(() => null) }
    }
    let client = 0
    const ownAddress = () => `198.51.${Math.floor(client / 250)}.${(client++ % 250) + 1}`
    const withBadToken = (from: string) => ({ authorization: UNKNOWN_TOKEN, 'x-forwarded-for': from })

    /** After ten failures in a minute, which may be over on a busy machine. */
    const overLimit = async (call: DescribedCall) => {
      for (;;) {
        const answer = await send(call, withBadToken('203.0.113.1'))
        if (answer.status !== 401) return answer
      }
    }
    for (const call of api.calls) {
      api.requireDeclared(call, 401, await send(call, withBadToken(ownAddress())))
      api.requireDeclared(call, 403, await send(call, { origin: 'https://evil.example' }))
      const limited = await overLimit(call)
      api.requireDeclared(call, 429, limited)
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
      const withoutCredential = await send(call, { 'x-forwarded-for': ownAddress() })
      if (withoutCredential.status === 401) api.requireDeclared(call, 401, withoutCredential)
    }
  })

  it('name a database that cannot be used on every path', async () => {
    let isDown = false
    const db = failingDatabase(await openMemoryDatabase(migrations), () => isDown)
    const { call, token } = await served({ db })
    const authorization = `Bearer ${await token(['admin'])}`
    const api = await readDescription(async (path) => (await call('GET', path)).body)
    isDown = true
    for (const described of api.calls.filter(isForCallers)) {
      const { status, headers, body } = await call(described.method, described.path, { headers: { authorization } })
      api.requireDeclared(described, 503, { status, headers: new Headers(headers as any), body })
    }
    isDown = false
  })

  it('name a body that is too large or is not JSON wherever a body is sent', async () => {
    const { call, token } = await served()
    const authorization = `Bearer ${await token(['admin'])}`
    const api = await readDescription(async (path) => (await call('GET', path)).body)
    for (const described of api.calls.filter((one) => one.hasBody && isForCallers(one))) {
      const send = async (type: string, body: string) => {
        const answer = await call(described.method, described.path, {
          headers: { authorization, 'content-type': type },
          body,
        })
        return { ...answer, headers: new Headers(answer.headers as any) }
      }
      api.requireDeclared(described, 415, await send('text/plain', 'a'))
      api.requireDeclared(described, 413, await send('application/json', ' '.repeat(8 * 1024 * 1024)))
    }
  })
})

/** Not an event of a tracker, which proves itself in its own way, and has no other answer before that. */
function isForCallers({ path }: { path: string }): boolean {
  return !path.startsWith('/api/tracker/hooks/')
}

describe('the inputs of the API', () => {
  it('take an instant with any offset wherever the schema says date-time', async () => {
    let instants = 0
    for (const op of await loadAllOperations()) {
      const { properties = {} } = jsonSchemaOf(op.input, 'input')
      for (const [name, schema] of Object.entries(properties)) {
        if (schema['format'] !== 'date-time') continue
        instants++
        for (const instant of ['2027-03-01T06:00:00Z', '2027-03-01T08:00:00+02:00', '2027-02-28T20:30:00.123-09:30']) {
          const parsed = op.input.shape[name].safeParse(instant)
          expect([op.id, name, instant, parsed.success]).toEqual([op.id, name, instant, true])
        }
      }
    }
    expect(instants).toBeGreaterThan(1)
  })

  it('compare instants, not their texts', async () => {
    const { call } = await served()
    const save = (body: object) => call('POST', '/api/stories/save-draft', { body })
    const { body: draft } = await save({ title: 'Gates' })
    const elsewhere = new Date(Date.parse(draft.updatedAt) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    const later = new Date(Date.parse(draft.updatedAt) + 3 * 3_600_000).toISOString().replace('Z', '+02:00')
    expect(await save({ id: draft.id, title: 'Docks', updatedAt: later })).toMatchObject({ status: 409 })
    expect(await save({ id: draft.id, title: 'Docks', updatedAt: elsewhere })).toMatchObject({ status: 200 })
  })

  it('publish the bounds of every whole number, and refuse what is beyond them', async () => {
    let integers = 0
    for (const op of await loadAllOperations()) {
      for (const { name, schema } of integersIn(jsonSchemaOf(op.input, 'input'), op.id)) {
        integers++
        expect(schema, name).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) })
      }
    }
    expect(integers).toBeGreaterThan(40)
    const { call } = await served()
    const path = (id: number) => `/api/stories/${id}`
    const api = await readDescription(async (path) => (await call('GET', path)).body)
    const { minimum, maximum } = api.parameter('/api/stories/{id}', 'get', 'id').schema
    for (const [id, status] of [
      [minimum - 1, 400],
      [minimum, 404],
      [maximum, 404],
      [maximum + 1, 400],
    ])
      expect([id, (await call('GET', path(id))).status]).toEqual([id, status])
  })
})

describe('/openapi.yaml', () => {
  it('is YAML by its header and in the document, whose schema fits what a client reads', async () => {
    const { call } = await served()
    const api = await readDescription(async (path) => (await call('GET', path)).body)
    const answer = await call('GET', '/openapi.yaml')
    expect(answer.headers['content-type']).toBe('application/yaml')
    const { content } = api.description.paths['/openapi.yaml'].get.responses['200']
    expect(Object.keys(content)).toEqual(['application/yaml'])
    expect(new Ajv2020().compile(content['application/yaml'].schema)(parse(answer.text))).toBe(true)
  })
})

function* integersIn(schema: any, name: string): Generator<{ name: string; schema: any }> {
  if (typeof schema !== 'object' || schema === null) return
  if ([schema.type].flat().includes('integer')) yield { name, schema }
  for (const [key, value] of Object.entries(schema)) yield* integersIn(value, `${name}/${key}`)
}

/** A database that refuses every transaction while `isDown`. */
function failingDatabase(db: Database, isDown: () => boolean): Database {
  const fail = () => Promise.reject(new StudioError('unavailable', 'The database cannot be used.'))
  return new Proxy(db, {
    get(target, name) {
      if (isDown() && (name === 'read' || name === 'write')) return fail
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The service's own description, and its calls with ids in their paths that fit. */
async function readDescription(get: (path: string) => Promise<any>) {
  const description = await get('/openapi.json')
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(description, 'api')
  const resolve = (node: any) =>
    node?.$ref === undefined
      ? node
      : node.$ref
          .slice(2)
          .split('/')
          .reduce((at: any, part: string) => at[part], description)
  const calls = Object.entries<any>(description.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { responses, parameters = [], requestBody }]) => {
      const idAt = (name: string) => String(parameters.find((each: any) => each.name === name).example)
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idAt(name))),
        responses,
        hasBody: requestBody !== undefined,
      }
    }),
  )
  expect(calls.length).toBeGreaterThan(50)
  // Many calls share the schema of an error.
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = ($ref: string) => {
    const known = validators.get($ref) ?? ajv.compile({ $ref: $ref.replace('#', 'api#') })
    validators.set($ref, known)
    return known
  }
  return {
    description,
    calls,
    parameter: (path: string, method: string, name: string) =>
      description.paths[path][method].parameters.find((each: any) => each.name === name),
    /** The answer has the status, and is what the document says of that status. */
    requireDeclared({ method, path, responses }: DescribedCall, status: number, answer: Answered): void {
      const name = `${method} ${path}`
      expect([name, answer.status]).toEqual([name, status])
      expect(responses, name).toHaveProperty(String(status))
      const declared = resolve(responses[status])
      const { schema } = declared.content[answer.headers.get('content-type')!.split(';')[0]!]
      const validate = validatorOf(schema.$ref)
      expect(validate(answer.body), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
      const named = Object.keys(declared.headers).map((header) => header.toLowerCase())
      for (const header of ['x-request-id', 'retry-after', 'www-authenticate'])
        if (answer.headers.has(header)) expect(named, name).toContain(header)
    },
  }
}
