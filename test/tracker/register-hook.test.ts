import { describe, expect, it, onTestFinished } from 'vitest'
import { openTracker, type TrackerKind } from '../../src/tracker'
import { quick } from './azure-devops/fixtures'
import { findMismatches } from './azure-devops/published-api/check-calls'
import { type Reply, type StubRequest, startStub } from './azure-devops/stub-server'
import { openGitLab } from './gitlab/fixtures'

const HOOK = { url: 'https://studio.example.com/api/tracker/hooks/default', secret: 's3cret' }
const PROJECT = '11111111-2222-4333-8444-55555555555a'
const signal = new AbortController().signal

/** A tracker of the kind whose webhooks are stored in a list, by the rules of its API. */
async function open(kind: TrackerKind, answer: (request: StubRequest) => Reply | null) {
  const mismatches: string[] = []
  const stub = await startStub((request) => {
    const reply = answer(request) ?? { status: 404, json: { message: `no ${request.method} ${request.path}` } }
    if (kind === 'azure-devops')
      mismatches.push(...findMismatches({ ...request, url: `/works${request.rawUrl}` }, reply))
    return reply
  })
  onTestFinished(() => expect(mismatches).toEqual([]))
  const tracker = openTracker({ kind, url: stub.url, project: 'HARBOR', token: 'token', limits: quick })
  onTestFinished(() => tracker.close())
  const sent = () => stub.requests.splice(0).filter(({ method }) => method !== 'GET')
  return { tracker, sent }
}

describe('a webhook of GitHub', () => {
  const openGitHub = (refuse: (request: StubRequest) => Reply | null = () => null, renamedTo: string | null = null) => {
    const hooks: any[] = [{ id: 7, config: { url: 'https://ci.example/hook' }, events: ['push'] }]
    return open('github', (request) => {
      const { method, path, body } = request
      // A server of your own has the path of the API before it.
      if (!path.startsWith('/api/v3/repos/works/HARBOR/hooks') && !path.includes('/hooks')) return null
      if (renamedTo !== null && path.includes('/repos/') && method === 'GET')
        return { status: 301, headers: { location: renamedTo }, json: { message: 'Moved Permanently' } }
      if (method === 'GET') return { json: hooks }
      const refusal = refuse(request)
      if (refusal !== null) return refusal
      if (method === 'POST') hooks.push({ id: hooks.length + 7, ...body })
      else Object.assign(hooks.find(({ id }) => path.endsWith(`/${id}`))!, body)
      return { status: method === 'POST' ? 201 : 200, json: hooks.at(-1) }
    })
  }

  it('is created once, and gets the present secret later', async () => {
    const { tracker, sent } = await openGitHub()
    expect(await tracker.registerHook(HOOK, signal)).toMatchObject({ outcome: 'created' })
    const config = { url: HOOK.url, content_type: 'json', secret: 's3cret', insecure_ssl: '0' }
    expect(sent()).toMatchObject([{ method: 'POST', body: { name: 'web', active: true, config } }])
    expect(await tracker.registerHook({ ...HOOK, secret: 'next' }, signal)).toMatchObject({ outcome: 'updated' })
    expect(sent()).toMatchObject([{ method: 'PATCH', body: { config: { ...config, secret: 'next' } } }])
  })

  it('is created below the ID of a repository that was renamed', async () => {
    const { tracker, sent } = await openGitHub((request) => {
      // The path of the hooks of the old name takes nothing any more.
      return request.path.includes('/repos/') ? { status: 307, headers: { location: '/x' }, json: {} } : null
    }, '/api/v3/repositories/42/hooks')
    expect(await tracker.registerHook(HOOK, signal)).toMatchObject({ outcome: 'created' })
    expect(sent()).toMatchObject([{ method: 'POST', path: '/api/v3/repositories/42/hooks' }])
  })

  it('has fewer events on a server that does not know all', async () => {
    const { tracker } = await openGitHub(({ body }) =>
      body.events.includes('sub_issues') ? { status: 422, json: { message: 'Validation Failed' } } : null,
    )
    expect((await tracker.registerHook(HOOK, signal)).events).toEqual(['issues', 'issue_comment'])
  })

  it('needs a right that the error names', async () => {
    const { tracker } = await openGitHub(() => ({
      status: 403,
      json: { message: 'Resource not accessible by personal access token' },
    }))
    await expect(tracker.registerHook(HOOK, signal)).rejects.toMatchObject({
      code: 'tracker_forbidden',
      hint: expect.stringContaining('rights of an administrator'),
    })
  })
})

