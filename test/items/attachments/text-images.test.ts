import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { addComment } from '../../../src/items/operations/comments/add-comment'
import { listComments } from '../../../src/items/operations/comments/list-comments'
import { createItem } from '../../../src/items/operations/create-item'
import { getItem } from '../../../src/items/operations/get-item'
import { deleteItem } from '../../../src/items/operations/steps/delete-item'
import { execute, type StudioError } from '../../../src/kernel'
import { deriveActions } from '../../../src/mcp/actions'
import { runAction } from '../../../src/mcp/run-action'
import { files as beginnings } from '../../docks/attachments/attachment-files'
import { openAttachmentSite, remoteFile } from './attachment-site'

const png = beginnings.png.toString('base64')
const TEXT = 'The gate:\n\n![The gate](./shots/gate.png)'
const files = [{ path: './shots/gate.png', content: png }]
const ADDRESS = 'https://tracker.example/files/new-1'

async function openSite() {
  const site = await openAttachmentSite()
  const create = (input: object = {}) =>
    site.run(createItem, { type: 'Task', title: 'A gate', updates: { Description: TEXT }, files, ...input })
  const comment = (input: object = {}) => site.run(addComment, { id: 204, text: TEXT, files, ...input })
  const update = (input: object = {}) =>
    site.run(batchUpdate, { itemIds: [204], updates: { Description: TEXT }, files, ...input })
  const textOf = async (id: number) =>
    String((await site.run(getItem, { id, raw: true })).fields['System.Description'] ?? '')
  const changes = () =>
    site.sandbox.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('workitemsbatch'))
  return { ...site, create, comment, update, textOf, changes }
}

describe('the images of a new work item', () => {
  it('are attached to it once it exists, and its text shows them', async () => {
    const { create, textOf, added } = await openSite()
    const created = await create()
    expect(created.uploads).toMatchObject([{ name: 'gate.png', bytes: beginnings.png.length }])
    expect(added).toMatchObject([{ file: { itemId: created.id, name: 'gate.png', mediaType: 'image/png' } }])
    expect(await textOf(created.id)).toContain(`src="${ADDRESS}"`)
  })

  it('are named by a dry run, which sends nothing', async () => {
    const { create, added } = await openSite()
    const preview = await create({ dryRun: true })
    expect(preview.uploads).toMatchObject([{ name: 'gate.png' }])
    expect(JSON.stringify(preview)).not.toContain('attachment.invalid')
    expect(added).toEqual([])
    await create({ planId: preview.planId })
    expect(added).toHaveLength(1)
  })

  it('are attached by the next call if this one ends before, to the same item', async () => {
    const { create, textOf, added, outcomes } = await openSite()
    outcomes.push(() => ({ status: 'rejected', message: 'The disk is full.' }))
    await expect(create()).rejects.toThrow(/was created, without its images/)
    const { id } = await create()
    expect(added.map(({ file }) => file.itemId)).toEqual([id, id])
    expect(await textOf(id)).toContain('https://tracker.example/files/new-2')
    expect((await create()).id).not.toBe(id)
  })

  it('are not awaited by the same values any more once the item was deleted', async () => {
    const { create, run, outcomes } = await openSite()
    outcomes.push(() => ({ status: 'rejected', message: 'The disk is full.' }))
    const error = await create().catch((thrown: StudioError) => thrown)
    const id = Number(/Work item (\d+) was created/.exec(error.message)![1])
    await run(deleteItem, { id })
    await expect(create()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`Work item ${id}, which an earlier call created without its images`),
    })
    expect((await create()).id).not.toBe(id)
  })
})

describe('the images of a comment', () => {
  it('are attached before it is added, and it shows them', async () => {
    const { comment, run, added } = await openSite()
    const preview = await comment({ dryRun: true })
    expect(preview).toMatchObject({
      uploads: [{ name: 'gate.png' }],
      text: expect.stringContaining('./shots/gate.png'),
    })
    expect(added).toEqual([])
    await comment({ planId: preview.planId })
    const { comments } = await run(listComments, { id: 204 })
    expect(comments.at(-1).text).toContain(ADDRESS)
  })

  it('keep it from being added if one cannot be attached', async () => {
    const { comment, outcomes, changes } = await openSite()
    outcomes.push(() => ({ status: 'rejected', message: 'The disk is full.' }))
    await expect(comment()).rejects.toThrow(/rejected gate.png, and no text was sent/)
    expect(changes()).toEqual([])
  })

  it('are sent once for several comments', async () => {
    const { comment, added } = await openSite()
    await comment()
    expect((await comment({ text: `Again: ${TEXT}` })).uploads).toEqual([])
    expect(added).toHaveLength(1)
  })
})

