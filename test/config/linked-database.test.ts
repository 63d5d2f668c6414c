import { linkSync, lstatSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quickSettings } from '../../commands/start/quick-settings'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { loadSettings } from '../../src/config'
import { openStudio } from '../../src/library'
import { temporaryFolder } from '../temporary-folder'

async function addFolder(env: Record<string, string>, name: string) {
  const studio = openStudio({ env, cwd: env['STUDIO_HOME']! })
  await studio.call('folders.create', { name })
  await studio.close()
}

async function listFolders(env: Record<string, string>) {
  const studio = openStudio({ env, cwd: env['STUDIO_HOME']! })
  const folders = await studio.call('folders.list', {})
  await studio.close()
  return folders.map(({ name }) => name)
}

async function repair(env: Record<string, string>) {
  const studio = openStudio({ env, cwd: env['STUDIO_HOME']! })
  try {
    return await studio.call('system.doctor', { repair: true })
  } finally {
    await studio.close()
  }
}

it.skipIf(process.platform === 'win32')(
  'a database is the same one through a link, with one log and one lock',
  async () => {
    const [home, other] = [temporaryFolder(), temporaryFolder()]
    const env = { STUDIO_HOME: home }
    const link = join(home, 'studio.db')
    // A link to a database that does not exist yet.
    symlinkSync(join(other, 'moved.db'), link)
    await addFolder(env, 'A')
    await addFolder({ STUDIO_HOME: home, STUDIO_DB: join(other, 'moved.db') }, 'B')
    await addFolder(env, 'C')
    expect(await listFolders(env)).toEqual(expect.arrayContaining(['A', 'B', 'C']))
    expect(readdirSync(home).filter((name) => name.startsWith('studio.db'))).toEqual(['studio.db'])
    expect(loadSettings({ env, cwd: home })).toMatchObject({ isDbLinked: true })
  },
)

it.skipIf(process.platform === 'win32')(
  'a database that does not exist yet is created at the end of all links, and the links stay',
  async () => {
    const [home, other] = [temporaryFolder(), temporaryFolder()]
    const [link, end] = [join(other, 'link.db'), join(other, 'end.db')]
    symlinkSync(link, join(home, 'studio.db'))
    symlinkSync('end.db', link)
    await addFolder({ STUDIO_HOME: home }, 'A')
    await addFolder({ STUDIO_HOME: home, STUDIO_DB: link }, 'B')
    expect(await listFolders({ STUDIO_HOME: home, STUDIO_DB: end })).toEqual(expect.arrayContaining(['A', 'B']))
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  },
)

it.skipIf(process.platform === 'win32')(
  'a quick command does not read the database under the name of a link',
  async () => {
    const [home, other] = [temporaryFolder(), temporaryFolder()]
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
    await addFolder({ STUDIO_HOME: home }, 'A')
    const database = join(home, 'studio.db')
    expect(await quickSettings(terminal)).toMatchObject({ database })
    for (const name of readdirSync(home).filter((file) => file.startsWith('studio.db')))
      renameSync(join(home, name), join(other, name))
    symlinkSync(join(other, 'studio.db'), database)
    expect(await quickSettings(terminal)).toBe(null)
  },
)

it('a database is not used through a hard link, under whose name it has no log, and is not changed', async () => {
  const [home, other] = [temporaryFolder(), temporaryFolder()]
  const [database, link] = [join(home, 'studio.db'), join(other, 'studio.db')]
  await addFolder({ STUDIO_HOME: home }, 'A')
  linkSync(database, link)
  const env = { STUDIO_HOME: home, STUDIO_DB: link }
  const refusal = { code: 'invalid', message: expect.stringContaining(`${link} is a hard link`) }
  await expect(listFolders(env)).rejects.toMatchObject(refusal)
  await expect(addFolder(env, 'B')).rejects.toMatchObject(refusal)
  await expect(repair(env)).rejects.toMatchObject(refusal)
  expect(readdirSync(other)).toEqual(['studio.db'])
  await addFolder({ STUDIO_HOME: home }, 'C')
  expect(await listFolders({ STUDIO_HOME: home })).toEqual(expect.arrayContaining(['A', 'C']))
  rmSync(database)
  await expect(listFolders(env)).rejects.toMatchObject({ code: 'database_damaged' })
})
