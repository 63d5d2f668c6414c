import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../src/kernel'
import { inspectIndex } from '../../../src/search'
import { temporaryFolder } from '../../temporary-folder'
import { openDesk } from '../desk'

describe('the check of the index by doctor', () => {
  it('reports whether it matches the database, and repairs nothing', async () => {
    const path = join(temporaryFolder(), 'studio.db')
    const place = { database: path, inFiles: true }
    expect(await inspectIndex(place)).toMatchObject({ level: 'ok', message: expect.stringContaining('no index yet') })
    const desk = await openDesk(path)
    await desk.find('anything')
    await desk.close()
    expect(await inspectIndex(place)).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('0 work items, 0 drafts, 1 folder.'),
    })
    const folder = `${path}.search`
    const manifest = readdirSync(folder).find((name) => name.startsWith('manifest'))!
    writeFileSync(join(folder, manifest), 'nonsense')
    const before = readdirSync(folder)
    expect(await inspectIndex(place)).toMatchObject({ level: 'warning', fix: [suggest('search.reindex')] })
    expect(readdirSync(folder)).toEqual(before)
  })

  it('reports that no index in files is configured', async () => {
    expect(await inspectIndex({ database: 'postgres://h/d', inFiles: true })).toMatchObject({ level: 'ok' })
    expect(await inspectIndex({ database: '/x', inFiles: false })).toMatchObject({ level: 'ok' })
  })
})
