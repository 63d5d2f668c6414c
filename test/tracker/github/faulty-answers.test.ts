import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { execute } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import { errorOf, never, quick } from '../azure-devops/fixtures'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import type { FakeGitHub } from './fake-github'
import { createBacklog, isMutation, openGitHub, openGitHubWorkspace } from './fixtures'

const issues = createBacklog(1, 2)

describe('a repository that has been renamed', () => {
  const options = { issues, renamedTo: 'works/port' }

  it('keeps its identity, its keys and its hierarchy', async () => {
    const { tracker, run } = await openGitHubWorkspace(options)
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 4 })
    expect(await tracker.resolveIdentity(never)).toBe('localhost/works/harbor')
    expect(await tracker.getItem(3, never)).toMatchObject({ key: 'works/harbor#3', parentId: 2 })
  })

  it('is known by its old and its new name, and no other repository is', async () => {
    const { tracker, requests } = await openGitHub(options)
    expect(await tracker.resolveKeys(['works/harbor#1', '#2', '3'], never)).toEqual(
      new Map([
        ['works/harbor#1', 1],
        ['#2', 2],
        ['3', 3],
      ]),
    )
    expect(requests).toHaveLength(0)
    const keys = ['Works/Port#4', 'works/other#1', 'works/nothing#1', 'a b/c#1', '../x#1']
    expect(await tracker.resolveKeys(keys, never)).toEqual(new Map([['Works/Port#4', 4]]))
    expect(requests).toHaveLength(1)
    await tracker.resolveKeys(keys, never)
    expect(requests).toHaveLength(1)
  })

  it('has the identity of its cached items, whichever of its names is in the settings', async () => {
    const db = await openMemoryDatabase(migrations)
    const open = async (project: string) => {
      const { tracker } = await openGitHub(options, { project })
      const env = { STUDIO_HOME: '/nowhere', STUDIO_USER: 'robin' }
      const studio = openStudio({ env, cwd: '/', db, openTracker: async () => tracker })
      const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
      return (featureId: number): Promise<any> => execute(importFeature, { featureId }, context)
    }
    expect(await (await open('harbor'))(1)).toMatchObject({ imported: 4 })
    expect(await (await open('port'))(1)).toMatchObject({ imported: 0, unchanged: 4 })
    expect(await errorOf((await open('other'))(1))).toMatchObject({ code: 'conflict' })
  })

  it('is searched by its present name', async () => {
    const { tracker } = await openGitHub(options)
    expect(await tracker.search({ text: 'issue', itemType: null, limit: 9 }, never)).toMatchObject({ total: 4 })
  })
})

/** Leaves out a part of the answer, as GitHub does with what needs another sign-in. */
const forbidding =
  (...paths: (string | number)[][]) =>
  async (request: StubRequest, github: FakeGitHub): Promise<Reply> => {
    const { json } = (await github.answer(request)) as { json: any }
    const errors = paths.flatMap((path) => {
      const parent = path.slice(0, -1).reduce((value, step) => value?.[step], json.data)
      if (parent?.[path.at(-1)!] === undefined) return []
      parent[path.at(-1)!] = null
      return [{ type: 'FORBIDDEN', path, extensions: { saml_failure: true }, message: 'Resource protected by SAML.' }]
    })
    return { json: errors.length > 0 ? { ...json, errors: [...(json.errors ?? []), ...errors] } : json }
  }

