import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { readProjectFile } from '../../src/config/services/load-settings'
import { revokeTrust, trustProject } from '../../src/config/services/project-trust'
import { readSnapshot, toSnapshot, writeSnapshot } from '../../src/config/services/settings-snapshot'
import { temporaryFolder } from '../temporary-folder'

let place: { env: Record<string, string>; cwd: string }

beforeEach(() => {
  const home = temporaryFolder()
  place = { env: { STUDIO_HOME: join(home, 'data') }, cwd: join(home, 'work') }
  mkdirSync(place.env['STUDIO_HOME']!)
  mkdirSync(place.cwd)
})

const read = (source = place) => readSnapshot(source, '1.0.0')
const store = (source = place) => writeSnapshot(source, '1.0.0', toSnapshot(loadSettings(source))!)
const writeOwn = (settings: object) =>
  writeFileSync(join(place.env['STUDIO_HOME']!, 'config.json'), JSON.stringify(settings))
const projectFile = () => join(place.cwd, 'studio.config.json')
const writeProject = (settings: object) => writeFileSync(projectFile(), JSON.stringify(settings))
const snapshotFile = () => join(place.env['STUDIO_HOME']!, 'state', 'settings-snapshots.json')
const stored = () => readFileSync(snapshotFile(), 'utf8')

describe('the snapshot of the settings', () => {
  it('is what the settings say', () => {
    writeOwn({
      user: 'ana',
      tenant: 'acme',
      search: { index: 'off' },
      trackers: { gh: { url: 'https://github.com/a/b' } },
    })
    expect(read()).toBeNull()
    store()
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
  ])('does not count any more when %s', (_, change) => {
    writeOwn({ user: 'ana' })
    store()
    expect(read()?.user).toBe('ana')
    expect(readSnapshot(place, '1.0.1')).toBeNull()
    change()
    expect(read()).toBeNull()
    store()
    const { db, user } = loadSettings(place)
    expect(read()).toMatchObject({ database: db, user })
  })

  it('does not outlive the trust in a project file', async () => {
    writeProject({ db: 'project.db' })
    const file = readProjectFile(projectFile())
    const { paths } = loadSettings({ ...place, cwd: place.env['STUDIO_HOME']! })
    await trustProject(file, paths)
    store()
    expect(read()?.database).toBe(join(place.cwd, 'project.db'))
    await revokeTrust(file.path, paths)
    expect(read()).toBeNull()
  })

  it('is kept for several projects, of which the oldest are forgotten', () => {
    const projects = Array.from({ length: 20 }, (_, i) => {
      const cwd = join(place.cwd, `p${i}`)
      mkdirSync(cwd)
      writeFileSync(join(cwd, 'studio.config.json'), JSON.stringify({ user: `user-${i}` }))
      return { ...place, cwd }
    })
    for (const project of projects) store(project)
    expect(projects.map((project) => read(project)?.user)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      ...Array.from({ length: 16 }, (_, i) => `user-${i + 4}`),
    ])
  })

  it('contains no token, and is not kept for a password in a variable', () => {
    store({ ...place, env: { ...place.env, STUDIO_TRACKER_TOKEN: 'secret-1' } })
    expect(read()).not.toBeNull()
    for (const [name, value] of [
      ['STUDIO_TRACKER_URL', 'https://ana:secret-2@example.com/acme'],
      ['STUDIO_DB_TO', 'postgres://example.com/studio?user=ana&password=secret-3'],
    ] as const) {
      const source = { ...place, env: { ...place.env, [name]: value } }
      store(source)
      expect(read(source)).toBeNull()
    }
    expect(stored()).not.toContain('secret')
  })

  it('is none for a database on a server, invalid trackers, and a damaged or unwritable file', () => {
    expect(
      toSnapshot(loadSettings({ ...place, env: { ...place.env, STUDIO_DB: 'postgres://example.com/studio' } })),
    ).toBeNull()
    writeOwn({ trackers: { gh: { project: 'docks' } } })
    expect(() => toSnapshot(loadSettings(place))).toThrow()
    writeOwn({})
    store()
    writeFileSync(snapshotFile(), 'damaged')
    expect(read()).toBeNull()
    rmSync(snapshotFile())
    mkdirSync(snapshotFile())
    store()
    expect(read()).toBeNull()
  })
})
