import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import { openApiDocument } from '../../src/http/openapi'
import { firstJsonLine, program } from './program'

const operations = (await loadAllOperations()).filter((op) => op.http)
const description = openApiDocument(operations, '1.0.0') as any
const methodsOf = (path: string) => Object.entries<any>(description.paths[path])
const everyCall = Object.keys(description.paths).flatMap((path) =>
  methodsOf(path).map(([method, call]) => ({ name: `${method.toUpperCase()} ${path}`, method, path, call })),
)

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1.0 of version 1.0.0, with both ways to authenticate', () => {
    expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
    expect(description.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      dockKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    })
  })

  it('passes the lint of Redocly without a warning', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(description), config })
    const shown = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    expect(shown).toEqual([])
  })

  it('has schemas that an independent validator takes, and examples that fit them', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }))
    ajv.addSchema(description, 'api')
    const validatorAt = (pointer: string) => ajv.compile({ $ref: `api#${pointer}` })
    const escaped = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1')
    let examples = 0
    const check = (pointer: string, example: unknown, name: string) => {
      const validate = validatorAt(pointer)
      if (example === undefined) return
      examples++
      expect(validate(example), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
    }
    for (const { name, method, path, call } of everyCall) {
      const at = `/paths/${escaped(path)}/${method}`
      for (const [i, parameter] of (call.parameters ?? []).entries())
        if (!parameter.$ref) check(`${at}/parameters/${i}/schema`, parameter.example, `${name} ${parameter.name}`)
      const body = call.requestBody?.content['application/json']
      if (body) check(`${at}/requestBody/content/application~1json/schema`, body.example, name)
      for (const [status, answer] of Object.entries<any>(call.responses))
        for (const type of Object.keys(answer.content ?? {}))
          check(`${at}/responses/${status}/content/${escaped(type)}/schema`, undefined, name)
    }
    expect(examples).toBeGreaterThan(40)
  })

  it('shows an example of every call that takes something', () => {
    for (const { name, call } of everyCall) {
      const required = (call.parameters ?? []).filter((parameter: any) => parameter.required)
      for (const parameter of required)
        expect(`${name} ${parameter.name}: ${parameter.example}`).not.toMatch(/undefined/)
      if (call.requestBody) expect(call.requestBody.content['application/json'], name).toHaveProperty('example')
    }
  })

  it('gives what several calls have in common once', () => {
    const { schemas } = description.components
    expect(schemas).toMatchObject({
      WorkItem: { type: 'object' },
      Draft: { type: 'object' },
      Error: { type: 'object' },
    })
    const text = JSON.stringify(description)
    for (const name of Object.keys(schemas))
      expect(text.split(`"#/components/schemas/${name}"`).length, name).toBeGreaterThan(2)
  })

  it('marks what goes beyond the documents, and nothing else', () => {
    const at = (path: string, method = 'get') => description.paths[path][method]
    const parameter = (path: string, name: string) => at(path).parameters.find((each: any) => each.name === name)
    expect(at('/api/folders')).toMatchObject({ 'x-extension': true })
    expect(at('/api/search/fast')).not.toHaveProperty('x-extension')
    expect(parameter('/api/devops/items/{id}', 'cached')).toMatchObject({ 'x-extension': true })
    expect(parameter('/api/devops/items/{id}', 'id')).not.toHaveProperty('x-extension')
    expect(description.components.parameters.PageLimit).toMatchObject({ 'x-extension': true })
    const draft = description.components.schemas.Draft.properties
    expect(draft.folderId).toMatchObject({ 'x-extension': true })
    expect(draft.title).not.toHaveProperty('x-extension')
    const freshness = at('/api/devops/items/{id}/freshness').responses['200'].content['application/json'].schema
    expect(freshness.properties.reason).toMatchObject({ 'x-extension': true })
    expect(freshness.properties.isFresh).not.toHaveProperty('x-extension')
    const update = at('/api/helper/batch-update', 'post').requestBody.content['application/json'].schema.properties
    expect(update.dryRun).toMatchObject({ 'x-extension': true })
    expect(update.updates).not.toHaveProperty('x-extension')
  })

  it('declares each status that an operation names', () => {
    for (const { name, call } of everyCall) {
      const op = operations.find(({ id }) => id === call.operationId)
      if (!op) continue
      expect(Object.keys(call.responses), name).toEqual(expect.arrayContaining(['200', '400', '504']))
      expect(call['x-error-codes'], name).toEqual([...new Set(op.errors)].sort())
      if (op.errors.includes('not_found')) expect(call.responses, name).toHaveProperty('404')
    }
  })
})

describe('a generated client', () => {
  it('type-checks, and works against the server', async () => {
    const types = astToString(await openapiTS(description))
    expect(diagnosticsOf({ 'api.ts': types, 'client.ts': CLIENT })).toEqual([])
    expect(
      diagnosticsOf({ 'api.ts': types, 'client.ts': CLIENT.replace('featureId: 101', 'featureId: true') }),
    ).not.toEqual([])

    const studio = await program()
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet']))
    const client = createClient<any>({ baseUrl: url }) as any
    const imported = await client.POST('/api/tracker/features/import', { body: { featureId: 101 } })
    expect(imported.data.feature.id).toBe(101)
    const found = await client.GET('/api/search/fast', { params: { query: { q: 'door', limit: 2 } } })
    expect(found.data.results).toHaveLength(2)
    const missing = await client.GET('/api/stories/{id}', { params: { path: { id: 99 } } })
    expect(missing.error).toMatchObject({ code: 'not_found', hint: expect.any(String) })
  })
})

const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api'
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:4317' })
export async function use(): Promise<string> {
  const imported = await client.POST('/api/tracker/features/import', { body: { featureId: 101 } })
  const found = await client.GET('/api/search/fast', { params: { query: { q: 'door', limit: 2 } } })
  const first: { title: string; score: number } | undefined = found.data?.results[0]
  const missing = await client.GET('/api/stories/{id}', { params: { path: { id: 99 } } })
  const hint: string | null | undefined = missing.error?.hint
  return [imported.data?.feature.title, first?.title, hint].join()
}
`

/** What the compiler says of these files, which exist in memory alone. */
function diagnosticsOf(files: Record<string, string>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  }
  // TypeScript has slashes in its paths on Windows too.
  const folder = `${process.cwd().replaceAll('\\', '/')}/generated-client/`
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, directoryExists, getSourceFile } = host
  const own = (name: string) => (name.startsWith(folder) ? files[name.slice(folder.length)] : undefined)
  host.readFile = (name) => own(name) ?? readFile(name)
  host.directoryExists = (name) => `${name}/` === folder || (directoryExists?.(name) ?? true)
  host.fileExists = (name) => own(name) !== undefined || fileExists(name)
  host.getSourceFile = (name, version, ...rest) => {
    const text = own(name)
    return text === undefined
      ? getSourceFile.call(host, name, version, ...rest)
      : ts.createSourceFile(name, text, version)
  }
  const compiled = ts.createProgram(
    Object.keys(files).map((name) => folder + name),
    options,
    host,
  )
  return ts.getPreEmitDiagnostics(compiled).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
