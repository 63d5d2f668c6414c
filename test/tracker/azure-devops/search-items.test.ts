import { describe, expect, it } from 'vitest'
import { buildSearchBase } from '../../../src/tracker/azure-devops/urls'
import { errorBody, never, openStubbed } from './fixtures'
import type { Behaviour, StubRequest } from './stub-server'

const searchPath = '/Parts Shop/_apis/search/workitemsearchresults'
const wiqlPath = '/Parts Shop/_apis/wit/wiql'
const hit = (id: number) => ({ fields: { 'system.id': String(id), 'system.title': 'x' }, hits: [] })

function openSearch(
  search: (request: StubRequest) => Behaviour,
  query: (request: StubRequest) => Behaviour = () => ({ status: 500 }),
) {
  return openStubbed((request) => {
    if (request.path === searchPath) return search(request)
    return request.path === wiqlPath ? query(request) : null
  })
}

describe('searching', () => {
  it('uses the search of the project, and reads lowercase names and IDs as texts', async () => {
    const { tracker, requests } = await openSearch(() => ({
      json: { count: 31, results: [hit(7), hit(9)], infoCode: 0 },
    }))
    expect(await tracker.search({ text: 'door', itemType: 'Bug', limit: 2 }, never)).toEqual({
      ids: [7, 9],
      total: 31,
      source: 'search',
      partial: false,
    })
    expect(requests[0]!.body).toEqual({
      searchText: 'door',
      $skip: 0,
      $top: 2,
      filters: { 'System.TeamProject': ['Parts Shop'], 'System.WorkItemType': ['Bug'] },
      includeFacets: false,
    })
  })

  it('reports incomplete results', async () => {
    const { tracker } = await openSearch(() => ({ json: { count: 1, results: [hit(7)], infoCode: 1 } }))
    expect(await tracker.search({ text: 'door', itemType: null, limit: 2 }, never)).toMatchObject({ partial: true })
  })

  it('uses a query with escaped quotes if there is no search', async () => {
    const { tracker, requestsTo } = await openSearch(
      () => ({ status: 404, json: errorBody('VssResourceNotFoundException', 'no such controller') }),
      () => ({ json: { workItems: [{ id: 3 }, { id: 2 }, { id: 1 }] } }),
    )
    expect(await tracker.search({ text: "driver's", itemType: 'Bug', limit: 2 }, never)).toEqual({
      ids: [3, 2],
      total: 3,
      source: 'query',
      partial: false,
    })
    const [request] = requestsTo(/wiql/)
    expect(request!.query.get('$top')).toBe('20000')
    expect(request!.body.query).toContain("[System.Title] CONTAINS WORDS 'driver''s'")
    expect(request!.body.query).toContain("[System.WorkItemType] = 'Bug'")
  })
})

describe('the address of the search', () => {
  it.each([
    ['https://dev.azure.com/works', 'https://almsearch.dev.azure.com/works'],
    ['https://works.visualstudio.com', 'https://works.almsearch.visualstudio.com'],
    ['https://tracker.example/tfs/Main', 'https://tracker.example/tfs/Main'],
    ['http://dev.azure.com/works', 'http://dev.azure.com/works'],
    ['http://127.0.0.1:4318/quayside', 'http://127.0.0.1:4318/quayside'],
    ['https://dev.azure.com.evil.example/works', 'https://dev.azure.com.evil.example/works'],
  ])('of %s is %s', (base, search) => {
    expect(buildSearchBase({ base, label: '' })).toBe(search)
  })
})
