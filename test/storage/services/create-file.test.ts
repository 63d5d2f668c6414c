import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFileAtomic } from '../../../src/storage'
import { temporaryFolder } from '../../temporary-folder'

type Replaceable = 'link' | 'open' | 'rm'

/** Gives the program another function of the file system until the end of the test. */
function replace<K extends Replaceable>(name: K, other: (typeof fs)[K]): void {
  const actual = fs[name]
  fs[name] = other
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs[name] = actual
    syncBuiltinESMExports()
  })
}

/** As on a USB stick. */
function removeHardLinks(): void {
  const code = process.platform === 'win32' ? 'EISDIR' : 'EPERM'
  replace('link', () => Promise.reject(Object.assign(new Error(`${code}: link`), { code })))
}

it.each(['with', 'without'])('a file is created whole, and never replaces one: %s hard links', async (links) => {
  if (links === 'without') removeHardLinks()
  const folder = temporaryFolder()
  const file = join(folder, 'archive.jsonl')
  await createFileAtomic(file, 'first')
  await expect(createFileAtomic(file, 'second')).rejects.toMatchObject({ code: 'conflict' })
  expect(await fs.readFile(file, 'utf8')).toBe('first')
  expect(await fs.readdir(folder)).toEqual(['archive.jsonl'])
})

it('a file is created although its temporary one cannot be removed', async () => {
  const file = join(temporaryFolder(), 'archive.jsonl')
  replace('rm', () => Promise.reject(Object.assign(new Error('EIO: rm'), { code: 'EIO' })))
  await createFileAtomic(file, 'first')
  expect(await fs.readFile(file, 'utf8')).toBe('first')
})

it('a file that could not be synced where links are missing leaves nothing behind', async () => {
  removeHardLinks()
  const { open } = fs
  replace('open', async (path, flags, mode) => {
    const file = await open(path, flags, mode)
    // It is opened for reading and writing only for this.
    if (flags === 'r+') file.sync = () => Promise.reject(Object.assign(new Error('EIO: sync'), { code: 'EIO' }))
    return file
  })
  const folder = temporaryFolder()
  await expect(createFileAtomic(join(folder, 'archive.jsonl'), 'text')).rejects.toThrow()
  expect(await fs.readdir(folder)).toEqual([])
})
