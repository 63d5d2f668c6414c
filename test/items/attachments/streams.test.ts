import { execFileSync } from 'node:child_process'
import { closeSync, constants, createWriteStream, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attachFiles } from '../../../src/items/operations/attachments/attach-files'
import { openAttachmentSite } from './attachment-site'

const openPipe = async (maxBytes: number | null = null) => {
  const site = await openAttachmentSite({ maxBytes })
  const path = join(site.cwd, 'pipe')
  execFileSync('mkfifo', [path])
  const attach = (file: string, signal?: AbortSignal) =>
    site.run(attachFiles, { id: 204, files: [file], name: 'notes.txt' }, signal)
  return { ...site, path, attach }
}

describe.skipIf(process.platform === 'win32')('attaching what a program writes to a pipe', () => {
  it('waits for the program, and sends all that it writes', async () => {
    const { attach, added, path } = await openPipe()
    const attaching = attach('pipe')
    const writer = createWriteStream(path)
    writer.write('The gate ')
    writer.end('is open.')
    expect(await attaching).toMatchObject({ files: [{ status: 'added', bytes: 17 }] })
    expect(added[0]!.bytes.toString()).toBe('The gate is open.')
  })

  it('sends what a program has written and closed before it was read', async () => {
    const { attach, added, path } = await openPipe()
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    writeFileSync(path, 'The gate is open.')
    await attach('pipe')
    closeSync(reader)
    expect(added[0]!.bytes.toString()).toBe('The gate is open.')
  })

  it('ends with the call, also if no program writes to it', async () => {
    const { attach, added } = await openPipe()
    const controller = new AbortController()
    const attaching = attach('pipe', controller.signal)
    setImmediate(() => controller.abort())
    await expect(attaching).rejects.toMatchObject({ code: 'interrupted' })
    expect(added).toEqual([])
  })

  it('stops at what the tracker takes, if the source has no end', async () => {
    const { attach, added } = await openPipe(5_000_000)
    await expect(attach('/dev/zero')).rejects.toMatchObject({
      code: 'invalid',
      message: 'The input has more than 5.0 MB.',
      hint: expect.stringContaining('The tracker takes no larger file.'),
    })
    expect(added).toEqual([])
  })

  it('takes a file as before', async () => {
    const { attach, added, cwd } = await openPipe()
    writeFileSync(join(cwd, 'a.txt'), 'text')
    await attach('a.txt')
    expect(added[0]!.bytes.toString()).toBe('text')
  })
})
