import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadSettings, resolvePaths } from '../../src/config'
import { environmentVariables } from '../../src/config/services/environment-variables'
import {
  changeSetting,
  getChangedSetting,
  getSetting,
  listSettingKeys,
  listSettings,
  listTokenSettings,
} from '../../src/config/services/list-settings'
import { readProjectFile } from '../../src/config/services/load-settings'
import { trustProject } from '../../src/config/services/project-trust'
import { saveModelToken, saveTrackerToken } from '../../src/config/services/store-token'
import { expectOwnerOnly } from '../file-mode'
import { temporaryFolder } from '../temporary-folder'

let place: { env: NodeJS.ProcessEnv; cwd: string }
let userFile: string
let projectFile: string

beforeEach(() => {
  const folder = temporaryFolder()
  const cwd = join(folder, 'work', 'deep')
  mkdirSync(cwd, { recursive: true })
  place = { env: { STUDIO_HOME: join(folder, 'home') }, cwd }
  userFile = join(folder, 'home', 'config.json')
  projectFile = join(cwd, 'studio.config.json')
})

const sourceOf = (key: string) => getSetting(key, place).source

describe('the settings', () => {
  it('include every setting of the schema, each with its own variable', () => {
    expect(listSettings(place).map(({ key }) => key)).toEqual(listSettingKeys())
    expect(listSettingKeys().filter((key) => !environmentVariables.some((known) => known.key === key))).toEqual([])
    const keys = environmentVariables.flatMap(({ key }) => key ?? [])
    expect(keys.filter((key) => !listSettingKeys().includes(key))).toEqual([])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('come from a variable, the project, the user or the default, in this order', async () => {
    const used = () => loadSettings(place).tenant
    expect([sourceOf('tenant'), getSetting('tenant', place).value]).toEqual(['default', used()])
    await changeSetting({ key: 'tenant', text: 'of-user', scope: 'user' }, place)
    expect([sourceOf('tenant'), used()]).toEqual([userFile, 'of-user'])
    await changeSetting({ key: 'tenant', text: 'of-project', scope: 'project' }, place)
    await trustProject(readProjectFile(projectFile), resolvePaths(place.env))
    expect([sourceOf('tenant'), used()]).toEqual([projectFile, 'of-project'])
    place.env['STUDIO_TENANT'] = 'of-variable'
    expect([sourceOf('tenant'), used()]).toEqual(['STUDIO_TENANT', 'of-variable'])
  })

  it('are never less strict because of a project file', async () => {
    await changeSetting({ key: 'auth.local', text: 'false', scope: 'user' }, place)
    await changeSetting({ key: 'auth.local', text: 'true', scope: 'project' }, place)
    expect(getSetting('auth.local', place)).toEqual({ key: 'auth.local', value: false, source: userFile })
    expect(loadSettings(place).auth.local).toBe(false)
  })

  it('show where the token of the tracker is set, but never the token', async () => {
    expect(listTokenSettings(place)[0]).toEqual({ key: 'tracker.token', value: null, source: 'default' })
    await changeSetting({ key: 'tracker.url', text: 'https://tracker.example.com/works', scope: 'user' }, place)
    const stored = await saveTrackerToken(resolvePaths(place.env), {
      url: 'https://tracker.example.com/works',
      token: 'very-secret',
    })
    expect(listTokenSettings(place)[0]).toEqual({ key: 'tracker.token', value: 'set', source: stored })
    place.env['STUDIO_TRACKER_TOKEN'] = 'very-secret'
    expect(listTokenSettings(place)[0]).toEqual({ key: 'tracker.token', value: 'set', source: 'STUDIO_TRACKER_TOKEN' })
  })

  it('show where the token of the language model is set, but never the token', async () => {
    const setting = () => listTokenSettings(place).find(({ key }) => key === 'llm.token')
    expect(setting()).toEqual({ key: 'llm.token', value: null, source: 'default' })
    const host = 'https://models.example.com/v1'
    // The token of a tracker at the same address is another one.
    const stored = await saveTrackerToken(resolvePaths(place.env), { url: host, token: 'of-tracker' })
    await changeSetting({ key: 'llm.host', text: host, scope: 'user' }, place)
    expect(setting()).toMatchObject({ value: null })
    expect(loadSettings(place).llm.token).toBeNull()
    await saveModelToken(resolvePaths(place.env), { host, token: 'very-secret' })
    expect(setting()).toEqual({ key: 'llm.token', value: 'set', source: stored })
    expect(loadSettings(place).llm.token).toBe('very-secret')
    place.env['STUDIO_LLM_TOKEN'] = 'of-variable'
    expect(setting()).toEqual({ key: 'llm.token', value: 'set', source: 'STUDIO_LLM_TOKEN' })
    expect(loadSettings(place).llm.token).toBe('of-variable')
    place.env = { ...place.env, STUDIO_LLM_TOKEN: '', STUDIO_LLM_HOST: 'https://elsewhere.example' }
    expect(loadSettings(place).llm.token).toBeNull()
    await expect(changeSetting({ key: 'llm.token', text: 'x', scope: 'user' }, place)).rejects.toMatchObject({
      message: 'A secret cannot be stored in a settings file.',
      hint: expect.stringContaining('STUDIO_LLM_TOKEN'),
    })
  })

  it('include those of each further tracker, with where its token is set', async () => {
    const url = 'https://github.com/acme/harbor'
    for (const key of ['trackers.gh-2.url', 'trackers.constructor.url'])
      await changeSetting({ key, text: url, scope: 'user' }, place)
    await changeSetting({ key: 'trackers.gh-2.project', text: 'docks', scope: 'project' }, place)
    expect(getSetting('trackers.gh-2.url', place)).toEqual({ key: 'trackers.gh-2.url', value: url, source: userFile })
    expect(sourceOf('trackers.gh-2.project')).toBe(projectFile)
    expect(getSetting('trackers.other.url', place)).toMatchObject({ value: null, source: 'default' })
    const keys = listSettings(place).map(({ key }) => key)
    expect(keys.filter((key) => /^trackers\..*\.url$/.test(key))).toEqual([
      'trackers.constructor.url',
      'trackers.gh-2.url',
    ])
    place.env['STUDIO_TRACKER_TOKEN_GH_2'] = 'very-secret'
    expect(listTokenSettings(place)).toEqual([
      { key: 'tracker.token', value: null, source: 'default' },
      { key: 'trackers.constructor.token', value: null, source: 'default' },
      { key: 'trackers.gh-2.token', value: 'set', source: 'STUDIO_TRACKER_TOKEN_GH_2' },
      { key: 'llm.token', value: null, source: 'default' },
    ])
    expect(Object.keys(Object)).toEqual([])
  })

  it('contain no passwords', () => {
    place.env['STUDIO_DB'] = 'postgres://ana:very-secret@db.example.com/studio'
    expect(getSetting('db', place).value).toBe('postgres://ana:…@db.example.com/studio')
    expect(JSON.stringify(listSettings(place))).not.toContain('very-secret')
  })
})

describe('a changed setting', () => {
  it.each([
    ['serve.port', '4400', 4400],
    ['serve.metrics', 'true', true],
    ['serve.allowedHosts', 'docks.example.com, b.example.com', ['docks.example.com', 'b.example.com']],
    ['tracker.url', 'https://tracker.example.com/org', 'https://tracker.example.com/org'],
  ])('is stored with the type in the schema: %s', async (key, text, value) => {
    expect(await changeSetting({ key, text, scope: 'user' }, place)).toBe(userFile)
    expect(getSetting(key, place)).toEqual({ key, value, source: userFile })
    expectOwnerOnly(userFile)
  })

  it('does not affect others in the file, and is removed if it is null', async () => {
    mkdirSync(join(userFile, '..'))
    writeFileSync(userFile, JSON.stringify({ user: 'ana', tracker: { project: 'Harbor' } }))
    await changeSetting({ key: 'tracker.project', text: null, scope: 'user' }, place)
    expect(JSON.parse(readFileSync(userFile, 'utf8'))).toEqual({ user: 'ana' })
  })

  it('can remove a further tracker with all its settings', async () => {
    const set = (key: string, text: string | null) => changeSetting({ key, text, scope: 'user' }, place)
    for (const name of ['gh', 'jira']) await set(`trackers.${name}.url`, `https://${name}.example.com`)
    await set('trackers.gh.board', '3')
    await set('trackers.gh', null)
    expect(loadSettings(place).trackers).toMatchObject([{ name: 'jira' }])
    expect(getChangedSetting('trackers.gh', place)).toEqual({ key: 'trackers.gh', value: null, source: 'default' })
    await set('trackers.jira', null)
    expect(JSON.parse(readFileSync(userFile, 'utf8'))).toEqual({})
  })

  it('can fix a setting that prevents studio from starting', async () => {
    mkdirSync(join(userFile, '..'))
    writeFileSync(userFile, JSON.stringify({ serve: { port: 'many' } }))
    expect(() => ({ ...loadSettings(place) })).toThrow(/serve.port/)
    await changeSetting({ key: 'serve.port', text: '4401', scope: 'user' }, place)
    expect(loadSettings(place).serve.port).toBe(4401)
  })

  it.each([
    ['serve.port', 'many', 'invalid'],
    ['serve.port', '70000', 'invalid'],
    ['llm.api', 'telepathy', 'invalid'],
    ['tracker.url', 'ftp://tracker', 'invalid'],
    ['tracker.token', 'abc', 'invalid'],
    ['tracker.colour', 'red', 'invalid'],
    ['trackers.gh', 'https://github.com/acme', 'invalid'],
    ['trackers.gh.token', 'abc', 'invalid'],
    ['trackers.GH.url', 'https://github.com/acme', 'invalid'],
    ['trackers.default.url', 'https://github.com/acme', 'invalid'],
    ['trackers.gh.url', 'ftp://tracker', 'invalid'],
    ['constructor', 'x', 'invalid'],
    ['__proto__.polluted', 'x', 'invalid'],
  ])('is refused without writing: %s to "%s"', async (key, text, code) => {
    await expect(changeSetting({ key, text, scope: 'user' }, place)).rejects.toMatchObject({ code })
    expect(() => statSync(userFile)).toThrow(/ENOENT/)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('does not replace a file that is not JSON', async () => {
    writeFileSync(projectFile, '{ "user": ')
    await expect(changeSetting({ key: 'user', text: 'ana', scope: 'project' }, place)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(readFileSync(projectFile, 'utf8')).toBe('{ "user": ')
  })
})
