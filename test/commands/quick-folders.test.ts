import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { quickFolders } from '../../commands/start/quick-folders'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { openStudio } from '../../src/library'
import { temporaryFolder } from '../temporary-folder'

describe('studio folder list, read without the database engine', () => {
  it('prints what the command itself prints', async () => {
    const home = temporaryFolder()
    const here = { env: { STUDIO_HOME: home }, cwd: home }
    const studio = openStudio(here)
    const parent = (await studio.call('folders.create', { name: 'Next' })) as { id: number }
    await studio.call('folders.create', { name: '次\u001b[31m', parentId: parent.id })
    for (const folderId of [1, 1, parent.id]) await studio.call('drafts.save', { title: 'Gate', folderId })
    await studio.close()
    for (const argv of [
      ['folder', 'list'],
      ['folder', 'list', '--json'],
      ['--no-color', 'folder', 'list'],
    ]) {
      const [full, quick] = [memoryTerminal(here), memoryTerminal(here)]
      expect(await runCommand(argv, full, new AbortController().signal)).toBe(0)
      expect(await quickFolders(argv, quick)).toBe(true)
      expect(quick.output).toBe(full.output)
    }
  })

  it.each(['--fields id --json', '--limit 1', '--sort name', 'stray'])(
    'leaves %s to the full program',
    async (words) => {
      const home = temporaryFolder()
      const terminal = memoryTerminal({ env: { STUDIO_HOME: home, STUDIO_DB: join(home, 'a.db') }, cwd: home })
      expect(await quickFolders(['folder', 'list', ...words.split(' ')], terminal)).toBe(false)
    },
  )

  it('leaves a home without a database to the full program', async () => {
    const home = temporaryFolder()
    expect(await quickFolders(['folder', 'list'], memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home }))).toBe(
      false,
    )
  })
})
