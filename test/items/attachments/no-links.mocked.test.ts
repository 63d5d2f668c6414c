import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { saveToFolder } from '../../../src/items/services/attachments/save-to-folder'
import { temporaryFolder } from '../../temporary-folder'

vi.mock('node:fs/promises', async (load) => {
  const actual = await load<typeof fs>()
  return { ...actual, link: vi.fn(actual.link), rename: vi.fn(actual.rename) }
})

const fail = (code: string) => Object.assign(new Error(code), { code })

/** Saves a text as `shot.png`. */
const save = (folder: string, text = 'picture') =>
  saveToFolder(folder, { name: 'shot.png', key: text }, async (part) => {
    await part.begin(0, '"v1"')
    await part.write(Buffer.from(text))
  })

describe.each(['EPERM', 'ENOTSUP'])('a file system without links, which says %s', (code) => {
  beforeEach(() => {
    vi.mocked(fs.link).mockReset().mockRejectedValue(fail(code))
    vi.mocked(fs.rename).mockClear()
  })

  it('gets the file under its name, and another one of that name stays', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'shot.png'), 'another')
    expect((await save(folder)).path).toBe(join(folder, 'shot (2).png'))
    expect(readFileSync(join(folder, 'shot.png'), 'utf8')).toBe('another')
    expect(readFileSync(join(folder, 'shot (2).png'), 'utf8')).toBe('picture')
  })

  it('keeps no empty file if the file cannot be given its name', async () => {
    const folder = temporaryFolder()
    const rename = vi.mocked(fs.rename).getMockImplementation()!
    vi.mocked(fs.rename).mockImplementation(async (from, to) => {
      if (String(to).endsWith('shot.png')) throw fail('EIO')
      return rename(from, to)
    })
    await expect(save(folder)).rejects.toThrow()
    expect(readdirSync(folder).filter((name) => !name.endsWith('.part'))).toEqual([])
    vi.mocked(fs.rename).mockImplementation(rename)
    expect((await save(folder)).path).toBe(join(folder, 'shot.png'))
  })
})