describe('service hooks of Azure DevOps', () => {
  it('are a subscription for each event, which send no texts, and get the present secret later', async () => {
    const subscriptions: any[] = []
    const { tracker, sent } = await open('azure-devops', ({ method, path, body }) => {
      if (path === '/_apis/projects/HARBOR') return { json: { id: PROJECT, name: 'HARBOR' } }
      if (!path.startsWith('/_apis/hooks/subscriptions')) return null
      if (method === 'GET') return { json: { count: subscriptions.length, value: subscriptions } }
      const known = subscriptions.find(({ id }) => path.endsWith(`/${id}`))
      if (method === 'PUT') Object.assign(known, body)
      else subscriptions.push({ id: `${PROJECT.slice(0, -1)}${subscriptions.length}`, ...body })
      return { json: subscriptions.at(-1) }
    })
    expect(await tracker.registerHook(HOOK, signal)).toMatchObject({ outcome: 'created' })
    const created = sent()
    expect(created.map(({ method, body }) => `${method} ${body.eventType}`)).toEqual([
      'POST workitem.created',
      'POST workitem.updated',
      'POST workitem.deleted',
      'POST workitem.restored',
      'POST workitem.commented',
    ])
    expect(created[0]!.body).toMatchObject({
      publisherId: 'tfs',
      consumerId: 'webHooks',
      consumerActionId: 'httpRequest',
      publisherInputs: { projectId: PROJECT },
      consumerInputs: {
        url: HOOK.url,
        basicAuthPassword: 's3cret',
        resourceDetailsToSend: 'minimal',
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    })
    subscriptions[1].publisherInputs = { projectId: 'another' }
    expect(await tracker.registerHook({ ...HOOK, secret: 'next' }, signal)).toMatchObject({ outcome: 'updated' })
    expect(sent().map(({ method }) => method)).toEqual(['PUT', 'POST', 'PUT', 'PUT', 'PUT'])
    expect(subscriptions.filter(({ consumerInputs }) => consumerInputs.basicAuthPassword === 'next')).toHaveLength(5)
  })
})

describe('a webhook of GitLab', () => {
  it('is created once, and gets the present secret later', async () => {
    const { tracker, gitlab, requests } = await openGitLab({ items: [] })
    expect(await tracker.registerHook(HOOK, signal)).toMatchObject({ outcome: 'created' })
    expect(gitlab.hooks).toMatchObject([
      { url: HOOK.url, token: 's3cret', push_events: false, issues_events: true, note_events: true },
    ])
    expect(await tracker.registerHook({ ...HOOK, secret: 'next' }, signal)).toMatchObject({ outcome: 'updated' })
    expect(gitlab.hooks).toMatchObject([{ url: HOOK.url, token: 'next' }])
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'PUT'])
  })
})

describe('a webhook of Jira', () => {
  const openJira = ({ isCloud }: { isCloud: boolean }) => {
    const hooks: any[] = []
    return open('jira', ({ method, path, body }) => {
      if (path === '/rest/api/2/serverInfo') return { json: { deploymentType: isCloud ? 'Cloud' : 'Server' } }
      if (path === '/rest/api/3/field' && isCloud) return { json: [] }
      if (!path.startsWith('/rest/webhooks/1.0/webhook')) return null
      if (method === 'GET') return { json: hooks }
      if (method === 'PUT') Object.assign(hooks[0], body)
      else hooks.push({ self: 'https://jira.example/rest/webhooks/1.0/webhook/3', ...body })
      return { json: hooks.at(-1) }
    })
  }

  it('of Data Center has the secret in its address, and is for the project only', async () => {
    const { tracker, sent } = await openJira({ isCloud: false })
    await tracker.registerHook(HOOK, signal)
    expect(sent()).toMatchObject([
      {
        method: 'POST',
        body: { url: `${HOOK.url}?secret=s3cret`, filters: { 'issue-related-events-section': 'project = "HARBOR"' } },
      },
    ])
    expect(await tracker.registerHook({ ...HOOK, secret: 'next' }, signal)).toMatchObject({ outcome: 'updated' })
    expect(sent()).toMatchObject([
      { method: 'PUT', path: '/rest/webhooks/1.0/webhook/3', body: { url: `${HOOK.url}?secret=next` } },
    ])
  })

  it('of the cloud is signed with it', async () => {
    const { tracker, sent } = await openJira({ isCloud: true })
    await tracker.registerHook(HOOK, signal)
    expect(sent()).toMatchObject([{ body: { url: HOOK.url, secret: 's3cret' } }])
  })
})
