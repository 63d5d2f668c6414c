import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Terminal } from '../../commands/start/invocation'
import { loadSnapshot } from '../../commands/start/load-snapshot'
import { version } from '../../commands/start/version'
import { loadSettings } from '../../src/config'
import { readProjectFile } from '../../src/config/services/load-settings'
import { revokeTrust, trustProject } from '../../src/config/services/project-trust'
import { hashSources, readSnapshot } from '../../src/config/services/settings-snapshot'
import { storeSnapshot, toSnapshot } from '../../src/config/services/store-snapshot'
import { expectOwnerOnly } from '../file-mode'
import { temporaryFolder } from '../temporary-folder'

let place: { env: Record<string, string>; cwd: string }

beforeEach(() => {
  const home = temporaryFolder()
  place = { env: { STUDIO_HOME: join(home, 'data') }, cwd: join(home, 'work') }
  mkdirSync(place.env['STUDIO_HOME']!)
  mkdirSync(place.cwd)
})

const read = (source = place, version = '1.0.0') => {
  const hash = hashSources(source, version)
  return hash ? readSnapshot(source, hash) : null
}
const store = async (source = place) => {
  const hash = hashSources(source, '1.0.0')
  if (hash) await storeSnapshot(source, hash, toSnapshot(loadSettings(source))!)
}
const writeOwn = (settings: object) =>
  writeFileSync(join(place.env['STUDIO_HOME']!, 'config.json'), JSON.stringify(settings))
const projectFile = () => join(place.cwd, 'studio.config.json')
const writeProject = (settings: object) => writeFileSync(projectFile(), JSON.stringify(settings))
const snapshotFile = () => join(place.env['STUDIO_HOME']!, 'state', 'settings-snapshots.json')
const stored = () => readFileSync(snapshotFile(), 'utf8')

describe('the snapshot of the settings', () => {
  it('is what the settings say', async () => {
    writeOwn({
      user: 'ana',
      tenant: 'acme',
      search: { index: 'off' },
      trackers: { gh: { url: 'https://github.com/a/b' } },
    })
    expect(read()).toBeNull()
    await store()
    expect(read()).toEqual({
      database: join(place.env['STUDIO_HOME']!, 'studio.db'),
      isIndexed: false,
      user: 'ana',
      tenant: 'acme',
      trackerKinds: ['azure-devops', 'github'],
    })
  })

  it.each([
    ['the own file changes', () => writeOwn({ user: 'ben' })],
    ['the own file is empty', () => writeOwn({})],
    ['a variable is set', () => Object.assign(place.env, { STUDIO_USER: 'ben' })],
    ['the database is another one', () => Object.assign(place.env, { STUDIO_DB: 'other.db' })],
    ['a project file is added', () => writeProject({ user: 'ben' })],
  ])('does not count any more when %s', async (_, change) => {
    writeOwn({ user: 'ana' })
    await store()
    expect(read()?.user).toBe('ana')
    expect(read(place, '1.0.1')).toBeNull()
    change()
    expect(read()).toBeNull()
    await store()
    const { db, user } = loadSettings(place)
    expect(read()).toMatchObject({ database: db, user })
  })

  it('does not outlive the trust in a project file', async () => {
    writeProject({ db: 'project.db' })
    const file = readProjectFile(projectFile())
    const { paths } = loadSettings({ ...place, cwd: place.env['STUDIO_HOME']! })
    await trustProject(file, paths)
    await store()
    expect(read()?.database).toBe(join(place.cwd, 'project.db'))
    await revokeTrust(file.path, paths)
    expect(read()).toBeNull()
  })

  it('does not count in another folder if the home is relative, because that is another home', async () => {
    const folders = ['one', 'two'].map((name) => join(place.cwd, name))
    const home = process.cwd()
    try {
      for (const folder of folders) mkdirSync(join(folder, 'home'), { recursive: true })
      const [one, two] = folders.map((cwd) => ({ env: { STUDIO_HOME: 'home' }, cwd }))
      process.chdir(one!.cwd)
      await store(one)
      expect(read(one)?.database).toBe(join(one!.cwd, 'home', 'studio.db'))
      cpSync(join(one!.cwd, 'home'), join(two!.cwd, 'home'), { recursive: true })
      process.chdir(two!.cwd)
      expect(read(two)).toBeNull()
    } finally {
      process.chdir(home)
    }
  })

  it('is not stored if the settings change while they are read', async () => {
    writeFileSync(join(place.env['STUDIO_HOME']!, 'studio.db'), '')
    const terminal = { ...place } as unknown as Terminal
    const before = hashSources(terminal, version)
    writeOwn({ user: 'ben' })
    expect((await loadSnapshot(terminal, before))?.user).toBe('ben')
    expect(existsSync(snapshotFile())).toBe(false)
    await loadSnapshot(terminal, hashSources(terminal, version))
    expect(read(place, version)?.user).toBe('ben')
  })

  it('is private, and leaves no other file behind', async () => {
    await store()
    expectOwnerOnly(snapshotFile())
    rmSync(snapshotFile())
    mkdirSync(snapshotFile())
    await store()
    expect(readdirSync(dirname(snapshotFile()))).toEqual(['settings-snapshots.json'])
  })

  it('is kept for several projects, of which the oldest are forgotten', async () => {
    const projects = Array.from({ length: 20 }, (_, i) => {
      const cwd = join(place.cwd, `p${i}`)
      mkdirSync(cwd)
      writeFileSync(join(cwd, 'studio.config.json'), JSON.stringify({ user: `user-${i}` }))
      return { ...place, cwd }
    })
    for (const project of projects) await store(project)
    expect(projects.map((project) => read(project)?.user)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      ...Array.from({ length: 16 }, (_, i) => `user-${i + 4}`),
    ])
  })

  it('does not depend on variables that are no settings, such as a password of the user', async () => {
    await store()
    expect(read({ ...place, env: { ...place.env, STUDIO_ADMIN_PASSWORD: 'secret-1' } })).not.toBeNull()
    expect(read({ ...place, env: { ...place.env, STUDIO_TENANT: '' } })).toBeNull()
  })

  it('contains no token, and is not kept for a password in a variable', async () => {
    await store({ ...place, env: { ...place.env, STUDIO_TRACKER_TOKEN: 'secret-1' } })
    expect(read()).not.toBeNull()
    for (const [name, value] of [
      ['STUDIO_TRACKER_URL', 'https://ana:secret-2@example.com/acme'],
      ['STUDIO_DB_TO', 'postgres://example.com/studio?user=ana&password=secret-3'],
    ] as const) {
      const source = { ...place, env: { ...place.env, [name]: value } }
      await store(source)
      expect(read(source)).toBeNull()
    }
    expect(stored()).not.toContain('secret')
  })

  it('is none for a database on a server, invalid trackers, and a damaged or unwritable file', async () => {
    expect(
      toSnapshot(loadSettings({ ...place, env: { ...place.env, STUDIO_DB: 'postgres://example.com/studio' } })),
    ).toBeNull()
    writeOwn({ trackers: { gh: { project: 'docks' } } })
    expect(() => toSnapshot(loadSettings(place))).toThrow()
    writeOwn({})
    await store()
    writeFileSync(snapshotFile(), 'damaged')
    expect(read()).toBeNull()
    rmSync(snapshotFile())
    mkdirSync(snapshotFile())
    await store()
    expect(read()).toBeNull()
  })
})
