import { Ajv2020 } from 'ajv/dist/2020'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/http/serve'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { silentLog } from '../../src/kernel'
import { openWithRepository } from '../items/operations/workspace-with-repository'
import { call, served } from './served'

const FEATURE = 'code:works/harbor#101'
const STORY = 'code:works/harbor#102'
const TASK = 'code:works/harbor#103'

/** The server over a workspace with the imported feature of a further tracker. */
async function openService() {
  const workspace = await openWithRepository({ env: { STUDIO_PORT: '0' } })
  await workspace.run(importFeature, { featureId: FEATURE })
  const server = await startServer({ studio: workspace.studio, version: '1.0.0', local: true, log: silentLog })
  onTestFinished(() => server.close())
  const target = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
  return {
    ...workspace,
    send: (method: string, path: string, body?: unknown) => call({ ...target, method, path, body }),
  }
}

describe('the reference of an item over HTTP', () => {
  it('is taken in the path', async () => {
    const { send, idOf } = await openService()
    expect(await send('GET', `/api/devops/items/${encodeURIComponent(STORY)}`)).toMatchObject({
      status: 200,
      body: { id: await idOf(STORY), reference: STORY, parentReference: FEATURE },
    })
    expect(await send('GET', `/api/devops/items/${encodeURIComponent('#204')}`)).toMatchObject({ body: { id: 204 } })
    expect(await send('GET', '/api/devops/items/204')).toMatchObject({ body: { id: 204 } })
    expect(await send('GET', '/api/devops/items/crane')).toMatchObject({
      status: 400,
      body: { code: 'invalid', details: [{ path: 'id' }] },
    })
    expect(await send('GET', '/api/devops/items/jira%3AABC-7')).toMatchObject({ status: 404 })
  })

  it('is taken in the query', async () => {
    const { send } = await openService()
    const path = '/api/reporting/features-hierarchy'
    const { body } = await send('GET', `${path}?featureId=${encodeURIComponent(FEATURE)}`)
    expect(body.features).toMatchObject([{ reference: FEATURE, children: [{ reference: STORY }] }])
  })

  it('is taken in the body, beside numbers', async () => {
    const { send, idOf } = await openService()
    const { status, body } = await send('POST', '/api/helper/batch-update', {
      itemIds: [TASK, 343, '#204'],
      updates: { Title: 'Other' },
      dryRun: true,
    })
    expect(status).toBe(200)
    expect(body.results).toMatchObject([{ id: await idOf(TASK), reference: TASK }, { id: 343 }, { id: 204 }])
  })

  it('is described in the OpenAPI document, beside the whole number', async () => {
    const { call } = await served()
    const { body: api } = await call('GET', '/openapi.json')
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(api, 'api')
    const accepts = (place: string, value: unknown) =>
      ajv.validate({ $ref: `api#/paths/~1api~1${place}/schema` }, value)
    const { parameters } = api.paths['/api/devops/items/{id}'].get
    const at = parameters.findIndex(({ name }: { name: string }) => name === 'id')
    const inPath = `devops~1items~1%7Bid%7D/get/parameters/${at}`
    const inBody = 'tracker~1features~1import/post/requestBody/content/application~1json'
    for (const id of [101, '#101', 'ABC-7', TASK]) {
      expect([id, accepts(inPath, id)]).toEqual([id, true])
      expect([id, accepts(inBody, { featureId: id })]).toEqual([id, true])
    }
    for (const id of [0, 'crane']) {
      expect([id, accepts(inPath, id)]).toEqual([id, false])
      expect([id, accepts(inBody, { featureId: id })]).toEqual([id, false])
    }
  })
})
