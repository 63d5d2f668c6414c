import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase, writeFileAtomic } from '../../../src/storage'
import { toBaseSource } from '../../../src/storage/embedded/base/base-source'
import { realDisk } from '../../../src/storage/embedded/disk'
import { createEmptyDatabase } from '../../../src/storage/embedded/engine/open-file'
import { openNewFile } from '../../../src/storage/embedded/engine/open-new-file'
import { replaceDatabase } from '../../../src/storage/embedded/engine/replace-database'
import { migrations } from '../../../src/studio'
import { temporaryFolder } from '../../temporary-folder'

function pipe(): { folder: string; path: string } {
  const folder = temporaryFolder()
  const path = join(folder, 'studio.db')
  execFileSync('mkfifo', [path])
  return { folder, path }
}

describe.skipIf(process.platform === 'win32')('a pipe or a device at the path of a file', () => {
  it.each([
    ['opening it', (path: string) => openDatabase(path, migrations)],
    ['moving a database there', (path: string) => openNewFile(path, migrations)],
    [
      'restoring one there',
      async (path: string) => replaceDatabase(path, toBaseSource(await createEmptyDatabase(migrations)), realDisk),
    ],
    ['writing a copy there', (path: string) => writeFileAtomic(path, 'a copy')],
  ])('is rejected and left in place by %s', async (_, work) => {
    const { folder, path } = pipe()
    await expect(work(path)).rejects.toMatchObject({
      code: 'invalid',
      message: `Cannot use ${path}: it is a device or a pipe, not a file.`,
    })
    expect(statSync(path).isFIFO()).toBe(true)
    expect(readdirSync(folder)).toEqual(['studio.db'])
  })
})
