import { describe, expect, it } from 'vitest'
import { type Client, sandbox, setField } from './harness'

type Row = [rel: string | null, source: number | null, target: number]

async function rows(tracker: Client, where: string, mode: string, top = ''): Promise<Row[]> {
  const query = `SELECT [System.Id] FROM workitemLinks WHERE ${where} MODE (${mode})`
  const { status, json } = await tracker.post(`/Harbor/_apis/wit/wiql${top}`, { query })
  if (status !== 200) throw new Error(json.message)
  return json.workItemRelations.map((row: any) => [row.rel ?? null, row.source?.id ?? null, row.target.id])
}

const child = 'System.LinkTypes.Hierarchy-Forward'
const waits = 'System.LinkTypes.Dependency-Reverse'
const isChild = `[System.Links.LinkType] = '${child}'`

describe('a tree', () => {
  it('returns everything below an item, parents before children', async () => {
    const tracker = await sandbox()
    const query = `SELECT [System.Id] FROM workitemLinks WHERE [Source].[System.Id] = 101 AND ${isChild} MODE (Recursive)`
    const { json } = await tracker.post('/Harbor/_apis/wit/wiql', { query })
    expect(json.queryType).toBe('tree')
    expect(json.workItemRelations).toHaveLength(30)
    expect(json.workItemRelations[0]).toEqual({ target: { id: 101, url: `${tracker.url}/_apis/wit/workItems/101` } })
    const seen = new Set([101])
    for (const { rel, source, target } of json.workItemRelations.slice(1)) {
      expect(rel).toBe(child)
      expect(seen).toContain(source.id)
      expect(seen).not.toContain(target.id)
      seen.add(target.id)
    }
    expect(seen).toContain(501)
  })

  it('returns an item below its parent if the parent matches, or else as a root', async () => {
    const tracker = await sandbox()
    expect(await rows(tracker, `Source.[System.Id] IN (205, 206, 361) AND ${isChild}`, 'Recursive')).toEqual([
      [null, null, 205],
      [child, 205, 351],
      [child, 205, 352],
      [child, 205, 353],
      [null, null, 206],
      [child, 206, 361],
      [child, 206, 362],
    ])
  })

  it('omits targets that do not match, and everything below them', async () => {
    const tracker = await sandbox()
    const where = `[Source].[System.Id] = 101 AND ${isChild} AND [Target].[System.WorkItemType] <> 'User Story'`
    expect(await rows(tracker, where, 'Recursive')).toEqual([
      [null, null, 101],
      [child, 101, 502],
    ])
  })

  it('omits removed items', async () => {
    const tracker = await sandbox()
    await tracker.send('DELETE', '/_apis/wit/workitems/502')
    expect(await rows(tracker, `[Source].[System.Id] = 101 AND ${isChild}`, 'Recursive')).toHaveLength(29)
  })

  it('is limited by $top', async () => {
    const tracker = await sandbox()
    expect(await rows(tracker, `[Source].[System.Id] = 101 AND ${isChild}`, 'Recursive', '?$top=5')).toHaveLength(5)
  })
})

describe('one hop', () => {
  const dependsOnOpen = `[Source].[System.WorkItemType] = 'User Story' AND [System.Links.LinkType] = '${waits}' AND [Target].[System.State] <> 'Closed'`

  it('returns the items that have a link, and the links', async () => {
    expect(await rows(await sandbox(), dependsOnOpen, 'MustContain')).toEqual([
      [null, null, 205],
      [waits, 205, 215],
      [null, null, 206],
      [waits, 206, 204],
      [null, null, 211],
      [waits, 211, 210],
      [null, null, 216],
      [waits, 216, 215],
    ])
  })

  it('reflects a change', async () => {
    const tracker = await sandbox()
    await tracker.patch('/_apis/wit/workitems/215', [setField('System.State', 'Closed')])
    expect((await rows(tracker, dependsOnOpen, 'MustContain')).map(([, , target]) => target)).not.toContain(215)
  })
})

describe('an invalid query of links', () => {
  it.each([
    [`[Source].[System.Id] = 1 OR [Target].[System.Id] = 2`, 'MustContain', /source, the target or the link alone/],
    [`[System.Links.LinkType] = 'System.LinkTypes.Nonsense'`, 'MustContain', /link type does not exist/],
    [`[System.Links.LinkType] = '${waits}'`, 'Recursive', /makes a tree/],
    ['[Source].[System.Id] = 1', 'Nonsense', /Unknown mode.*«Nonsense»/],
  ])('%s', async (where, mode, message) => {
    await expect(rows(await sandbox(), where, mode)).rejects.toThrow(message)
  })
})
