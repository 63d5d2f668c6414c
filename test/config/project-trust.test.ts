import {
  appendFileSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { loadSettings } from '../../src/config'
import { getSetting } from '../../src/config/services/list-settings'
import { readProjectFile } from '../../src/config/services/load-settings'
import { findProjectFile } from '../../src/config/services/paths'
import {
  getFreedom,
  isTrustNeeded,
  listTrustedProjects,
  revokeTrust,
  trustProject,
} from '../../src/config/services/project-trust'
import { listSettingSchemas } from '../../src/config/services/settings-file'
import { temporaryFolder } from '../temporary-folder'

let place: { env: Record<string, string>; cwd: string }
let file: string

beforeEach(() => {
  const root = temporaryFolder()
  place = { env: { STUDIO_HOME: join(root, 'home') }, cwd: join(root, 'repository', 'deep') }
  mkdirSync(place.cwd, { recursive: true })
  mkdirSync(join(root, 'home'))
  file = join(root, 'repository', 'studio.config.json')
})

const write = (settings: unknown) => writeFileSync(file, JSON.stringify(settings))
const writeUserFile = (settings: unknown) =>
  writeFileSync(join(place.env['STUDIO_HOME']!, 'config.json'), JSON.stringify(settings))
const paths = () => loadSettings({ env: place.env, cwd: place.env['STUDIO_HOME']! }).paths
const refusal = (about: string) =>
  expect.objectContaining({
    code: 'invalid',
    message: expect.stringContaining(`${file} sets ${about}, which`),
    hint: expect.stringContaining('studio config trust'),
  })

describe('the settings', () => {
  it('need trust in a project file, but for those with a reason why not', () => {
    const keys = listSettingSchemas(['gh'])
    const free = keys.filter(([, field]) => getFreedom(field) !== null).map(([key]) => key)
    expect(free).toEqual([
      'user',
      'sanitize.also',
      'search.index',
      ...['tracker.kind', 'tracker.project', 'tracker.board', 'tracker.typeLabels', 'tracker.sandboxNotice'],
      ...['trackers.gh.kind', 'trackers.gh.project', 'trackers.gh.board', 'trackers.gh.typeLabels'],
      'llm.api',
      ...['serve.port', 'serve.log', 'serve.pageCacheMb'],
      'auth.local',
    ])
    for (const [key, field] of keys) expect(isTrustNeeded(field, 'value'), key).toBe(!free.includes(key))
    const documented = readFileSync('docs/how-to/connect-a-tracker.md', 'utf8')
    for (const key of free.filter((each) => !each.startsWith('trackers.'))) expect(documented).toContain(`\`${key}\``)
  })

  it('need trust if they are new', () => {
    expect(isTrustNeeded(z.string().optional(), 'value')).toBe(true)
    expect(isTrustNeeded(z.string().optional(), undefined)).toBe(false)
  })
})

describe('a project file', () => {
  it('cannot take away what the user removes from copies', () => {
    writeUserFile({ sanitize: { also: ['iban', 'ip'] } })
    for (const [also, expected] of [
      [[], ['iban', 'ip']],
      [['mac'], ['iban', 'ip', 'mac']],
    ]) {
      write({ sanitize: { also } })
      expect(loadSettings(place).sanitizeAlso).toEqual(expected)
      expect(getSetting('sanitize.also', place).value).toEqual(expect.arrayContaining(expected!))
    }
  })

  it.each([
    ['db', { db: './shipped.db' }],
    ['db', { db: 'postgres://studio@elsewhere.example/studio' }],
    ['tracker.url', { tracker: { url: 'https://elsewhere.example/works' } }],
    ['trackers.gh.url', { trackers: { gh: { url: 'https://elsewhere.example/works' } } }],
    ['trackers.constructor.url', { trackers: { constructor: { url: 'https://elsewhere.example/works' } } }],
    ['tracker.project', { tracker: { kind: 'github', project: 'elsewhere/docks' } }],
    ['trackers.gh.project', { trackers: { gh: { project: 'elsewhere/docks' } } }],
    ['llm.host', { llm: { host: 'https://elsewhere.example' } }],
    ['serve.host, serve.allowedHosts', { serve: { host: '0.0.0.0', allowedHosts: ['elsewhere.example'] } }],
    ['tenant', { tenant: 'acme' }],
    ['tracker.account', { tracker: { account: 'them@elsewhere.example' } }],
    ['tracker.tokenCommand', { tracker: { tokenCommand: 'echo token' } }],
    ['llm.tokenCommand', { llm: { tokenCommand: 'echo token' } }],
    ['llm.model', { llm: { model: 'elsewhere-cloud' } }],
    ['serve.log, serve.metrics', { serve: { log: 'off', metrics: true } }],
    ['smtp.from', { smtp: { from: 'them@elsewhere.example' } }],
    ['webhooks.allowedNetworks', { webhooks: { allowedNetworks: ['10.0.0.0/8'] } }],
    ['auth.jwt.issuer, auth.jwt.jwksUrl', { auth: { jwt: { issuer: 'a', jwksUrl: 'https://elsewhere.example' } } }],
  ])('is refused if it is not trusted and sets %s', (keys, settings) => {
    write(settings)
    expect(() => loadSettings(place)).toThrow(refusal(keys))
  })

  it('can set everything else, what a variable overrides, and what the user sets too', () => {
    write({ user: 'ana', tracker: { project: 'Shop' }, auth: { local: false }, serve: { port: 4400, log: 'json' } })
    expect(loadSettings(place)).toMatchObject({ user: 'ana', auth: { local: false }, serve: { port: 4400 } })
    write({ tenant: 'acme' })
    expect(loadSettings({ ...place, flags: { tenant: 'north' } }).tenant).toBe('north')
    write({ db: './shipped.db', serve: { host: '0.0.0.0' } })
    place.env['STUDIO_DB'] = '/own.db'
    expect(loadSettings({ ...place, flags: { host: '127.0.0.1' } }).db).toBe('/own.db')
    delete place.env['STUDIO_DB']
    write({ db: '/own/studio.db' })
    writeUserFile({ db: '/own/studio.db' })
    expect(loadSettings(place).db).toBe('/own/studio.db')
    write({ tracker: { project: 'acme/harbor' } })
    writeUserFile({ tracker: { url: 'https://github.com', project: 'acme/harbor' } })
    expect(loadSettings(place).tracker.project).toBe('acme/harbor')
    place.env['STUDIO_TRACKER_PROJECT'] = 'acme/docks'
    write({ tracker: { project: 'elsewhere/docks' } })
    expect(loadSettings(place).tracker.project).toBe('acme/docks')
    delete place.env['STUDIO_TRACKER_PROJECT']
    const gh = { url: 'https://github.com/acme' }
    writeUserFile({ trackers: { gh: { ...gh, project: 'harbor' } } })
    for (const trackers of [{ gh }, { gh: { ...gh, project: 'docks' } }, { gh: { project: 'docks' } }]) {
      write({ trackers })
      const project = Object.values(trackers)[0]!
      expect(loadSettings(place).trackers).toMatchObject([{ ...gh, project: 'harbor', ...project }])
    }
  })

  it.each([
    ['db', { db: 'studio.db' }],
    ['auth.jwt.secretFile', { auth: { jwt: { issuer: 'a', audience: 'b', secretFile: 'jwt.secret' } } }],
  ])(
    'is refused if it sets %s to the same relative path as the user, because that is another file',
    (key, settings) => {
      write(settings)
      writeUserFile(settings)
      expect(() => loadSettings(place)).toThrow(refusal(key))
    },
  )

  it('resolves a database relative to itself, so that no folder can substitute its own', async () => {
    write({ db: 'data/studio.db' })
    await trustProject(readProjectFile(file), paths())
    expect(loadSettings(place).db).toBe(join(dirname(file), 'data', 'studio.db'))
    rmSync(file)
    writeUserFile({ db: 'data/studio.db' })
    const own = join(place.env['STUDIO_HOME']!, 'data', 'studio.db')
    expect(loadSettings(place).db).toBe(own)
  })

  it('is the target of a link', () => {
    write({})
    const folder = join(place.cwd, 'linked')
    mkdirSync(folder)
    symlinkSync(file, join(folder, 'studio.config.json'))
    expect(findProjectFile(folder)).toBe(file)
  })

  it('is used after it is trusted, until it changes or the trust is revoked', async () => {
    write({ tracker: { url: 'https://tracker.example/works' }, llm: { host: 'https://models.example' } })
    await trustProject(readProjectFile(file), paths())
    place.env['STUDIO_TRACKER_TOKEN'] = 'the-token'
    expect(loadSettings(place)).toMatchObject({
      tracker: { url: 'https://tracker.example/works', token: 'the-token' },
      llm: { host: 'https://models.example' },
    })
    expect(listTrustedProjects(paths())).toEqual([file])
    appendFileSync(file, '\n')
    expect(() => loadSettings(place)).toThrow(/has changed since you trusted it/)
    await trustProject(readProjectFile(file), paths())
    expect(await revokeTrust(file, paths())).toBe(true)
    expect(() => loadSettings(place)).toThrow(/You have not trusted this file/)
  })

  it.runIf(process.getuid?.() === 0)('that another user owns ends the search', () => {
    write({ user: 'of-above' })
    const theirs = join(place.cwd, 'studio.config.json')
    writeFileSync(theirs, '{}')
    chownSync(theirs, 65534, 65534)
    expect(findProjectFile(place.cwd)).toBeNull()
    rmSync(theirs)
    symlinkSync(file, theirs)
    lchownSync(theirs, 65534, 65534)
    expect(findProjectFile(place.cwd)).toBeNull()
    rmSync(theirs)
    expect(findProjectFile(place.cwd)).toBe(file)
  })
})

describe('the name of a project', () => {
  const readTrackers = (given: Parameters<typeof loadSettings>[0]) => {
    const settings = loadSettings(given)
    return [settings.tracker, settings.trackers]
  }
  const elsewhere = [
    '..',
    '.',
    'a/..',
    '../a',
    'acme/../evil',
    'evil\\harbor',
    '..\\a',
    '%2e%2e',
    'a%2Fb',
    'a?b',
    'a#b',
    'a\nb',
  ]

  it.each(elsewhere)('may not lead to another place: %j', (project) => {
    for (const settings of [{ tracker: { project } }, { trackers: { gh: { url: 'https://github.com', project } } }]) {
      write(settings)
      expect(() => readTrackers(place)).toThrow(/project.* must be the name of a project, without/)
    }
    rmSync(file)
    const env = { ...place.env, STUDIO_TRACKER_PROJECT: project }
    expect(() => readTrackers({ ...place, env })).toThrow(/^STUDIO_TRACKER_PROJECT must be the name/)
  })

  it.each(['Harbor', 'Harbor Team 2.0', 'Straße', '.github', 'a..b', 'ABC', '100%'])('may be %j', (project) => {
    write({ tracker: { project } })
    expect(loadSettings(place).tracker.project).toBe(project)
  })
})
