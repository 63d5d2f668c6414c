import { describe, expect, it } from 'vitest'
import { errorBody, errorOf, listOf, never, openStubbed, wireItem } from './fixtures'
import type { Reply, StubRequest } from './stub-server'

const projects =
  (...names: string[]) =>
  ({ path }: StubRequest): Reply | null => {
    if (path === '/_apis/projects')
      return { json: listOf(names.map((name) => ({ id: name, name, state: 'wellFormed' }))) }
    return path.startsWith('/_apis/wit/workitems/') ? { json: wireItem({ id: 12 }) } : null
  }

describe('a project that is not configured', () => {
  it('is the only project, which is requested once', async () => {
    const { tracker, url, requestsTo } = await openStubbed(projects('Parts Shop'), { project: null })
    expect(tracker.name).toBe(url.replace('http://', ''))
    const item = await tracker.getItem(12, never)
    await tracker.getItem(12, never)
    expect(item.url).toBe(`${url}/Parts%20Shop/_workitems/edit/12`)
    expect(tracker.name).toBe(`${url.replace('http://', '')}/Parts Shop`)
    expect(requestsTo(/projects/)).toHaveLength(1)
  })

  it('must be configured if there are several', async () => {
    const { tracker } = await openStubbed(projects('Parts Shop', 'Fleet'), { project: null })
    const error = await errorOf(tracker.getItem(12, never))
    expect(error).toMatchObject({ code: 'invalid' })
    expect(error.message).toContain('Parts Shop, Fleet')
    expect(error.hint).toContain('STUDIO_TRACKER_PROJECT')
  })

  it('must be configured if there is none, or if projects cannot be listed', async () => {
    const none = await openStubbed(projects(), { project: null })
    expect(await errorOf(none.tracker.getItem(12, never))).toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining('STUDIO_TRACKER_PROJECT'),
    })
    const refusal: Reply = { status: 403, json: errorBody('AccessDeniedException', 'no') }
    const hidden = await openStubbed(
      (request) => (request.path === '/_apis/projects' ? refusal : projects()(request)),
      {
        project: null,
      },
    )
    expect(await errorOf(hidden.tracker.getItem(12, never))).toMatchObject({ code: 'invalid' })
  })
})

describe('a configured project', () => {
  it('is not requested', async () => {
    const { tracker, requestsTo } = await openStubbed(projects('Other'))
    await tracker.getItem(12, never)
    expect(tracker.name).toMatch(/\/works\/Parts Shop$/)
    expect(requestsTo(/projects/)).toHaveLength(0)
  })
})

describe('the name of a tracker', () => {
  it('is that of the settings if there is one', async () => {
    const { tracker } = await openStubbed(projects(), { name: 'sandbox' })
    expect(tracker.name).toBe('sandbox')
  })
})

describe('the page of an item', () => {
  it('can have another address than the API', async () => {
    const { tracker } = await openStubbed(projects(), { webUrl: 'https://pages.example/works/' })
    const { url } = await tracker.getItem(12, never)
    expect(url).toBe('https://pages.example/works/Parts%20Shop/_workitems/edit/12')
  })
})
