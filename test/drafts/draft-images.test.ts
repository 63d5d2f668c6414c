import { describe, expect, it } from 'vitest'
import { deleteDraft } from '../../src/drafts/operations/delete-draft'
import { getDraft } from '../../src/drafts/operations/get-draft'
import { publishDraft } from '../../src/drafts/operations/publish-draft'
import { publishTree } from '../../src/drafts/operations/publish-tree'
import { saveDraft } from '../../src/drafts/operations/save-draft'
import { getItem } from '../../src/items/operations/get-item'
import { execute } from '../../src/kernel'
import { files as beginnings } from '../docks/attachments/attachment-files'
import { openAttachmentSite } from '../items/attachments/attachment-site'

const png = beginnings.png.toString('base64')
const TEXT = 'The gate:\n\n![The gate](./shots/gate.png)\n\nand `![x](./shots/gate.png)` in code.'

async function openSite() {
  const site = await openAttachmentSite()
  const save = (input: object = {}) =>
    site.run(saveDraft, {
      title: 'A gate',
      description: TEXT,
      files: [{ path: './shots/gate.png', content: png }],
      ...input,
    })
  const publish = (input: object = {}) => site.run(publishDraft, { id: 1, type: 'Bug', ...input })
  /** Some time after the first call, when its claim has ended. */
  const publishLater = (input: object = {}) => {
    const ctx = site.context()
    const clock = { ...ctx.clock, now: () => Date.now() + 3 * 60_000 }
    return execute(publishDraft, { id: 1, ...input }, { ...ctx, clock })
  }
  const textOf = async (id: number) => {
    const { fields } = await site.run(getItem, { id, raw: true })
    return String(fields['Microsoft.VSTS.TCM.ReproSteps'] ?? fields['System.Description'])
  }
  return { ...site, save, publish, publishLater, textOf }
}

describe('the images of a draft', () => {
  it('are attached when it is published, and shown by the address of the tracker', async () => {
    const { save, publish, textOf, added } = await openSite()
    await save()
    const published = await publish()
    expect(published).toMatchObject({ action: 'create', uploads: [{ name: 'gate.png', bytes: beginnings.png.length }] })
    expect(added).toMatchObject([{ file: { itemId: published.itemId, name: 'gate.png', mediaType: 'image/png' } }])
    expect(added[0]!.bytes).toEqual(beginnings.png)
    const text = await textOf(published.itemId)
    expect(text).toContain('src="https://tracker.example/files/new-1"')
    expect(text).toContain('![x](./shots/gate.png)')
    expect(text).not.toContain('attachment.invalid')
  })

  it('are shown in a dry run, which sends nothing and which the plan then does', async () => {
    const { save, publish, added, sandbox } = await openSite()
    await save()
    const preview = await publish({ dryRun: true })
    expect(preview.uploads).toMatchObject([{ name: 'gate.png' }])
    expect(JSON.stringify(preview)).not.toContain('attachment.invalid')
    expect(added).toEqual([])
    expect(
      sandbox.requests.filter(({ method }) => method !== 'GET').every(({ path }) => path.includes('validateOnly')),
    ).toBe(true)
    await publish({ planId: preview.planId })
    expect(added).toHaveLength(1)
    const again = await publish({ type: undefined, dryRun: true })
    expect(again).toMatchObject({ action: 'update', changes: [], uploads: [] })
  })

  it('are not sent again with a later change, and a new one is', async () => {
    const { save, publish, textOf, added } = await openSite()
    await save()
    const { itemId } = await publish()
    await save({
      id: 1,
      description: `${TEXT}\n\nSee ![B](b.png) too.`,
      files: [{ path: 'b.png', content: Buffer.concat([beginnings.png, Buffer.from('b')]).toString('base64') }],
    })
    const preview = await publish({ type: undefined, dryRun: true })
    expect(preview.changes[0].to).toContain('![B](./b.png)')
    await publish({ type: undefined, planId: preview.planId })
    expect(added.map(({ file }) => file.name)).toEqual(['gate.png', 'b.png'])
    expect(await textOf(itemId)).toContain('files/new-2')
    expect(await textOf(itemId)).toContain('files/new-1')
  })

  it('are found again after a lost response, and not sent twice', async () => {
    const { save, publish, publishLater, files, added, outcomes, textOf } = await openSite()
    await save()
    outcomes.push((attachment) => {
      files.set(added[0]!.file.itemId, [{ ...attachment, content: Buffer.from('other'), id: 'other' }, attachment])
      return { status: 'unknown', message: 'The response was lost.' }
    })
    const next = expect.arrayContaining([expect.objectContaining({ input: { id: 1 } })])
    await expect(publish()).rejects.toMatchObject({ code: 'tracker_timeout', hint: next })
    const { itemId } = added[0]!.file
    await expect(publish()).rejects.toMatchObject({ code: 'invalid', hint: next })
    await publishLater()
    expect(added).toHaveLength(1)
    expect(await textOf(itemId)).toContain('files/new-1')
  })

  it('are not sent again while the tracker may still attach them', async () => {
    const { save, publish, added, outcomes } = await openSite()
    await save()
    outcomes.push(() => ({ status: 'unknown', message: 'The response was lost.' }))
    await expect(publish()).rejects.toMatchObject({
      code: 'tracker_timeout',
      hint: expect.arrayContaining([expect.stringContaining('the tracker may still attach it')]),
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 180),
    })
    await expect(publish({ type: undefined })).rejects.toMatchObject({ code: 'conflict' })
    expect(added).toHaveLength(1)
  })

  it('are sent by a later call if they were not attached', async () => {
    const { save, publish, publishLater, added, outcomes } = await openSite()
    await save()
    outcomes.push(() => ({ status: 'unknown', message: 'The response was lost.' }))
    await expect(publish()).rejects.toMatchObject({ code: 'tracker_timeout' })
    outcomes.push(() => ({ status: 'rejected', message: 'Files of this type are not allowed.' }))
    await expect(publishLater()).rejects.toThrow(/Files of this type are not allowed/)
    expect(await publishLater()).toMatchObject({ action: 'update' })
    expect(new Set(added.map(({ file }) => file.itemId)).size).toBe(1)
    expect(added).toHaveLength(3)
  })

  it('keep a draft from a tracker that takes none, before anything is sent', async () => {
    const { save, publish, studio, sandbox } = await openSite()
    await save()
    const tracker = await studio.context({ actor: { kind: 'terminal', tenant: 'default' } }).tracker()
    delete (tracker.parts as { uploads?: unknown }).uploads
    await expect(publish()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/takes no attachments/),
    })
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('that are not stored with it are refused as before', async () => {
    const { save, publish } = await openSite()
    await save({ files: undefined })
    await expect(publish()).rejects.toMatchObject({ code: 'invalid' })
  })

  it.each([
    '../x.png',
    '/etc/passwd',
    'C:\\x.png',
    'file:///x.png',
    '~/x.png',
    'a/../../x.png',
    'https://x.example/x.png',
  ])('are below the folder of the draft: %s', async (path) => {
    const { save } = await openSite()
    await expect(save({ files: [{ path, content: png }] })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'files.0.path' }],
    })
  })

  it('are limited, and removed with the draft', async () => {
    const { save, run, db } = await openSite()
    const large = Buffer.alloc(2_600_000).toString('base64')
    await expect(
      save({
        files: [
          { path: 'a', content: large },
          { path: 'b', content: large },
        ],
      }),
    ).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'files', message: 'must be at most 5 MB together' }] })
    await save()
    await run(deleteDraft, { id: 1 })
    const { tables } = await import('../../src/storage')
    for (const table of ['draft_file', 'draft_file_part'])
      expect(await db.read((tx) => tables<any>(tx).selectFrom(table).selectAll().execute())).toEqual([])
  })
  it('are listed with it, with their types and sizes', async () => {
    const { save, run } = await openSite()
    await save()
    const { files } = await run(getDraft, { id: 1 })
    expect(files).toEqual([{ name: 'shots/gate.png', mediaType: 'image/png', bytes: beginnings.png.length }])
  })

  it('are attached once by two publications at once', async () => {
    const { save, publish, added, outcomes } = await openSite()
    await save({ description: 'No image yet' })
    await publish()
    await save({ id: 1 })
    const [released, release] = createGate()
    const [begun, begin] = createGate()
    outcomes.push(async (attachment) => {
      begin()
      await released
      return { status: 'added', attachment }
    })
    const first = publish({ type: undefined })
    await begun
    await expect(publish({ type: undefined })).rejects.toMatchObject({ code: 'conflict' })
    release()
    await first
    await publish({ type: undefined })
    expect(added).toHaveLength(1)
  })
})