describe('the images of texts that are set', () => {
  it('are attached to each item, whose text has their addresses', async () => {
    const { update, textOf, added } = await openSite()
    const preview = await update({ itemIds: [204, 205], dryRun: true })
    expect(preview.uploads).toMatchObject([{ name: 'gate.png' }])
    expect(JSON.stringify(preview)).not.toContain('attachment.invalid')
    expect(added).toEqual([])
    await update({ itemIds: [204, 205], planId: preview.planId })
    expect(added.map(({ file }) => file.itemId)).toEqual([204, 205])
    expect(await textOf(204)).toContain('files/new-1')
    expect(await textOf(205)).toContain('files/new-2')
    expect((await update({ dryRun: true })).results[0].changes).toEqual([])
  })

  it('leave the other ends of links in the answer once', async () => {
    const { update } = await openSite()
    const updates = { Description: TEXT, Parent: 102 }
    expect((await update({ itemIds: [204, 205], updates, dryRun: true })).linked).toMatchObject([
      { id: 102 },
      { id: 101 },
    ])
  })

  it('keep a text from being sent if one cannot be attached', async () => {
    const { update, outcomes, changes } = await openSite()
    outcomes.push(() => ({ status: 'unknown', message: 'The response was lost.' }))
    await expect(update()).rejects.toMatchObject({ code: 'tracker_timeout' })
    expect(changes()).toEqual([])
  })
})

describe('a file of this machine', () => {
  it('is not read for a text that names it, whatever the current folder has', async () => {
    const { create, comment, update, added, cwd } = await openSite()
    writeFileSync(join(cwd, 'shot.png'), beginnings.png)
    const text = '![x](./shot.png)'
    for (const refused of [
      () => create({ updates: { Description: text }, files: undefined }),
      () => comment({ text, files: undefined }),
      () => update({ updates: { Description: text }, files: undefined }),
      () => comment({ text }),
    ])
      await expect(refused()).rejects.toMatchObject({
        code: 'invalid',
        details: [{ message: expect.stringContaining('is a file of this machine') }],
      })
    expect(added).toEqual([])
  })

  it('is not read for an agent either, whose tool runs on this machine', async () => {
    const { cwd, added, context } = await openSite()
    writeFileSync(join(cwd, 'shot.png'), beginnings.png)
    const actions = deriveActions([addComment])
    const host = { actorFor: () => ({ kind: 'agent' }), open: async () => ({ context: context(), done() {} }) }
    const calling = { actions, host, context: { mcpReq: { signal: new AbortController().signal } } } as any
    await expect(runAction('items.comment', { id: 204, text: '![x](./shot.png)' }, calling)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ message: expect.stringContaining('is a file of this machine') }],
    })
    expect(added).toEqual([])
  })

  it.each(['../x.png', '/etc/passwd', 'file:///x.png'])('is no path of an image: %s', async (path) => {
    const { comment } = await openSite()
    await expect(comment({ files: [{ path, content: png }] })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'files.0.path' }],
    })
  })
})

describe('a tracker whose texts show files by their names', () => {
  it('gets an image under a name that no other file of the item has', async () => {
    const { comment, added, files: remote, studio } = await openSite()
    const tracker = await studio.context({ actor: { kind: 'terminal', tenant: 'default' } }).tracker()
    tracker.parts.uploads!.showsByName = async () => true
    remote.set(204, [remoteFile('Gate.png', 'another picture')])
    await comment()
    const other = Buffer.concat([beginnings.png, Buffer.from('other')]).toString('base64')
    await comment({ files: [{ path: './shots/gate.png', content: other }] })
    expect(added.map(({ file }) => file.name)).toEqual(['gate-2.png', 'gate-3.png'])
  })
})

describe('two calls at once', () => {
  it('attach an image once', async () => {
    const { comment, added, outcomes } = await openSite()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const begun = new Promise<void>((resolve) => {
      outcomes.push(async (attachment) => {
        resolve()
        await released
        return { status: 'added', attachment }
      })
    })
    const first = comment()
    await begun
    await expect(comment({ text: `Second: ${TEXT}` })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Another call is attaching gate.png'),
    })
    release()
    await first
    await comment({ text: `Second: ${TEXT}` })
    expect(added).toHaveLength(1)
  })

  it('are followed by one that looks for the file, if the process of the first ended between sending and recording', async () => {
    const { added, outcomes, files: remote, context } = await openSite()
    const call = (ms: number, text: string) => {
      const ctx = context()
      const clock = { ...ctx.clock, now: () => Date.UTC(2026, 10, 24, 9) + ms }
      return execute(addComment, { id: 204, text, files }, { ...ctx, clock })
    }
    const ended = new Promise<void>((resolve) => {
      outcomes.push((attachment) => {
        remote.set(204, [attachment])
        resolve()
        return new Promise<never>(() => {})
      })
    })
    // The call never goes on, as if its process had been killed.
    void call(0, TEXT)
    await ended
    await expect(call(60_000, `Second: ${TEXT}`)).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 120 })
    await call(180_000, `Third: ${TEXT}`)
    expect(added).toHaveLength(1)
  })
})
