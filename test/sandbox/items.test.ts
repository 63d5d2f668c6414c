import { describe, expect, it } from 'vitest'
import { rels, sandbox } from './harness'

const html = 'System.Description'

describe('reading one item', () => {
  it('returns its fields, with people as objects and times in the format of the tracker', async () => {
    const tracker = await sandbox()
    const { status, headers, json } = await tracker.get('/Harbor/_apis/wit/workitems/204')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(json).toMatchObject({ id: 204, url: `${tracker.url}/_apis/wit/workItems/204` })
    expect(json.fields).toMatchObject({
      'System.WorkItemType': 'User Story',
      'System.State': 'Active',
      'System.TeamProject': 'Harbor',
      'System.IterationPath': 'Harbor\\2026 Q4\\Sprint 24',
      'System.Parent': 101,
      'System.AssignedTo': { displayName: 'Jonas Lindqvist', uniqueName: 'jonas.lindqvist@quayside.example' },
      'Microsoft.VSTS.Scheduling.StoryPoints': 8,
    })
    expect(json.fields['System.AssignedTo']).toHaveProperty('_links.avatar.href')
    expect(json.fields['System.ChangedDate']).toMatch(/^2026-11-\d\dT[\d:]+(\.\d*[1-9])?Z$/)
    expect(json._links.html.href).toBe(`${tracker.url}/Harbor/_workitems/edit/204`)
  })

  it('omits empty fields', async () => {
    const { json } = await (await sandbox()).get('/_apis/wit/workitems/206')
    expect(json.fields).not.toHaveProperty('System.AssignedTo')
    expect(json.fields).not.toHaveProperty(['Microsoft.VSTS.Scheduling.StoryPoints'])
    expect(json.fields).not.toHaveProperty('System.Id')
    expect(json).not.toHaveProperty('relations')
  })

  it('returns relations, everything or selected fields on request', async () => {
    const tracker = await sandbox()
    const linked = await tracker.get('/_apis/wit/workitems/206?$expand=Relations')
    expect(rels(linked.json)).toEqual([
      ['Hierarchy-Reverse', 101],
      ['Hierarchy-Forward', 361],
      ['Hierarchy-Forward', 362],
      ['Dependency-Reverse', 203],
      ['Dependency-Reverse', 204],
    ])
    const all = await tracker.get('/_apis/wit/workitems/206?%24expand=all')
    expect(all.json.fields).toMatchObject({ 'System.Id': 206, 'System.Rev': all.json.rev, 'System.NodeName': 'Yard' })
    expect(all.json).toHaveProperty('relations')
    const some = await tracker.get('/_apis/wit/workitems/206?fields=system.title,System.Id')
    expect(some.json.fields).toEqual({ 'System.Title': expect.any(String), 'System.Id': 206 })
    expect(some.json).not.toHaveProperty('_links')
  })

  it('rejects fields together with $expand', async () => {
    const { status, json } = await (await sandbox()).get('/_apis/wit/workitems/204?fields=System.Id&$expand=relations')
    expect(status).toBe(400)
    expect(json).toMatchObject({ typeKey: 'ConflictingParametersException', $id: '1' })
  })

  it('rejects a field that does not exist', async () => {
    const { status, json } = await (await sandbox()).get('/_apis/wit/workitems/204?fields=System.Nonsense')
    expect([status, json.message]).toEqual([400, 'TF51535: Cannot find field System.Nonsense.'])
  })

  it('returns 404 in the format of the tracker for a missing item', async () => {
    const { status, json } = await (await sandbox()).get('/_apis/wit/workitems/9999')
    expect(status).toBe(404)
    expect(json).toEqual({
      $id: '1',
      innerException: null,
      message: 'TF401232: Work item 9999 does not exist, or you do not have permissions to read it.',
      typeName: expect.any(String),
      typeKey: 'WorkItemUnauthorizedAccessException',
      errorCode: 0,
      eventId: 3200,
    })
  })

  it('marks only long texts in Markdown', async () => {
    const tracker = await sandbox()
    const markdown = await tracker.get('/_apis/wit/workitems/210')
    expect(markdown.json.multilineFieldsFormat).toEqual({
      [html]: 'Markdown',
      'Microsoft.VSTS.Common.AcceptanceCriteria': 'markdown',
    })
    expect((await tracker.get('/_apis/wit/workitems/204')).json).not.toHaveProperty('multilineFieldsFormat')
  })

  it('puts its current address into long texts', async () => {
    const tracker = await sandbox()
    const { json } = await tracker.get('/_apis/wit/workitems/205')
    expect(json.fields[html]).toContain(`href="${tracker.url}/Harbor/_workitems/edit/215"`)
    expect(json.fields[html]).not.toContain('{tracker}')
  })
})

describe('a separate web address', () => {
  it('is used in links to pages and in texts, but not in the API', async () => {
    const tracker = await sandbox({ webOrigin: 'http://127.0.0.1:4318' })
    expect(tracker.webUrl).toBe('http://127.0.0.1:4318/quayside')
    const { json } = await tracker.get('/_apis/wit/workitems/205')
    expect(json.url).toBe(`${tracker.url}/_apis/wit/workItems/205`)
    expect(json._links.html.href).toBe(`${tracker.webUrl}/Harbor/_workitems/edit/205`)
    expect(json.fields[html]).toContain(`href="${tracker.webUrl}/Harbor/_workitems/edit/215"`)
    expect(json.fields[html]).not.toContain(tracker.url)
  })
})

describe('reading many items', () => {
  it('returns each ID once', async () => {
    const { json } = await (await sandbox()).post('/_apis/wit/workitemsbatch', {
      ids: [204, 101, 204],
      fields: ['System.Title'],
    })
    expect(json.count).toBe(2)
    expect(json.value.map((item: any) => item.id)).toEqual([204, 101])
  })

  it('fails as a whole for one invalid ID, unless errorPolicy is omit', async () => {
    const tracker = await sandbox()
    const strict = await tracker.post('/_apis/wit/workitemsbatch', { ids: [101, 9999] })
    expect(strict.status).toBe(404)
    expect(strict.json.message).toContain('TF401232: Work item 9999')
    const lenient = await tracker.post('/_apis/wit/workitemsbatch', { ids: [9999, 101], errorPolicy: 'Omit' })
    expect(lenient.json).toMatchObject({ count: 1, value: [{ id: 101 }] })
    const byGet = await tracker.get('/_apis/wit/workitems?ids=101,9999,102&errorPolicy=omit&$expand=relations')
    expect(byGet.json.value.map((item: any) => item.id)).toEqual([101, 102])
    expect((await tracker.get('/_apis/wit/workitems?ids=101,9999')).status).toBe(404)
  })

  it('accepts up to 200 IDs', async () => {
    const tracker = await sandbox()
    const ids = Array.from({ length: 201 }, (_, at) => at + 1)
    const tooMany = await tracker.post('/_apis/wit/workitemsbatch', { ids, errorPolicy: 'omit' })
    expect([tooMany.status, tooMany.json.message]).toEqual([400, expect.stringContaining('VS403474')])
    expect((await tracker.post('/_apis/wit/workitemsbatch', { ids: ids.slice(1), errorPolicy: 'omit' })).status).toBe(
      200,
    )
  })

  it('rejects fields together with $expand in a batch', async () => {
    const body = { ids: [101], fields: ['System.Id'], $expand: 'relations' }
    expect((await (await sandbox()).post('/_apis/wit/workitemsbatch', body)).status).toBe(400)
  })
})
