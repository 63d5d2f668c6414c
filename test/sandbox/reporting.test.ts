import { describe, expect, it } from 'vitest'
import { type Client, linkTo, sandbox, setField } from './harness'

const revisions = '/Harbor/_apis/wit/reporting/workitemrevisions'
const links = '/Harbor/_apis/wit/reporting/workitemlinks'

/** Reads all batches, and returns the token after them. */
async function drain(tracker: Client, path: string): Promise<{ values: any[]; token: string; batches: number }> {
  const values: any[] = []
  for (let next = tracker.url + path, batches = 1; ; batches += 1) {
    const { json } = await tracker.get(next.slice(tracker.url.length))
    values.push(...json.values)
    if (json.isLastBatch) return { values, token: json.continuationToken, batches }
    const size = /maxPageSize=\d+/.exec(path)?.[0]
    next = `${json.nextLink}&$${size}`
  }
}

const marks = (values: any[]) => values.map(({ id, rev }) => [id, rev])

describe('revisions after a token', () => {
  it('are listed in chronological order, batch by batch, each once', async () => {
    const tracker = await sandbox()
    const { values, batches } = await drain(tracker, `${revisions}?$maxPageSize=100`)
    expect(batches).toBeGreaterThan(2)
    const dates = values.map((value) => Date.parse(value.fields['System.ChangedDate']))
    expect(dates).toEqual([...dates].sort((a, b) => a - b))
    expect(new Set(marks(values).map(String)).size).toBe(values.length)
  })

  it('contain only the latest revision of each item on request', async () => {
    const tracker = await sandbox()
    const { values } = await drain(tracker, `${revisions}?includeLatestOnly=true`)
    expect(new Set(values.map((value) => value.id)).size).toBe(values.length)
    const { rev } = (await tracker.get('/_apis/wit/workitems/204')).json
    expect(marks(values)).toContainEqual([204, rev])
  })

  it('contain only later changes', async () => {
    const tracker = await sandbox()
    const { token } = await drain(tracker, `${revisions}?includeLatestOnly=true`)
    const none = await tracker.get(`${revisions}?includeLatestOnly=true&continuationToken=${token}`)
    expect(none.json).toMatchObject({ values: [], isLastBatch: true, continuationToken: token })
    await tracker.patch('/_apis/wit/workitems/204', [setField('System.Title', 'Once')])
    await tracker.patch('/_apis/wit/workitems/204', [setField('System.Title', 'Twice')])
    const { json } = await tracker.get(`${revisions}?includeLatestOnly=true&continuationToken=${token}`)
    expect(json.values).toHaveLength(1)
    expect(json.values[0].fields).toMatchObject({
      'System.Id': 204,
      'System.Title': 'Twice',
      'System.ChangedBy': 'Hannah Okafor <hannah.okafor@quayside.example>',
    })
  })

  it('do not contain changes of links', async () => {
    const tracker = await sandbox()
    const { token } = await drain(tracker, revisions)
    await tracker.patch('/_apis/wit/workitems/217', [linkTo(tracker, 'System.LinkTypes.Dependency-Reverse', 219)])
    expect((await tracker.get(`${revisions}?continuationToken=${token}`)).json.values).toEqual([])
  })

  it('contain removed items on request', async () => {
    const tracker = await sandbox()
    const { token } = await drain(tracker, revisions)
    await tracker.send('DELETE', '/_apis/wit/workitems/508')
    expect((await tracker.get(`${revisions}?continuationToken=${token}`)).json.values).toEqual([])
    const { json } = await tracker.get(`${revisions}?continuationToken=${token}&includeDeleted=true`)
    expect(json.values).toMatchObject([{ id: 508, fields: { 'System.IsDeleted': true } }])
  })

  it('can be limited to some fields', async () => {
    const { json } = await (await sandbox()).get(`${revisions}?includeLatestOnly=true&fields=System.Title`)
    expect(Object.keys(json.values[0].fields)).toEqual(['System.Title'])
  })

  it('begin at a time or after a token, but not both', async () => {
    const tracker = await sandbox()
    const { values } = await drain(tracker, `${revisions}?startDateTime=2026-11-17T00:00:00Z`)
    expect(values.length).toBeGreaterThan(0)
    expect(values.every((value) => value.fields['System.ChangedDate'] >= '2026-11-17')).toBe(true)
    const both = await tracker.get(`${revisions}?startDateTime=2026-11-17T00:00:00Z&continuationToken=5`)
    expect([both.status, both.json.typeKey]).toEqual([400, 'ConflictingParametersException'])
    expect((await tracker.get(`${revisions}?continuationToken=nonsense`)).status).toBe(400)
  })
})

describe('links after a token', () => {
  it('contain added and removed links', async () => {
    const tracker = await sandbox()
    const { token } = await drain(tracker, links)
    await tracker.patch('/_apis/wit/workitems/217', [linkTo(tracker, 'System.LinkTypes.Dependency-Reverse', 219)])
    const added = await tracker.get(`${links}?continuationToken=${token}`)
    expect(added.json.values).toMatchObject([
      { rel: 'System.LinkTypes.Dependency', sourceId: 219, targetId: 217, isActive: true },
    ])
    const { relations } = (await tracker.get('/_apis/wit/workitems/217?$expand=relations')).json
    await tracker.patch('/_apis/wit/workitems/217', [{ op: 'remove', path: `/relations/${relations.length - 1}` }])
    const removed = await tracker.get(`${links}?continuationToken=${added.json.continuationToken}`)
    expect(removed.json.values).toMatchObject([
      { sourceId: 219, targetId: 217, isActive: false, changedOperation: 'remove' },
    ])
  })
})
