import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requireUnprotectedFile } from '../../../src/storage'
import { temporaryFolder } from '../../temporary-folder'

/** Creates a folder with a database, its log and search index and a settings file, and a function that checks a path in it. */
function places() {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  for (const name of ['studio.db', 'studio.db.log.1', 'config.json']) writeFileSync(at(name), name)
  mkdirSync(at('studio.db.search'))
  writeFileSync(at('studio.db.search/manifest'), '')
  const own = { database: at('studio.db'), others: [at('config.json')] }
  return { at, check: (path: string) => () => requireUnprotectedFile(path, own) }
}

describe('the output file of a command', () => {
  it.each([
    'studio.db',
    'sub/../studio.db',
    'studio.db.log.1',
    'studio.db.log.7',
    'studio.db.lock',
    'studio.db.lock.wanted',
    'studio.db-wal',
    'studio.db.0123abcd-17-0123456789ab.new',
    'studio.db.search',
    'studio.db.search/1.seg',
    'config.json',
  ])('cannot be %s, which belongs to studio', (name) => {
    const { at, check } = places()
    expect(check(at(name))).toThrow(/database itself|one of studio’s own files/)
  })

  // Windows lets only some users create links.
  it.skipIf(process.platform === 'win32')('cannot be one of them under another name', () => {
    const { at, check } = places()
    symlinkSync(at('studio.db'), at('link.db'))
    symlinkSync(at('.'), at('folder'))
    linkSync(at('studio.db'), at('third-name'))
    linkSync(at('studio.db.log.1'), at('events.log'))
    linkSync(at('studio.db.search/manifest'), at('found.md'))
    for (const name of [
      'link.db',
      'folder/studio.db',
      'folder/studio.db.log.9',
      'third-name',
      'events.log',
      'found.md',
    ])
      expect(check(at(name)), name).toThrow(/database itself/)
  })

  it('cannot be one of them in another spelling, which is the same file on macOS and Windows', () => {
    const { at, check } = places()
    for (const name of ['STUDIO.DB', 'Studio.db.LOG.9', 'studio.db.Search/1.seg', 'Config.json'])
      expect(check(at(name)), name).toThrow(/database itself|one of studio’s own files/)
    const own = { database: at('caf\u00e9.db'), others: [] }
    expect(() => requireUnprotectedFile(at('cafe\u0301.db.lock'), own)).toThrow('database itself')
  })

  it('can be any other file in the same folder', () => {
    const { at, check } = places()
    for (const name of ['studio.db.bak', 'studio.db.md', 'copy.db', 'new/deep/report.md', 'studio.log'])
      expect(check(at(name)), name).not.toThrow()
  })

  it('can have any path if the database is on a server', () => {
    const { at } = places()
    const own = { database: 'postgres://me@db.example.com/studio', others: [at('config.json')] }
    expect(() => requireUnprotectedFile(at('studio.db'), own)).not.toThrow()
    expect(() => requireUnprotectedFile(at('config.json'), own)).toThrow(/one of studio’s own files/)
  })
})
