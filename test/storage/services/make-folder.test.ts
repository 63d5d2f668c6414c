import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../src/storage/services/make-folder'
import { expectOwnerOnly } from '../../file-mode'
import { temporaryFolder } from '../../temporary-folder'

describe('makeFolder', () => {
  it('creates a folder and its parents for this user alone, once', () => {
    const parent = join(temporaryFolder(), 'a')
    const folder = join(parent, 'b', 'c')
    makeFolder(folder)
    makeFolder(folder)
    for (const each of [parent, folder]) expectOwnerOnly(each)
  })

  it('is content with a folder that another process creates at the same time', () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    makeFolder(folder, (path) => {
      try {
        mkdirSync(path)
      } catch (error) {
        mkdirSync(folder, { recursive: true })
        throw error
      }
    })
    expect(statSync(folder).isDirectory()).toBe(true)
  })

  it('reports a file in the path', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => makeFolder(join(file, 'a', 'b'))).toThrow(/ENOTDIR|ENOENT/)
    expect(statSync(file).isFile()).toBe(true)
  })

  it.runIf(process.platform === 'linux')('ends where there can be no folders', () => {
    expect(() => makeFolder('/proc/none/a/b')).toThrow('ENOENT')
  })
})
