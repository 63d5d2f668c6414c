import { describe, expect, it } from 'vitest'
import { rels, sandbox } from './harness'

const BIN = '/Harbor/_apis/wit/recyclebin'

async function restore(tracker: Awaited<ReturnType<typeof sandbox>>, id: number, body: unknown = { IsDeleted: false }) {
  const headers = { 'content-type': 'application/json' }
  return tracker.send('PATCH', `${BIN}/${id}`, { headers, body: JSON.stringify(body) })
}

describe('the recycle bin', () => {
  it('has deleted items, and gives them back with their links', async () => {
    const tracker = await sandbox()
    const before = (await tracker.get('/_apis/wit/workitems/204?$expand=relations')).json
    expect((await tracker.send('DELETE', '/_apis/wit/workitems/204')).status).toBe(200)
    expect((await tracker.get('/_apis/wit/workitems/204')).status).toBe(404)
    expect((await tracker.get(`${BIN}/204`)).json).toMatchObject({ id: 204, project: 'Harbor' })
    expect((await restore(tracker, 204)).json).toMatchObject({ id: 204, code: 200 })
    const after = (await tracker.get('/_apis/wit/workitems/204?$expand=relations')).json
    expect(after.rev).toBe(before.rev + 2)
    expect(rels(after).sort()).toEqual(rels(before).sort())
    expect((await tracker.get(`${BIN}/204`)).status).toBe(404)
  })

  it('gives back no item that is not in it, and takes no other change', async () => {
    const tracker = await sandbox()
    expect((await restore(tracker, 204)).status).toBe(404)
    await tracker.send('DELETE', '/_apis/wit/workitems/344')
    expect((await restore(tracker, 344, {})).status).toBe(400)
  })

  it('gives back an item without the parent that it has no more', async () => {
    const tracker = await sandbox()
    await tracker.send('DELETE', '/_apis/wit/workitems/344')
    await tracker.send('DELETE', '/_apis/wit/workitems/204')
    expect((await restore(tracker, 344)).status).toBe(200)
    const links = rels((await tracker.get('/_apis/wit/workitems/344?$expand=relations')).json)
    expect(links).not.toContainEqual(['Hierarchy-Reverse', 204])
  })
})
