import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFileAtomic } from '../../../src/storage'
import { temporaryFolder } from '../../temporary-folder'

/** As on a USB stick. */
function removeHardLinks(): void {
  const { link } = fs
  fs.link = () => Promise.reject(Object.assign(new Error('EPERM: link'), { code: 'EPERM' }))
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.link = link
    syncBuiltinESMExports()
  })
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
