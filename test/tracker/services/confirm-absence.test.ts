import { describe, expect, it } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { reportSync } from '../../../src/items/operations/import/report-sync'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { BackgroundSync } from '../../../src/items/services/import/background-sync'
import { StudioError } from '../../../src/kernel'
import { MINUTE_MS } from '../../../src/kernel/time'
import type { Tracker } from '../../../src/tracker'
import { confirmAbsence } from '../../../src/tracker/services/confirm-absence'
import { openTestWorkspace } from '../../items/test-workspace'
import { refuseWith } from '../../sandbox/fault-presets'
import { batchOf, errorOf, never, openStubbed } from '../azure-devops/fixtures'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { openGitHub } from '../github/fixtures'
import { DEPLOYMENTS, openJiraWorkspace } from '../jira/fixtures'

const ANONYMOUS = { id: 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa', descriptor: 'System:PublicAccess;aaaaaaaa' }
const SIGNED_IN = { id: '3f1a1f0e-0000-4000-8000-000000000001', descriptor: 'Microsoft.IdentityModel;jane' }
const HEADERS = { 'says so in a header': { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' }, 'says nothing': {} }

describe.each(DEPLOYMENTS)('a token of Jira (%s) that has expired', (deployment) => {
  it.each(Object.keys(HEADERS) as (keyof typeof HEADERS)[])(
    'and with which the site answers as to anybody and %s, makes no item seem to be gone',
    async (how) => {
      let hasExpired = false
      const { run, openProcess } = await openJiraWorkspace({
        deployment,
        issues: [
          { id: 1, type: 'Story' },
          { id: 2, type: 'Story' },
        ],
        answer(request, { execute }) {
          if (!hasExpired) return null
          const { authorization: _, ...headers } = request.headers
          const reply = execute({ ...request, headers })
          return { ...reply, headers: { ...reply.headers, ...HEADERS[how] } }
        },
      })
      await run(importSingle, { ids: [1, 2] })
      const clock = { at: Date.now(), now: () => clock.at }
      const sync = new BackgroundSync({ ...openProcess()(), clock }, { everyMs: MINUTE_MS, hasDefault: true })
      await sync.syncDue()
      const [{ checkedAt }] = await run(reportSync, {})
      hasExpired = true
      // An empty list of changes confirms nothing either.
      clock.at += 2 * MINUTE_MS
      await sync.syncDue()
      expect(await run(reportSync, {})).toMatchObject([{ checkedAt, failure: { code: 'tracker_token' } }])
      for (const input of [{}, { full: true }, { itemIds: [1] }])
        await expect(run(syncItems, input)).rejects.toMatchObject({ code: 'tracker_token' })
      await expect(run(getItem, { id: 2 })).rejects.toMatchObject({ code: 'tracker_token' })
      hasExpired = false
      expect(await run(syncItems, {})).toMatchObject({ checked: 2, gone: 0, failed: 0 })
    },
  )
})

describe('an item that Azure DevOps does not return', () => {
  const openWith = (authenticatedUser: object) => {
    const answerBatch = batchOf([{ id: 1 }])
    return openStubbed((request: StubRequest) =>
      /connectionData/i.test(request.path) ? { json: { authenticatedUser } } : answerBatch(request),
    )
  }

  it('is missing if the tracker knows the token, which it is asked once for many pages', async () => {
    const { tracker, requestsTo } = await openWith(SIGNED_IN)
    const ids = Array.from({ length: 900 }, (_, i) => i + 1)
    expect((await tracker.getItems(ids, { signal: never })).missing).toHaveLength(899)
    expect(requestsTo(/connectionData/i)).toHaveLength(1)
  })

  it('is nothing that can be known if the tracker answers as to an anonymous reader of a public project', async () => {
    const { tracker } = await openWith(ANONYMOUS)
    expect(await errorOf(tracker.getItems([1, 2], { signal: never }))).toMatchObject({ code: 'tracker_token' })
    expect(await errorOf(tracker.getItem(2, never))).toMatchObject({ code: 'tracker_token' })
    expect((await tracker.getItems([1], { signal: never })).missing).toEqual([])
  })

  it('is missing if the token may not ask who it is of', async () => {
    const answerBatch = batchOf([{ id: 1 }])
    const { tracker } = await openStubbed((request: StubRequest) =>
      /connectionData/i.test(request.path)
        ? { status: 403, json: { message: 'No scope.', typeKey: 'AccessDeniedException' } }
        : answerBatch(request),
    )
    expect((await tracker.getItems([1, 2], { signal: never })).missing).toMatchObject([{ id: 2 }])
  })
})

describe('the end of an item', () => {
  it('is told where the tracker knows it: it was deleted, by whom and when', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [202, 204] })
    await workspace.removeRemotely(204)
    const { gone, missing } = await workspace.run(syncItems, {})
    const reason = expect.stringMatching(/ deleted it on \d{4}-\d\d-\d\d; it is in the recycle bin of the project\.$/)
    expect({ gone, missing }).toEqual({ gone: 1, missing: [{ id: 204, reference: '#204', reason }] })
    expect(await workspace.run(getItem, { id: 204, cached: true })).toMatchObject({ goneReason: reason })
    await expect(workspace.run(getItem, { id: 204 })).rejects.toMatchObject({
      message: expect.stringContaining('recycle bin'),
    })
  })

  it('is not needed: the item is gone, too, if the tracker fails when it is asked about it', async () => {
    const fault = refuseWith(500, 'InternalException', 'The recycle bin is full.')
    const workspace = await openTestWorkspace({ faults: ({ path }) => (path.includes('recyclebin') ? fault : null) })
    await workspace.run(importSingle, { ids: [202, 204] })
    await workspace.removeRemotely(204)
    expect(await workspace.run(syncItems, {})).toMatchObject({ gone: 1, missing: [{ id: 204 }] })
  })

  it('is asked for once: later syncs take no more requests than without it', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [202, 204] })
    await workspace.removeRemotely(204)
    await workspace.run(syncItems, {})
    workspace.asked()
    await workspace.run(syncItems, {})
    expect(workspace.asked().filter((request) => request.includes('recyclebin'))).toEqual([])
  })

  it('is not taken from the redirection of a renamed repository, which GitHub sends for every number', async () => {
    const redirection = (number: number): Reply => ({
      status: 301,
      headers: { location: `/api/v3/repositories/7/issues/${number}` },
      json: { message: 'Moved Permanently' },
    })
    const answers: Record<string, Reply> = {
      'repos/2': redirection(2),
      'repos/3': redirection(3),
      'repos/4': redirection(4),
      'repositories/2': { status: 404, json: { message: 'Not Found' } },
      'repositories/3': { json: { html_url: 'https://github.example/works/hoist/pull/3' } },
      'repositories/4': { status: 410, json: { message: 'This issue was deleted' } },
    }
    const { tracker } = await openGitHub(
      { issues: [{ number: 1 }] },
      { answer: ({ path }) => answers[path.replace(/^\/api\/v3\/(repos|repositories)\/.*\//, '$1/')] ?? null },
    )
    const found = await tracker.explainAbsence([2, 3, 4], never)
    expect(Object.fromEntries(found)).toEqual({ 4: 'It was deleted.' })
  })

  it('is nothing that GitHub is asked about with the token on another host', async () => {
    const elsewhere = 'https://elsewhere.example/repositories/7/issues/4'
    const answers: Record<string, Reply> = {
      '2': { status: 410, json: { message: 'This issue was deleted' } },
      '3': { status: 301, headers: { location: '/api/v3/repositories/7/issues/9' }, json: { message: 'Moved' } },
      '4': { status: 301, headers: { location: elsewhere }, json: { message: 'Moved' } },
      '5': { status: 404, json: { message: 'Not Found' } },
      '9': { json: { html_url: 'https://github.example/works/crane/issues/9' } },
    }
    const { tracker } = await openGitHub(
      { issues: [{ number: 1 }] },
      { answer: ({ path }) => answers[/\/issues\/(\d+)$/.exec(path)?.[1] ?? ''] ?? null },
    )
    expect(Object.fromEntries(await tracker.explainAbsence([2, 3, 4, 5], never))).toEqual({
      2: 'It was deleted.',
      3: 'It was moved to another repository: https://github.example/works/crane/issues/9',
      4: 'It was moved to another repository.',
    })
  })
})

describe('what seems to be deleted already', () => {
  const open = (isKnown: boolean) => {
    const deleted = async () => ({ status: 'deleted' as const })
    const tracker = {
      parts: { deletion: { delete: deleted }, commentEditing: { edit: async () => null, delete: deleted } },
      async checkCredential() {
        if (!isKnown) throw new StudioError('tracker_token', 'The token has expired.')
      },
    }
    return confirmAbsence(tracker as unknown as Tracker, { hasToken: true, timing: undefined }).parts
  }
  const comment = { itemId: 1, commentId: 2, was: 'One' }

  it('is deleted if the tracker knows the token', async () => {
    const { deletion, commentEditing } = open(true)
    expect(await deletion!.delete({ id: 1, rev: 2 }, never)).toEqual({ status: 'deleted' })
    expect(await commentEditing!.delete(comment, never)).toEqual({ status: 'deleted' })
  })

  it('is unknown to a caller whose token has expired', async () => {
    const { deletion, commentEditing } = open(false)
    const unknown = { status: 'unknown', message: 'The token has expired.' }
    expect(await deletion!.delete({ id: 1, rev: 2 }, never)).toEqual(unknown)
    expect(await commentEditing!.delete(comment, never)).toEqual(unknown)
  })
})
