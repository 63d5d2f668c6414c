import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attachFile } from '../../../src/items/operations/attachments/attach-file'
import { attachFiles } from '../../../src/items/operations/attachments/attach-files'
import { openLocalFile } from '../../../src/items/services/attachments/local-content'
import { files as beginnings } from '../../docks/attachments/attachment-files'
import { openAttachmentSite } from './attachment-site'

async function openSite(options: Parameters<typeof openAttachmentSite>[0] = {}) {
  const site = await openAttachmentSite(options)
  writeFileSync(join(site.cwd, 'shot.png'), Buffer.concat([beginnings.png, Buffer.alloc(3_000_000, 'x')]))
  writeFileSync(join(site.cwd, 'note.txt'), 'The gate is open.')
  const attach = (input: object) => site.run(attachFiles, { id: 204, ...input })
  return { ...site, attach }
}

describe('attaching files of this machine', () => {
  it('sends each as it is, with its type', async () => {
    const { attach, added } = await openSite()
    expect(await attach({ files: ['shot.png', 'note.txt'] })).toMatchObject({
      reference: '#204',
      files: [
        { name: 'shot.png', mediaType: 'image/png', status: 'added', attachmentId: 'new-1' },
        { name: 'note.txt', mediaType: 'text/plain', bytes: 17, status: 'added', attachmentId: 'new-2' },
      ],
    })
    expect(added.map(({ bytes }) => bytes.length)).toEqual([3_000_000 + beginnings.png.length, 17])
  })

  it('shows what it would send, and sends nothing, in a dry run', async () => {
    const { attach, added } = await openSite()
    const sha256 = createHash('sha256').update('The gate is open.').digest('hex')
    const preview = await attach({ files: ['note.txt'], dryRun: true })
    expect(preview).toMatchObject({ dryRun: true, files: [{ name: 'note.txt', status: 'planned', sha256 }] })
    expect(added).toEqual([])
  })

  it('sends exactly what a dry run has shown, or nothing', async () => {
    const { attach, added, cwd } = await openSite()
    const { planId } = await attach({ files: ['note.txt'], dryRun: true })
    appendFileSync(join(cwd, 'note.txt'), '!')
    await expect(attach({ files: ['note.txt'], planId })).rejects.toMatchObject({ code: 'plan_changed' })
    expect(added).toEqual([])
  })

  it('sends no file that changes meanwhile', async () => {
    const { cwd } = await openSite()
    const file = await openLocalFile(join(cwd, 'note.txt'), undefined, new AbortController().signal)
    writeFileSync(join(cwd, 'note.txt'), 'The gate is shut.')
    const sent: Buffer[] = []
    await expect(
      (async () => {
        for await (const chunk of file.content.open()) sent.push(Buffer.from(chunk))
      })(),
    ).rejects.toMatchObject({ code: 'conflict', message: 'note.txt changed while it was sent. It was not attached.' })
    expect(Buffer.concat(sent).length).toBeLessThan(17)
    await file.close()
  })

  it('takes standard input, with a name', async () => {
    const { attach, added, type } = await openSite()
    type(Buffer.from('a,'), Buffer.from('b\n'))
    await attach({ files: ['-'], name: '../list.csv' })
    expect(added).toMatchObject([{ file: { name: 'list.csv', mediaType: 'text/csv', content: { size: 4 } } }])
    expect(added[0]!.bytes.toString()).toBe('a,b\n')
    await expect(attach({ files: ['-'] })).rejects.toMatchObject({ code: 'invalid', hint: 'Add --name <name>.' })
  })

  it('refuses files before it sends any', async () => {
    const { attach, added, cwd } = await openSite({ maxBytes: 1_000_000 })
    mkdirSync(join(cwd, 'folder'))
    await expect(attach({ files: ['note.txt', 'missing.txt'] })).rejects.toThrow(
      /missing\.txt: the file does not exist/,
    )
    await expect(attach({ files: ['note.txt', 'folder'] })).rejects.toThrow(/folder: it is a folder, not a file/)
    await expect(attach({ files: ['note.txt', 'shot.png'] })).rejects.toThrow(
      'The tracker takes no file of more than 1.0 MB.',
    )
    await expect(attach({ files: ['note.txt', 'shot.png'], name: 'x' })).rejects.toMatchObject({ code: 'invalid' })
    expect(added).toEqual([])
  })

  it('says that it does not know whether a file was attached, and sends no other one', async () => {
    const { attach, outcomes, added } = await openSite()
    outcomes.push(() => ({ status: 'unknown', message: 'The response was lost.' }))
    await expect(attach({ files: ['note.txt'] })).rejects.toMatchObject({
      code: 'tracker_timeout',
      message: 'It is not known whether note.txt was attached. The response was lost.',
    })
    outcomes.push(() => ({ status: 'unknown', message: 'The response was lost.' }))
    const result = await attach({ files: ['note.txt', 'shot.png'] })
    expect(result.files).toMatchObject([{ status: 'unknown' }, { status: 'notAttempted' }])
    expect(attachFiles.isPartial!(result)).toBe(true)
    expect(added).toHaveLength(2)
  })

  it('goes on after a file that the tracker rejects', async () => {
    const { attach, outcomes } = await openSite()
    outcomes.push(() => ({ status: 'rejected', message: 'Files of this type are not allowed.' }))
    expect((await attach({ files: ['note.txt', 'shot.png'] })).files).toMatchObject([
      { status: 'rejected', message: 'Files of this type are not allowed.' },
      { status: 'added' },
    ])
    outcomes.push(() => ({ status: 'rejected', message: 'Not allowed.' }))
    await expect(attach({ files: ['note.txt'] })).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('attaching a file by its content', () => {
  it('sends the bytes', async () => {
    const { run, added } = await openSite()
    const content = beginnings.png.toString('base64')
    expect(await run(attachFile, { id: 204, name: 'C:\\shots\\a.png', content })).toMatchObject({
      file: { name: 'a.png', mediaType: 'image/png', status: 'added' },
    })
    expect(added[0]!.bytes).toEqual(beginnings.png)
  })

  it('takes only Base64', async () => {
    const { refusal } = await openSite()
    expect((await refusal(attachFile, { id: 204, name: 'a', content: 'a b' })).details).toMatchObject([
      { path: 'content' },
    ])
  })
})
