import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { sandbox } from './harness'

const item = '/_apis/wit/workitems/101'

/** fetch sets Host itself, but node:http accepts any value. */
function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    call.on('error', reject)
    call.end()
  })
}

describe('addresses', () => {
  it('work in any case, without the project or with its name or ID', async () => {
    const tracker = await sandbox()
    const { id } = (await tracker.get('/_apis/projects')).json.value[0]
    for (const path of [
      '/_apis/wit/workitems/101',
      '/HARBOR/_APIS/Wit/WorkItems/101',
      `/${id}/_apis/wit/workItems/101`,
    ]) {
      expect((await tracker.get(path)).status).toBe(200)
    }
    expect(
      (await tracker.post('/Harbor/Yard%20Team/_apis/wit/wiql', { query: 'SELECT [System.Id] FROM WorkItems' })).status,
    ).toBe(200)
  })

  it('distinguish an unknown project, path, method and organization', async () => {
    const tracker = await sandbox()
    const unknown = await tracker.get('/Nowhere/_apis/wit/workitems/101')
    expect([unknown.status, unknown.json.typeKey]).toEqual([404, 'ProjectDoesNotExistWithNameException'])
    expect((await tracker.get('/_apis/wit/nonsense')).status).toBe(404)
    expect((await tracker.send('PUT', item)).status).toBe(405)
    expect((await fetch(tracker.url.replace('quayside', 'other') + item)).status).toBe(404)
  })

  it('reject an invalid ID', async () => {
    for (const id of ['abc', '0', '-1', '1.5']) {
      expect((await (await sandbox()).get(`/_apis/wit/workitems/${id}`)).status).toBe(400)
    }
  })
})

describe('versions of the API', () => {
  it.each(['5.0', '6.0', '7.0', '7.1', '7.2-preview.3', '7.1-preview'])('%s is accepted', async (version) => {
    expect((await (await sandbox()).get(`${item}?api-version=${version}`)).status).toBe(200)
  })

  it.each(['9.9', 'latest', '4.1'])('%s is rejected', async (version) => {
    const { status, json } = await (await sandbox()).get(`${item}?api-version=${version}`)
    expect([status, json.typeKey]).toEqual([400, 'VssVersionOutOfRangeException'])
  })

  it('are required for writes, in the address or in Accept', async () => {
    const tracker = await sandbox()
    const post = (headers: Record<string, string>) =>
      fetch(`${tracker.url}/Harbor/_apis/wit/wiql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: 'SELECT [System.Id] FROM WorkItems' }),
      })
    expect((await fetch(tracker.url + item)).status).toBe(200)
    const silent = await post({})
    expect([silent.status, ((await silent.json()) as any).typeKey]).toEqual([400, 'VssVersionNotSpecifiedException'])
    expect((await post({ accept: 'application/json; api-version=7.1' })).status).toBe(200)
  })
})

describe('a configured token', () => {
  const token = 'example-token'
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

  it('is accepted as the password of Basic or as Bearer', async () => {
    const tracker = await sandbox({ token })
    expect(tracker.token).toBe(token)
    expect((await tracker.get(item, basic(`:${token}`))).status).toBe(200)
    expect((await tracker.get(item, { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  it('is required for every request', async () => {
    const tracker = await sandbox({ token })
    for (const headers of [{}, basic(':wrong'), { authorization: 'Bearer wrong' }, { authorization: 'Digest x' }]) {
      const { status, json } = await tracker.get(item, headers as Record<string, string>)
      expect([status, json.message]).toEqual([401, expect.stringContaining('TF400813')])
    }
  })

  it('is optional if none is configured, and any is accepted', async () => {
    const tracker = await sandbox()
    expect((await tracker.get(item, basic(':whatever'))).status).toBe(200)
    expect(tracker.token).toBeNull()
  })
})

describe('a listener on this machine', () => {
  it('rejects other host names and pages of other sites', async () => {
    const tracker = await sandbox()
    const { host, port } = new URL(tracker.url)
    const url = tracker.url + item
    expect(await status(url, { host })).toBe(200)
    expect(await status(url, { host: `localhost:${port}` })).toBe(200)
    expect(await status(url, { host: `evil.example:${port}` })).toBe(403)
    expect(await status(url, { host, origin: 'https://evil.example' })).toBe(403)
    expect(await status(url, { host, origin: 'null' })).toBe(403)
    expect(await status(url, { host, origin: `http://${host}` })).toBe(200)
  })

  it('records the requests', async () => {
    const tracker = await sandbox()
    await tracker.get(`${item}?fields=System.Id`)
    await tracker.get('/_apis/wit/workitems/9999')
    expect(tracker.requests).toMatchObject([
      { method: 'GET', path: '/quayside/_apis/wit/workitems/101?fields=System.Id&api-version=7.1', status: 200 },
      { method: 'GET', status: 404 },
    ])
  })

  it('uses a given port, and reports a port that is in use', async () => {
    const tracker = await sandbox()
    const port = Number(new URL(tracker.url).port)
    await expect(sandbox({ port })).rejects.toMatchObject({
      code: 'tracker_unavailable',
      hint: expect.stringContaining('--port 0'),
    })
  })
})

describe('a request', () => {
  it('is rejected above 16 MiB', async () => {
    const tracker = await sandbox()
    const reply = await tracker.post('/Harbor/_apis/wit/wiql', { query: 'x'.repeat(16 * 1024 * 1024) })
    expect(reply.status).toBe(413)
  })

  it('is rejected if it is not JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await (await sandbox()).send('POST', '/Harbor/_apis/wit/wiql', { headers, body: '{' })
    expect([status, json.message]).toEqual([400, 'The request body is not valid JSON.'])
  })
})