describe('an answer without what the token cannot read', () => {
  it('has the other sub-issues and links, and names what is left out', async () => {
    const notices: string[] = []
    const { run, tracker } = await openGitHubWorkspace(
      { issues: [{ number: 1 }, { number: 2, parent: 1 }, { number: 3, parent: 1, blockedBy: [1, 2] }] },
      {
        onNotice: (text) => notices.push(text),
        answer: forbidding(
          ['repository', 'i1', 'subIssues', 'nodes', 0],
          ['repository', 'i3', 'blockedBy', 'nodes', 0],
          ['repository', 'i3', 'labels', 'nodes', 0],
        ),
      },
    )
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 2 })
    expect(await tracker.getItem(3, never)).toMatchObject({ parentId: 1, predecessorIds: [2] })
    expect(notices).toEqual([
      'GitHub leaves out what the token cannot read: subIssues of issue 1: Resource protected by SAML.',
      'GitHub leaves out what the token cannot read: blockedBy of issue 3: Resource protected by SAML.',
    ])
  })

  it('shows all other issues, and none that it leaves out counts as gone', async () => {
    const answer = forbidding(['repository', 'i3'])
    let isForbidden = false
    const { run, tracker } = await openGitHubWorkspace(
      { issues },
      { answer: async (request, github) => (isForbidden ? answer(request, github) : null) },
    )
    expect(await run(importFeature, { featureId: 1 })).toMatchObject({ imported: 4 })
    isForbidden = true
    const { items, missing } = await tracker.getItems([1, 3, 9], { signal: never })
    expect(items.map(({ id }) => id)).toEqual([1])
    expect(missing).toMatchObject([
      { id: 3, isMalformed: true, reason: 'GitHub does not let the token read issue 3: Resource protected by SAML.' },
      { id: 9, reason: expect.stringContaining('does not exist') },
    ])
    expect(await errorOf(tracker.getItem(3, never))).toMatchObject({ code: 'tracker_forbidden' })
    expect(await run(syncItems, {})).toMatchObject({ failed: 1, missing: [{ id: 3 }] })
    isForbidden = false
    expect(await run(syncItems, {})).toMatchObject({ failed: 0, missing: [], checked: 4 })
  })

  it('has an issue of an unexpected shape', async () => {
    const { tracker } = await openGitHub(
      { issues },
      {
        async answer(request, github) {
          const { json } = (await github.answer(request)) as { json: any }
          if (json.data?.repository?.i2) json.data.repository.i2.title = 7
          return { json }
        },
      },
    )
    expect(await tracker.getItems([1, 2], { signal: never })).toMatchObject({
      items: [{ id: 1 }],
      missing: [{ id: 2, isMalformed: true, reason: expect.stringContaining('unexpected shape') }],
    })
  })

  it('is an error if it is without the whole repository', async () => {
    const answer = forbidding(['repository'])
    const { tracker } = await openGitHub({ issues }, { answer })
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({ code: 'tracker_forbidden' })
  })
})

const timeout =
  'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.'

describe.each<[string, Reply]>([
  ['200', { json: { errors: [{ message: timeout }] } }],
  ['502', { status: 502, json: { data: null, errors: [{ message: timeout }] } }],
  ['502 with a message', { status: 502, json: { message: "We couldn't respond to your request in time." } }],
  ['504', { status: 504, text: '' }],
])('a query that takes GitHub too long (%s)', (_, reply) => {
  const many = Array.from({ length: 100 }, (_, i) => ({ number: i + 1 }))
  /** Answers for at most `size` issues. */
  const upTo = (size: number) => (request: StubRequest) => {
    const { query, variables } = request.body
    const asked = variables?.first ?? (String(query).match(/: issue\(number/g) ?? []).length
    return !isMutation(request) && asked > size ? reply : null
  }

  it('is sent for half as many issues, and not again for all', async () => {
    const { tracker, requests } = await openGitHub({ issues: many }, { answer: upTo(30) })
    const ids = many.map(({ number }) => number)
    expect((await tracker.getItems(ids, { signal: never })).items).toHaveLength(100)
    expect(requests).toHaveLength(7)
  })

  it('is sent for a smaller page of a list', async () => {
    const marker = '5f0f3fb0-0000-4000-8000-000000000001'
    const all = many.map((issue) => ({ ...issue, createdAt: '2026-11-02T09:00:00Z' }))
    all[0] = { ...all[0]!, body: `<!-- studio: ${marker} -->` } as never
    const { tracker, requests } = await openGitHub({ issues: all }, { answer: upTo(50) })
    const item = { type: 'Issue', parentId: null, fields: {}, marker, startedAt: Date.UTC(2026, 10, 2, 9) }
    expect(await tracker.findCreatedItem(item, never)).toMatchObject({ id: 1 })
    expect(requests).toHaveLength(3)
  })

  it('is repeated if it is for one issue', async () => {
    let left = 2
    const { tracker } = await openGitHub({ issues }, { answer: () => (left-- > 0 ? reply : null) })
    expect(await tracker.getItem(1, never)).toMatchObject({ id: 1 })
    left = 99
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({ code: 'tracker_timeout' })
    expect(99 - left).toBe(quick.maxAttempts ?? 6)
  })
})
