import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addImages } from '../../commands/operation/files/local-images'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { toRelativePath } from '../../src/kernel/files/relative-path'
import { replaceRelativeImages } from '../../src/rich-text'
import { files as beginnings } from '../docks/attachments/attachment-files'
import { temporaryFolder } from '../temporary-folder'

async function openFolder() {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'story/shots'), { recursive: true })
  writeFileSync(join(cwd, 'story/shots/gate.png'), beginnings.png)
  writeFileSync(join(cwd, 'secret.png'), 'secret')
  const terminal = memoryTerminal({ cwd })
  const invocation = { terminal, signal: new AbortController().signal, flags: { quiet: false, json: false } } as any
  const add = async (description: string, flags: object = { file: 'story/story.md' }, words: string[] = []) =>
    (await addImages({ description }, flags as any, { invocation, run: async () => null, words })).input
  return { cwd, terminal, add }
}

describe('the images beside the file of a draft', () => {
  it('are saved with it', async () => {
    const { add } = await openFolder()
    const files = [{ path: 'shots/gate.png', content: beginnings.png.toString('base64') }]
    expect(await add('![a](./shots/gate.png) ![b](shots/gate.png)')).toMatchObject({ files })
    expect(await add('No image')).not.toHaveProperty('files')
    expect(await add('![a](./shots/gate.png)', { file: '-' })).not.toHaveProperty('files')
  })

  it.each(['../secret.png', 'shots/../../secret.png', '~/x.png', 'C:\\x.png', 'file:///etc/passwd'])(
    'are refused outside of its folder: %s',
    async (path) => {
      const { add } = await openFolder()
      await expect(add(`![x](${path})`)).rejects.toThrow(/is outside of the folder of the text/)
    },
  )

  // On Windows only administrators make links.
  it.skipIf(process.platform === 'win32')('are refused if a link leads out of the folder', async () => {
    const { add, cwd } = await openFolder()
    symlinkSync(join(cwd, 'secret.png'), join(cwd, 'story/link.png'))
    await expect(add('![x](./link.png)')).rejects.toThrow(/is outside of the folder of the text/)
    symlinkSync('shots/gate.png', join(cwd, 'story/inside.png'))
    expect(await add('![x](./inside.png)')).toMatchObject({ files: [{ path: 'inside.png' }] })
  })

  it.each([
    ['<shots/a (1) b.png>', 'a (1) b.png'],
    ['shots/a%20%281%29.png', 'a (1).png'],
    ['shots/a(1).png', 'a(1).png'],
    ['./shots/%2541.png', '%41.png'],
    ['shots/50%.png', '50%.png'],
  ])('are saved under the name that the text shows them by: %s', async (address, name) => {
    const { add, cwd } = await openFolder()
    writeFileSync(join(cwd, 'story/shots', name), beginnings.png)
    const { files } = (await add(`![x](${address})`)) as any
    expect(files.map(({ path }: { path: string }) => toRelativePath(path))).toEqual([`shots/${name}`])
    expect(replaceRelativeImages(`![x](${address})`, (path) => path)).toBe(`shots/${name}`)
  })

  it('may have a name that begins like an address', async () => {
    const { add, cwd } = await openFolder()
    for (const name of ['~x.png', 'a:b.png']) {
      writeFileSync(join(cwd, name), beginnings.png)
      expect(await add(`![x](./${name})`, {})).toMatchObject({ files: [{ path: `./${name}` }] })
    }
  })

  it('are left out with a notice if they are missing, and refused if they are too large', async () => {
    const { add, terminal, cwd } = await openFolder()
    expect(await add('![x](./missing.png) ![y](./shots)')).not.toHaveProperty('files')
    expect(terminal.errors).toContain('The image missing.png was not found')
    writeFileSync(join(cwd, 'story/large.png'), Buffer.alloc(5_000_001))
    await expect(add('![x](./large.png)')).rejects.toThrow('The image large.png is larger than 5.0 MB.')
  })
  it('are found below the current folder too, and refused where two folders have one of the same path', async () => {
    const { add, cwd } = await openFolder()
    mkdirSync(join(cwd, 'shots'))
    writeFileSync(join(cwd, 'shots/here.png'), beginnings.png)
    expect(await add('![x](shots/here.png)', {})).toMatchObject({ files: [{ path: 'shots/here.png' }] })
    writeFileSync(join(cwd, 'shots/gate.png'), beginnings.png)
    await expect(add('![x](shots/gate.png)')).rejects.toThrow(/The image shots\/gate.png is in several folders/)
  })

  it('are found beside a text that a flag or an argument names', async () => {
    const { add } = await openFolder()
    const files = [{ path: 'shots/gate.png' }]
    expect(await add('![x](shots/gate.png)', { set: ['Description=@story/text.md'] })).toMatchObject({ files })
    expect(await add('![x](shots/gate.png)', {}, ['204', '@story/comment.md'])).toMatchObject({ files })
  })

  it('are images: no text can send another file', async () => {
    const { add, cwd } = await openFolder()
    writeFileSync(join(cwd, 'story/.env'), 'TOKEN=1')
    writeFileSync(join(cwd, 'story/key.png'), 'a key')
    await expect(add('![x](./.env)')).rejects.toThrow('The file .env is no image.')
    await expect(add('![x](./key.png)')).rejects.toThrow('The file key.png is no image.')
  })
})
