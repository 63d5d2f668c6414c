import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { changeSetting, listSettings } from '../../src/config/services/list-settings'
import { readSettingsFile } from '../../src/config/services/settings-file'
import { temporaryFolder } from '../temporary-folder'

describe('an invalid settings file', () => {
  it.each([
    ['{"tenant": 5}', 'tenant: must be text.'],
    ['{"user": ""}', 'user: must not be empty.'],
    ['{"llm": {"api": "other"}}', 'llm.api: must be ollama or openai.'],
    ['{"serve": {"port": "x"}}', 'serve.port: must be a number.'],
    ['{"tracker": {"token": "hidden"}}', 'tracker.token: is not a setting.'],
    ['{"tracker": {"url": "ftp://t"}}', 'tracker.url: must be an http or https address.'],
    ['[]', 'must be an object.'],
  ])('is refused with a specific message: %s', (content, message) => {
    const path = join(temporaryFolder(), 'config.json')
    writeFileSync(path, content)
    expect(() => readSettingsFile(path)).toThrow(expect.objectContaining({ message: `${path}: ${message}` }))
  })
})

describe('sanitize.also', () => {
  it('joins what the environment, the user and the project name, so that a project removes nothing from the list', () => {
    const home = temporaryFolder()
    const cwd = join(home, 'project')
    mkdirSync(cwd)
    writeFileSync(join(home, 'config.json'), '{"sanitize": {"also": ["iban"]}}')
    writeFileSync(join(cwd, 'studio.config.json'), '{"sanitize": {"also": ["ip"]}}')
    const load = (also: string) => loadSettings({ env: { STUDIO_HOME: home, STUDIO_SANITIZE_ALSO: also }, cwd })
    expect(load('mac, iban').sanitizeAlso).toEqual(['mac', 'iban', 'ip'])
    expect(() => load('mac,phone')).toThrow('unknown kind: phone')
  })
})

describe.runIf(process.platform !== 'win32')('a settings file that is not a regular file', () => {
  const kinds: Record<string, (path: string) => void> = {
    'a named pipe': (path) => void execFileSync('mkfifo', [path]),
    'a folder': (path) => mkdirSync(path),
  }

  it.each(
    Object.keys(kinds).flatMap((kind) =>
      ['config.json', 'credentials.json', 'project/studio.config.json'].map((name) => [kind, name] as const),
    ),
  )('is refused without waiting: %s as %s', (kind, name) => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'project'))
    kinds[kind]!(join(home, name))
    const place = { env: { STUDIO_HOME: home, STUDIO_TRACKER_URL: 'https://t.example' }, cwd: join(home, 'project') }
    const refusal = expect.objectContaining({ code: 'invalid', message: `${join(home, name)} is not a regular file.` })
    expect(() => ({ ...loadSettings(place) })).toThrow(refusal)
    if (name === 'credentials.json') return
    expect(() => listSettings(place)).toThrow(refusal)
  })
})

it.skipIf(process.platform === 'win32')(
  'a home whose links lead in a circle is refused, without advice on permissions',
  () => {
    const folder = temporaryFolder()
    const home = join(folder, 'home')
    symlinkSync(home, join(folder, 'other'))
    symlinkSync(join(folder, 'other'), home)
    const load = () => ({ ...loadSettings({ env: { STUDIO_HOME: home }, cwd: folder }) })
    expect(load).toThrow(expect.objectContaining({ code: 'invalid', hint: 'Set STUDIO_HOME to your own folder.' }))
  },
)

describe.skipIf(process.platform === 'win32')('a settings file that is a link', () => {
  it.each([
    ['of the user: the file that it leads to is changed', 'user', 'config.json', true],
    // A link in a folder may be a stranger's, and lead to any file of the user.
    ['of a project: it is replaced, and the other file stays as it is', 'project', 'studio.config.json', false],
  ] as const)('%s', async (_, scope, name, isFollowed) => {
    const home = temporaryFolder()
    const [link, target] = [join(home, name), join(temporaryFolder(), 'settings.json')]
    writeFileSync(target, '{}')
    symlinkSync(target, link)
    await changeSetting({ key: 'tenant', text: 'north', scope }, { env: { STUDIO_HOME: home }, cwd: home })
    expect(lstatSync(link).isSymbolicLink()).toBe(isFollowed)
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(isFollowed ? { tenant: 'north' } : {})
    expect(JSON.parse(readFileSync(link, 'utf8'))).toEqual({ tenant: 'north' })
  })
})
