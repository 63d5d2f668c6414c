import { describe, expect, it } from 'vitest'
import { downloadAttachments } from '../../../src/items/operations/attachments/download-attachments'
import { getItemAttachment } from '../../../src/items/operations/attachments/get-attachment'
import { listItemAttachments } from '../../../src/items/operations/attachments/list-attachments'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importFeatures } from '../../../src/items/operations/import/import-features'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { StudioError } from '../../../src/kernel'
import { files as beginnings } from '../../docks/attachments/attachment-files'
import { openAttachmentSite, remoteFile } from './attachment-site'

async function openSite() {
  const site = await openAttachmentSite()
  site.files.set(204, [
    remoteFile('../shot.png', beginnings.png, { id: 'a' }),
    remoteFile('note.txt', 'n'.repeat(200_000), { id: 'b' }),
  ])
  const importOne = () => site.run(importSingle, { ids: [204], attachments: true })
  const list = async () => (await site.run(listItemAttachments, { id: 204, cached: true })).attachments
  return { ...site, importOne, list }
}

describe('an import with attachments', () => {
  it('stores the files of an item, which can then be read without the tracker', async () => {
    const { importOne, list, run, opened } = await openSite()
    expect((await importOne()).attachments).toEqual({ stored: 2, unchanged: 0, removed: 0, notes: [] })
    opened.length = 0
    expect(await list()).toMatchObject([
      { id: 'a', name: 'shot.png', size: beginnings.png.length, mediaType: 'image/png', stored: true },
      { id: 'b', name: 'note.txt', size: 200_000, mediaType: null, stored: true },
    ])
    const note = await run(getItemAttachment, { id: 204, attachment: 'note.txt', cached: true })
    expect(Buffer.from(note.content, 'base64').toString()).toBe('n'.repeat(200_000))
    expect((await run(downloadAttachments, { id: 204, all: true, cached: true })).files).toHaveLength(2)
    expect(opened).toEqual([])
  })

  it('stores none without being asked', async () => {
    const { run, list } = await openSite()
    expect(await run(importSingle, { ids: [204] })).not.toHaveProperty('attachments')
    expect(await list()).toEqual([])
  })

  it('reads no file again that it has, and removes what the tracker has no more', async () => {
    const { importOne, opened, files, list } = await openSite()
    await importOne()
    files.set(204, [remoteFile('new.txt', 'new', { id: 'c' }), files.get(204)![0]!])
    opened.length = 0
    expect((await importOne()).attachments).toEqual({ stored: 1, unchanged: 1, removed: 1, notes: [] })
    expect(opened.map(({ id }) => id)).toEqual(['c'])
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(['a', 'c'])
  })

  it('names what was too large or could not be read, and goes on', async () => {
    const { importOne, files, answers, list } = await openSite()
    files.set(204, [
      remoteFile('large.bin', '', { id: 'l', size: 5_000_001 }),
      remoteFile('bomb.gz', '', { id: 'z', size: 100 }),
      remoteFile('gone.txt', 'x', { id: 'g' }),
      remoteFile('good.txt', 'good', { id: 'k' }),
    ])
    // A few compressed bytes that have no end.
    answers.push(() => ({
      size: null,
      chunks: (async function* () {
        for (;;) yield Buffer.alloc(1_000_000)
      })(),
    }))
    answers.push(() => {
      throw new StudioError('not_found', 'The file is gone.')
    })
    expect((await importOne()).attachments).toEqual({
      stored: 1,
      unchanged: 0,
      removed: 0,
      notes: [
        { id: 204, reference: '#204', reason: 'large.bin was not stored: large.bin is larger than 5.0 MB.' },
        { id: 204, reference: '#204', reason: 'bomb.gz was not stored: bomb.gz is larger than 5.0 MB.' },
        { id: 204, reference: '#204', reason: 'gone.txt was not stored: The file is gone.' },
      ],
    })
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['good.txt'])
  })

  it('stores at most 25 MB of an item', async () => {
    const { importOne, files } = await openSite()
    const content = Buffer.alloc(4_900_000)
    files.set(
      204,
      Array.from({ length: 7 }, (_, at) => remoteFile(`${at}.bin`, content, { id: String(at) })),
    )
    const { stored, notes } = (await importOne()).attachments
    expect(stored).toBe(5)
    expect(notes.map(({ reason }: { reason: string }) => reason)).toEqual([
      '5.bin was not stored: 5.bin is larger than 500 kB.',
      '6.bin was not stored: 6.bin is larger than 500 kB.',
    ])
  })

  it('does the same for trees and for a sync', async () => {
    const { run, list } = await openSite()
    const tree = await run(importFeature, { featureId: 101, attachments: true })
    expect(tree.attachments).toMatchObject({ notes: [] })
    const trees = await run(importFeatures, { featureIds: [101, 102, 103], attachments: true })
    expect(trees.attachments.notes).toEqual([])
    expect(tree.attachments.stored + trees.attachments.stored).toBe(2)
    const synced = await run(syncItems, { attachments: true })
    expect(synced.attachments).toEqual({ stored: 0, unchanged: 2, removed: 0, notes: [] })
    expect(await list()).toHaveLength(2)
  })
})