function createGate(): [Promise<void>, () => void] {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return [gate, open]
}

describe('the images beside a file of stories', () => {
  const text = '# Gate epic\n\n![The gate](./shots/gate.png)\n\n## Gate story\n\nNo image.\n'
  const images = [{ path: 'shots/gate.png', content: png }]
  const openTree = async () => {
    const site = await openSite()
    const publish = (input: object = {}) =>
      site.run(publishTree, { files: [{ name: 'gate.md', text, images }], ...input })
    return { ...site, publish }
  }

  it('are named by a dry run, and attached once to the item whose text shows them', async () => {
    const { publish, added, textOf } = await openTree()
    const preview = await publish({ dryRun: true })
    expect(preview.nodes.map(({ uploads }: any) => uploads.length)).toEqual([1, 0])
    expect(JSON.stringify(preview)).not.toContain('attachment.invalid')
    expect(added).toEqual([])
    const { nodes } = await publish({ planId: preview.planId })
    expect(nodes.map(({ status }: any) => status)).toEqual(['created', 'created'])
    expect(added.map(({ file }) => file.itemId)).toEqual([nodes[0].itemId])
    expect(await textOf(nodes[0].itemId)).toContain('src="https://tracker.example/files/new-1"')
    expect((await publish()).unchanged).toBe(2)
    expect(added).toHaveLength(1)
  })

  it('are attached by the next call if one was refused, to the same item', async () => {
    const { publish, added, outcomes, textOf } = await openTree()
    outcomes.push(() => ({ status: 'rejected', message: 'The disk is full.' }))
    const first = await publish()
    expect(first.nodes.map(({ status }: any) => status)).toEqual(['rejected', 'created'])
    expect(first.nodes[0].message).toContain('The disk is full.')
    const again = await publish()
    expect(again.nodes.map(({ status }: any) => status)).toEqual(['updated', 'unchanged'])
    expect(again.nodes[0].itemId).toBe(first.nodes[0].itemId)
    expect(added).toHaveLength(2)
    expect(await textOf(first.nodes[0].itemId)).toContain('files/new-2')
  })
})
