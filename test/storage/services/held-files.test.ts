import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFileAtomic } from '../../../src/storage'
import { retryBrieflyWhileHeld, retryWhileHeld } from '../../../src/storage/services/held-files'
import { temporaryFolder } from '../../temporary-folder'

const refusal = (code: string) => Object.assign(new Error(code), { code })

describe('an operation on a file', () => {
  it('is not repeated after an error that has nothing to do with other programs', async () => {
    let calls = 0
    const work = () => {
      calls += 1
      throw refusal('ENOSPC')
    }
    await expect(retryWhileHeld(work)).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(() => retryBrieflyWhileHeld(work)).toThrow('ENOSPC')
    expect(calls).toBe(2)
  })
})

describe.runIf(process.platform === 'win32')('a file that another program has open on Windows', () => {
  it('is replaced as soon as it is closed', async () => {
    const path = join(temporaryFolder(), 'note.txt')
    writeFileSync(path, 'old')
    const held = openSync(path, 'r')
    const replacing = writeFileAtomic(path, 'new')
    setTimeout(() => closeSync(held), 50)
    await replacing
    expect(readFileSync(path, 'utf8')).toBe('new')
  })

  it('is left as it was if it stays open, and the error says so', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'note.txt')
    writeFileSync(path, 'old')
    const held = openSync(path, 'r')
    await expect(writeFileAtomic(path, 'new')).rejects.toMatchObject({
      code: 'read_only',
      message: expect.stringContaining('or another program has it open'),
    })
    closeSync(held)
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['note.txt'], 'old'])
  })

  it('is distinguished from a folder in its place', async () => {
    const path = join(temporaryFolder(), 'note.txt')
    mkdirSync(path)
    await expect(writeFileAtomic(path, 'new')).rejects.toMatchObject({ code: 'invalid' })
  })
})
