import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectOwnerOnly } from '../file-mode'
import { generatedState } from './generated-state'
import { sandbox, setField, temporaryFile, testRev } from './harness'

const item = (id: number) => `/_apis/wit/workitems/${id}`
const title = (text: string) => setField('System.Title', text)

describe('the state file', () => {
  it('is created by the first change, readable only by its owner', async () => {
    const file = temporaryFile()
    const tracker = await sandbox({ file })
    await tracker.get(item(101))
    expect(existsSync(file)).toBe(false)
    await tracker.patch(item(101), [title('Changed')])
    expectOwnerOnly(file)
    expectOwnerOnly(join(file, '..'))
    expect(readdirSync(join(file, '..'))).toEqual(['tracker.json'])
  })

  it('restores everything in the next run', async () => {
    const file = temporaryFile()
    const first = await sandbox({ file })
    await first.patch(item(101), [title('Changed')])
    const made = await first.patch('/Harbor/_apis/wit/workitems/$Task', [title('Made')])
    await first.send('DELETE', item(508))
    const before = await first.get(`${item(206)}?$expand=all`)
    await first.close()
    const second = await sandbox({ file })
    expect((await second.get(item(101))).json.fields['System.Title']).toBe('Changed')
    expect((await second.get(item(made.json.id))).json.fields['System.Title']).toBe('Made')
    expect((await second.get(item(508))).status).toBe(404)
    const after = await second.get(`${item(206)}?$expand=all`)
    expect(after.text.replaceAll(second.url, first.url)).toBe(before.text)
  })

  it('is not written by a rejected change', async () => {
    const file = temporaryFile()
    const tracker = await sandbox({ file })
    await tracker.patch(item(101), [testRev(99), title('x')])
    await tracker.patch(item(101), [setField('System.State', 'Active')])
    expect(existsSync(file)).toBe(false)
  })

  it('is shared by several servers', async () => {
    const file = temporaryFile()
    const [one, two] = [await sandbox({ file }), await sandbox({ file })]
    await one.patch(item(101), [title('From one')])
    expect((await two.get(item(101))).json.fields['System.Title']).toBe('From one')
    await two.patch(item(101), [title('From two')])
    expect((await one.get(item(101))).json.fields['System.Title']).toBe('From two')
  })

  it('loses no change if two servers write concurrently', async () => {
    const file = temporaryFile()
    const servers = [await sandbox({ file }), await sandbox({ file })]
    const { rev } = (await servers[0]!.get(item(101))).json
    const writes = Array.from({ length: 20 }, (_, at) => servers[at % 2]!.patch(item(101), [title(`Title ${at}`)]))
    const revisions = (await Promise.all(writes)).map((reply) => reply.json.rev)
    expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => rev + 1 + at))
  })

  it('accepts one of two concurrent changes to the same revision', async () => {
    const file = temporaryFile()
    const servers = [await sandbox({ file }), await sandbox({ file })]
    const { rev } = (await servers[0]!.get(item(101))).json
    const writes = servers.map((server, at) => server.patch(item(101), [testRev(rev), title(`Title ${at}`)]))
    expect((await Promise.all(writes)).map((reply) => reply.status).sort()).toEqual([200, 412])
  })

  it('can be deleted to start again, also while a server runs', async () => {
    const file = temporaryFile()
    const tracker = await sandbox({ file })
    const before = (await tracker.get(item(101))).json
    await tracker.patch(item(101), [title('Gone soon')])
    rmSync(file)
    expect((await tracker.get(item(101))).json).toEqual(before)
  })

  it.each([
    ['damaged', '{"format":1,'],
    ['not one that this version can read', '{"format":99}'],
    ['not one that this version can read', '[]'],
  ])('that is %s prevents the start, with a hint', async (says, content) => {
    const file = temporaryFile()
    const folder = join(file, '..', '..')
    const path = join(folder, 'tracker.json')
    writeFileSync(path, content)
    await expect(sandbox({ file: path })).rejects.toMatchObject({
      name: 'StudioError',
      code: 'tracker_unavailable',
      message: expect.stringMatching(new RegExp(`${path.replaceAll('\\', '\\\\')}.*${says}`)),
      hint: expect.stringContaining(`rm ${path}`),
    })
  })

  it('causes 503 if it is damaged later', async () => {
    const file = temporaryFile()
    const tracker = await sandbox({ file })
    await tracker.patch(item(101), [title('x')])
    writeFileSync(file, 'oops')
    const { status, json } = await tracker.get(item(101))
    expect([status, json.message]).toEqual([503, expect.stringContaining('is damaged')])
  })
})

describe('a given state', () => {
  it('is the initial state, and does not change', async () => {
    const seed = generatedState(300)
    const copy = structuredClone(seed)
    const tracker = await sandbox({ seed })
    expect(tracker.url).toMatch(/\/many$/)
    expect(tracker.project).toBe('Big')
    await tracker.patch(item(1), [title('Changed')])
    await tracker.send('DELETE', item(2))
    expect(seed).toEqual(copy)
    expect((await (await sandbox({ seed })).get(item(1))).json.fields['System.Title']).toBe('Feature number 1')
  })

  it('can have fifty thousand items', async () => {
    const tracker = await sandbox({ seed: generatedState(50_000) })
    const query =
      "SELECT [System.Id] FROM workitemLinks WHERE [Source].[System.Id] = 49901 AND [System.Links.LinkType] = 'System.LinkTypes.Hierarchy-Forward' MODE (Recursive)"
    const { json } = await tracker.post('/Big/_apis/wit/wiql', { query })
    expect(json.workItemRelations).toHaveLength(100)
    const batch = await tracker.post('/_apis/wit/workitemsbatch', {
      ids: Array.from({ length: 200 }, (_, at) => 200 * (at + 1)),
      $expand: 'relations',
    })
    expect(batch.json.count).toBe(200)
    expect((await tracker.patch(item(50_000), [title('Last')])).json.rev).toBe(2)
  })
})
