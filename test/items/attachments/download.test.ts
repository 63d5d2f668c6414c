import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { downloadAttachments } from '../../../src/items/operations/attachments/download-attachments'
import { getItemAttachment } from '../../../src/items/operations/attachments/get-attachment'
import { listItemAttachments } from '../../../src/items/operations/attachments/list-attachments'
import { StudioError } from '../../../src/kernel'
import { inPieces, openAttachmentSite, remoteFile, whole } from './attachment-site'

const photo = randomBytes(20_500)

async function openSite() {
  const site = await openAttachmentSite()
  const file = remoteFile('shot.png', photo)
  site.files.set(204, [file])
  const get = (input: object = {}) => site.run(downloadAttachments, { id: 204, ...input })
  return {
    ...site,
    file,
    get,
    read: (name: string) => readFileSync(join(site.cwd, name)),
    list: () => readdirSync(site.cwd).sort(),
  }
}

describe('a download', () => {
  it('saves the only file of an item under its name', async () => {
    const { get, read, list, cwd } = await openSite()
    expect(await get()).toMatchObject({
      reference: '#204',
      to: cwd,
      files: [
        {
          name: 'shot.png',
          status: 'saved',
          path: join(cwd, 'shot.png'),
          bytes: photo.length,
          sha256: createHash('sha256').update(photo).digest('hex'),
        },
      ],
    })
    expect(read('shot.png')).toEqual(photo)
    expect(list()).toEqual(['shot.png'])
  })

  it('never replaces a file of the folder, and finds the same file again', async () => {
    const { get, read, list, cwd } = await openSite()
    writeFileSync(join(cwd, 'shot.png'), 'mine')
    // Windows lets only some users create links.
    if (process.platform === 'win32') writeFileSync(join(cwd, 'shot (2).png'), 'mine too')
    else symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'shot (2).png'))
    expect((await get()).files).toMatchObject([{ status: 'saved', path: join(cwd, 'shot (3).png') }])
    expect((await get()).files).toMatchObject([{ status: 'unchanged', path: join(cwd, 'shot (3).png') }])
    expect(read('shot.png').toString()).toBe('mine')
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false)
    expect(list()).toEqual(['shot (2).png', 'shot (3).png', 'shot.png'])
  })

  it('continues where the connection was cut', async () => {
    const { get, read, answers, opened } = await openSite()
    answers.push((file) => ({ chunks: inPieces(file.content, 7_000) }))
    await get()
    expect(read('shot.png')).toEqual(photo)
    expect(opened.map(({ position }) => position.from)).toEqual([0, 7_000])
  })

  it('continues what an earlier call has left', async () => {
    const { get, read, list, answers, opened } = await openSite()
    answers.push((file) => ({ chunks: inPieces(file.content, 7_000) }))
    for (let n = 0; n < 3; n++) answers.push(() => ({ from: 7_000, chunks: inPieces(photo, 0) }))
    await expect(get()).rejects.toMatchObject({ code: 'tracker_unavailable' })
    expect(list()).toEqual([expect.stringMatching(/^shot\.png\.[0-9a-f]{16}\.free\.[0-9a-f]+\.part$/)])
    expect((await get()).files).toMatchObject([{ status: 'saved' }])
    expect(read('shot.png')).toEqual(photo)
    expect(list()).toEqual(['shot.png'])
    expect(opened.at(-1)!.position.from).toBe(6_999)
  })

  it('begins again if the file has changed meanwhile', async () => {
    const { get, read, files, file, answers } = await openSite()
    const other = randomBytes(5_000)
    answers.push(({ content }) => {
      files.set(204, [{ ...file, content: other, size: other.length, version: '"other"' }])
      return { chunks: inPieces(content, 9_000) }
    })
    await get()
    expect(read('shot.png')).toEqual(other)
  })

  it('begins again if the tracker gives no version', async () => {
    const { get, read, files, file, answers, opened } = await openSite()
    files.set(204, [{ ...file, version: null }])
    answers.push(({ content }) => ({ chunks: inPieces(content, 9_000) }))
    await get()
    expect(read('shot.png')).toEqual(photo)
    expect(opened.map(({ position }) => position.version)).toEqual([null, null])
  })

  it('gives up on a connection that is cut without end', async () => {
    const { get, answers, opened, list } = await openSite()
    for (let n = 0; n < 40; n++)
      answers.push(({ content }, { from }) => ({ from, chunks: inPieces(content.subarray(from), 10, 10) }))
    await expect(get()).rejects.toMatchObject({ code: 'tracker_unavailable' })
    expect(opened.length).toBeLessThan(25)
    expect(list()).toHaveLength(1)
  })

  it('says that an answer is too short', async () => {
    const { get, answers } = await openSite()
    for (let n = 0; n < 30; n++)
      answers.push(({ content }, { from }) => ({
        ...whole(remoteFile('x', content), from),
        chunks: inPieces(content.subarray(from, 100)),
        size: content.length,
        version: null,
        from: 0,
      }))
    await expect(get()).rejects.toThrow('The tracker sent 100 of the 20500 bytes of shot.png.')
  })

  it.each([
    ['of which the list says the size', 20_500],
    ['of which only the bytes say the size', null],
  ])('refuses a file that is too large, %s, and says how to raise the limit', async (_, size) => {
    const { get, files, file, list, answers } = await openSite()
    files.set(204, [{ ...file, size }])
    answers.push(({ content }) => ({ size: null, chunks: inPieces(content) }))
    await expect(get({ maxBytes: 10_000 })).rejects.toMatchObject({
      code: 'invalid',
      message: 'shot.png is larger than 10 kB.',
      hint: 'Raise the limit: --max 2gb',
    })
    expect(list()).toEqual([])
  })

  it('saves all files under unique names, wherever their names lead', async () => {
    const { get, files, cwd, list } = await openSite()
    const names = [
      '../../x.png',
      'C:\\x.png',
      'CON',
      'con.txt',
      '.bashrc',
      'a\u202Egnp.exe',
      `${'n'.repeat(400)}.png`,
      'X.PNG',
      '',
      '/',
      'a\0b',
      'LPT1 .txt',
      'é'.repeat(180),
    ]
    files.set(
      204,
      names.map((name, at) => remoteFile(name, `content ${at}`, { id: `f${at}` })),
    )
    const { files: saved } = await get({ all: true, to: 'into/here' })
    const folder = join(cwd, 'into/here')
    const found = readdirSync(folder)
    expect(found.sort()).toEqual(saved.map(({ name }: { name: string }) => name).sort())
    expect(list()).toEqual(['into'])
    expect(saved.map(({ name }: { name: string }) => name)).toEqual([
      'x.png',
      'x (2).png',
      '_CON',
      '_con.txt',
      'bashrc',
      'agnp.exe',
      `${'n'.repeat(96)}.png`,
      'X (3).PNG',
      'attachment',
      'attachment (2)',
      'ab',
      '_LPT1.txt',
      'é'.repeat(100),
    ])
    for (const [at, { name }] of saved.entries()) expect(readFileSync(join(folder, name), 'utf8')).toBe(`content ${at}`)
  })

  it('goes on after a file that is gone or too large', async () => {
    const { get, files, answers } = await openSite()
    files.set(204, [
      remoteFile('big.bin', 'b'.repeat(3_000)),
      remoteFile('gone.txt', 'x'),
      remoteFile('small.txt', 'small'),
    ])
    answers.push(() => {
      throw new StudioError('not_found', 'The file is gone.')
    })
    const { files: saved } = await get({ all: true, maxBytes: 2_000 })
    expect(saved.map(({ name, status }: any) => [name, status])).toEqual([
      ['big.bin', 'failed'],
      ['gone.txt', 'failed'],
      ['small.txt', 'saved'],
    ])
    expect(downloadAttachments.isPartial!({ files: saved } as any)).toBe(true)
  })

  it('writes two downloads at once into one folder to files of their own', async () => {
    const { get, list, read } = await openSite()
    const both = await Promise.all([get(), get(), get()])
    expect(both.flatMap(({ files }) => files.map(({ bytes }: any) => bytes))).toEqual([20_500, 20_500, 20_500])
    expect(list()).toEqual(['shot.png'])
    expect(read('shot.png')).toEqual(photo)
  })

  it('reads 2 GB with flat memory', async () => {
    const { get, files, file, answers, output } = await openSite()
    const size = 2_000_000_000
    const chunk = Buffer.alloc(4_000_000)
    files.set(204, [{ ...file, size }])
    answers.push(() => ({
      size,
      chunks: (async function* () {
        for (let sent = 0; sent < size; sent += chunk.length) yield chunk
      })(),
    }))
    let received = 0
    output.push = (...pieces) => {
      for (const { length } of pieces) received += length
      return 0
    }
    const before = process.memoryUsage().rss
    const result = await get({ to: '-', maxBytes: 3_000_000_000 })
    expect(received).toBe(size)
    expect(result.files[0].bytes).toBe(size)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  it('writes to standard output', async () => {
    const { get, output, list } = await openSite()
    await get({ to: '-' })
    expect(Buffer.concat(output)).toEqual(photo)
    expect(list()).toEqual([])
  })

  it('says that another folder is needed if this one cannot be created', async () => {
    const { get, cwd } = await openSite()
    writeFileSync(join(cwd, 'taken'), 'x')
    await expect(get({ to: 'taken/below' })).rejects.toMatchObject({ hint: expect.stringContaining('--to <folder>') })
  })

  it('names the files if there are several', async () => {
    const { get, files } = await openSite()
    files.set(204, [remoteFile('a.txt', '1'), remoteFile('A.txt', '2'), remoteFile('b.txt', '3', { id: 'b' })])
    await expect(get()).rejects.toMatchObject({
      code: 'invalid',
      message: 'Work item #204 has 3 attachments. Name one, or use --all.',
    })
    expect((await get({ attachment: 'A (2).txt' })).files).toMatchObject([{ name: 'A (2).txt', bytes: 1 }])
    expect((await get({ attachment: 'b' })).files).toMatchObject([{ name: 'b.txt' }])
    await expect(get({ attachment: 'c.txt' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(get({ attachment: 'a', all: true })).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('an attachment in an answer', () => {
  it('has its content, and the type that its first bytes say', async () => {
    const { run, files } = await openSite()
    files.set(204, [remoteFile('page.png', '<html>', { mediaType: 'text/html' })])
    expect(await run(getItemAttachment, { id: 204, attachment: 'page.png' })).toMatchObject({
      name: 'page.png',
      type: 'application/octet-stream',
      content: Buffer.from('<html>').toString('base64'),
    })
  })

  it('is of at most 10 MB', async () => {
    const { refusal, files } = await openSite()
    files.set(204, [remoteFile('x.bin', '', { size: 10_000_001 })])
    expect(await refusal(getItemAttachment, { id: 204, attachment: 'x.bin' })).toMatchObject({
      code: 'invalid',
      message: 'x.bin is larger than 10.0 MB.',
    })
  })
})

it('lists the files of an item, with safe names', async () => {
  const { run, files, refusal } = await openSite()
  files.set(204, [remoteFile('../x.png', 'x', { id: '7', mediaType: 'image/png' })])
  expect(await run(listItemAttachments, { id: 204 })).toEqual({
    id: 204,
    reference: '#204',
    attachments: [
      {
        id: '7',
        name: 'x.png',
        size: 1,
        mediaType: 'image/png',
        author: null,
        createdAt: '2026-11-20T08:00:00.000Z',
        stored: false,
      },
    ],
  })
  expect((await refusal(listItemAttachments, { id: 99_999 })).code).toBe('not_found')
})
