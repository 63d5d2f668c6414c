import { describe, expect, it } from 'vitest'
import { type Client, sandbox, setField } from './harness'

const path = '/Harbor/_apis/search/workitemsearchresults'
const found = async (tracker: Client, searchText: string, more = {}) =>
  (await tracker.post(path, { searchText, $skip: 0, $top: 50, ...more })).json

const idsOf = (json: any) => json.results.map((result: any) => Number(result.fields['system.id']))

describe('the search', () => {
  it('returns fields in lower case with text values', async () => {
    const tracker = await sandbox()
    const json = await found(tracker, 'licence plate')
    expect(json.infoCode).toBe(0)
    expect(json.results[0]).toMatchObject({
      project: { name: 'Harbor' },
      fields: {
        'system.id': '202',
        'system.workitemtype': 'User Story',
        'system.assignedto': 'Jonas Lindqvist <jonas.lindqvist@quayside.example>',
        'system.state': 'Closed',
      },
      url: `${tracker.url}/_apis/wit/workItems/202`,
    })
    expect(Object.values(json.results[0].fields).every((value) => typeof value === 'string')).toBe(true)
  })

  it('requires all words, in any fields, and ranks the title first', async () => {
    const tracker = await sandbox()
    expect(idsOf(await found(tracker, 'kiosk mud'))).toEqual([202])
    expect(idsOf(await found(tracker, 'kiosk unicorn'))).toEqual([])
    expect(idsOf(await found(tracker, 'punctuality'))[0]).toBe(217)
  })

  it('searches the visible text, not markup', async () => {
    const tracker = await sandbox()
    expect(idsOf(await found(tracker, 'MsoNormal'))).toEqual([])
    expect(idsOf(await found(tracker, 'gatehouse'))).toContain(204)
  })

  it('finds an item by its number, and words by their prefix', async () => {
    const tracker = await sandbox()
    expect(idsOf(await found(tracker, '204'))[0]).toBe(204)
    expect(idsOf(await found(tracker, 'punctu*'))).toContain(217)
    expect(idsOf(await found(tracker, 'punctu'))).toEqual([])
  })

  it('supports filters and pages', async () => {
    const tracker = await sandbox()
    const bugs = await found(tracker, 'door', {
      filters: { 'System.WorkItemType': ['Bug'], 'System.TeamProject': ['Harbor'] },
    })
    expect(idsOf(bugs)).toEqual([501])
    const yard = await found(tracker, 'door', { filters: { 'System.AreaPath': ['Harbor\\Floor'] } })
    expect(idsOf(yard)).not.toContain(204)
    const all = await found(tracker, 'as')
    const page = await found(tracker, 'as', { $skip: 2, $top: 3 })
    expect(page.count).toBe(all.count)
    expect(idsOf(page)).toEqual(idsOf(all).slice(2, 5))
    expect((await tracker.post(path, { searchText: 'x', filters: { 'System.Title': ['x'] } })).status).toBe(400)
  })

  it('reflects a change immediately', async () => {
    const tracker = await sandbox()
    await tracker.patch('/_apis/wit/workitems/507', [setField('System.Title', 'Zeppelin')])
    expect(idsOf(await found(tracker, 'zeppelin'))).toEqual([507])
  })

  it('rejects an empty search', async () => {
    expect((await (await sandbox()).post(path, { searchText: '  ' })).status).toBe(400)
  })
})
