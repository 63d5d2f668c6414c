import { describe, expect, it } from 'vitest'
import { execute, silentLog } from '../../../src/kernel'
import { searchWorkspace } from '../../../src/search/operations/search-workspace'
import type { ParsedQuery } from '../../../src/search/rules/parse-query'
import type { SearchIndex, SearchIndexProvider, SearchOptions } from '../../../src/search/services/search-index'
import type { Database } from '../../../src/storage'

const noIndexes: SearchIndexProvider = {
  current: () => Promise.reject(new Error('there is no index')),
  stats: () => Promise.reject(new Error('there is no index')),
  rebuild: () => Promise.reject(new Error('there is no index')),
  close() {},
}

/** Runs the operation over an index that finds one folder. Returns the answer and the query that the index received. */
async function search(
  input: Record<string, unknown>,
  { user = null, indexedAt = null }: { user?: string | null; indexedAt?: string | null } = {},
) {
  const asked: { query: ParsedQuery; options: SearchOptions }[] = []
  const index: SearchIndex = {
    indexedAt,
    knownValues: () => [],
    async search(query, options) {
      asked.push({ query, options })
      const hit = { type: 'folder' as const, id: 1, title: 'Drafts', score: 1.5, snippet: '', highlights: [] }
      return { total: 7, hits: [{ ...hit, state: null, folderId: null, updatedAt: null, url: null, reference: null }] }
    },
  }
  const answer = await execute(searchWorkspace, input, {
    clock: { now: () => 0 },
    ids: { uuid: () => 'id', secret: () => 'secret' },
    actor: { kind: 'local' },
    log: silentLog,
    signal: new AbortController().signal,
    progress() {},
    notice() {},
    db: {} as Database,
    search: { ...noIndexes, current: async () => index },
    user,
  })
  return { answer, asked: asked[0]! }
}

describe('search', () => {
  it('returns the query as it was sent, the total and the results', async () => {
    const { answer, asked } = await search({ q: ' Drafts ' })
    expect(answer).toMatchObject({ query: ' Drafts ', total: 7, results: [{ type: 'folder', id: 1, title: 'Drafts' }] })
    expect(asked.options).toMatchObject({ limit: 20, type: undefined })
  })

  it('returns the age of the index only if it is outdated', async () => {
    const indexedAt = '2026-01-01T00:00:00.000Z'
    const lagging = (await search({ q: 'x' }, { indexedAt })).answer
    expect(lagging).toMatchObject({ total: 7, indexedAt })
    expect(searchWorkspace.cli!.notice!(lagging)).toMatch(/is out of date.*2026-01-01/)
    const current = (await search({ q: 'x' })).answer
    expect(current).not.toHaveProperty('indexedAt')
    expect(searchWorkspace.cli!.notice!(current)).toBeNull()
  })

  it('passes the limit and type to the index', async () => {
    expect((await search({ q: 'x', limit: 200, type: 'draft' })).asked.options).toMatchObject({
      limit: 200,
      type: 'draft',
    })
  })

  it.each([{ q: '' }, { q: ' \t' }, {}])('rejects %j because there is nothing to search for', async (input) => {
    await expect(search(input)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'q', message: expect.any(String) }],
    })
  })

  it.each([0, 201, 1.5])('rejects the limit %d, and names the range', async (limit) => {
    await expect(search({ q: 'dock', limit })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'limit', message: expect.stringContaining('1 to 200') }],
    })
  })

  it.each([{ type: 'bug' }, { colour: 'red' }])('rejects %j', async (input) => {
    await expect(search({ q: 'dock', ...input })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('accepts queries of up to 10,000 characters', async () => {
    expect((await search({ q: 'dock '.repeat(2_000) })).answer).toMatchObject({ total: 7 })
    await expect(search({ q: 'x'.repeat(10_001) })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('resolves @me', async () => {
    const { asked } = await search({ q: 'assignee:@me' }, { user: 'dana@example.com' })
    expect(asked.query.filters).toMatchObject([{ qualifier: 'assignee', value: 'dana@example.com' }])
    await expect(search({ q: 'assignee:@me' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('joins the arguments into one query', () => {
    const { toInput } = searchWorkspace.cli!
    expect(toInput!({ q: ['dock', 'door', '-draft', 'tag:two words'], limit: '5' })).toEqual({
      q: 'dock door -draft tag:"two words"',
      limit: '5',
    })
  })
})
