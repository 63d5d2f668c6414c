import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inspectSettings, loadSettings, type Settings } from '../../src/config'
import { openStudio } from '../../src/studio'
import { temporaryFolder } from '../temporary-folder'

let place: { env: Record<string, string>; cwd: string }

beforeEach(() => {
  const home = temporaryFolder()
  place = { env: { STUDIO_HOME: home }, cwd: join(home, 'work') }
  mkdirSync(place.cwd)
})

const wrongVariables: [name: string, value: string, read: (settings: Settings) => unknown][] = [
  ['STUDIO_SMTP_FROM', 'not an address', ({ mail }) => mail.from],
  ['STUDIO_SMTP_URL', 'https://mail.example', ({ mail }) => mail.url],
  ['STUDIO_WEBHOOK_NETWORKS', 'everywhere', ({ webhooks }) => webhooks.allowedNetworks],
  ['STUDIO_TRACKER_URL', 'tracker', ({ tracker }) => tracker.url],
  ['STUDIO_TRACKER_KIND', 'mantis', ({ tracker }) => tracker.kind],
  ['STUDIO_TRACKER_BOARD', 'one', ({ tracker }) => tracker.board],
  ['STUDIO_TRACKER_TYPE_LABELS', 'us', ({ tracker }) => tracker.typeLabels],
  ['STUDIO_SANDBOX_NOTICE', 'maybe', ({ tracker }) => tracker.hasSandboxNotice],
  ['HTTPS_PROXY', 'ftp://proxy.example', ({ tracker }) => tracker.proxy],
  ['STUDIO_LLM_HOST', 'model', ({ llm }) => llm.host],
  ['STUDIO_LLM_API', 'telepathy', ({ llm }) => llm.api],
  ['STUDIO_PORT', 'eighty', ({ serve }) => serve.port],
  ['STUDIO_LOG', 'loud', ({ serve }) => serve.log],
  ['STUDIO_TRUSTED_PROXIES', 'proxy', ({ serve }) => serve.trustedProxies],
  ['STUDIO_PAGE_CACHE_MB', '0', ({ serve }) => serve.pageCacheMb],
  ['STUDIO_AUTH', 'never', ({ auth }) => auth.local],
  ['STUDIO_JWT_JWKS_URL', 'keys', ({ auth }) => auth.jwt],
  ['STUDIO_DB_TO', 'mysql://x', ({ dbTo }) => dbTo],
]
const wrongContents: [content: object, read: (settings: Settings) => unknown][] = [
  [{ smtp: { from: 'nobody' } }, ({ mail }) => mail.from],
  [{ webhooks: { allowedNetworks: ['all'] } }, ({ webhooks }) => webhooks.allowedNetworks],
  [{ tracker: { board: 0 } }, ({ tracker }) => tracker.board],
  [{ trackers: { gh: { project: 'docks' } } }, ({ trackers }) => trackers],
  [{ llm: { host: 1 } }, ({ llm }) => llm.host],
  [{ serve: { port: -1 } }, ({ serve }) => serve.port],
  [{ auth: { local: 'no' } }, ({ auth }) => auth.local],
]

/** A command that uses none of the wrong settings. */
async function listDrafts(): Promise<unknown> {
  const studio = openStudio(place)
  try {
    const { execute } = await import('../../src/kernel')
    const { listDrafts: list } = await import('../../src/drafts/operations/list-drafts')
    return await execute(list, {}, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
  } finally {
    await studio.close()
  }
}

describe('a wrong value', () => {
  it.each(wrongVariables)('of %s fails what uses it, and is reported by doctor', async (name, value, read) => {
    place.env[name] = value
    const settings = loadSettings(place)
    expect(() => read(settings)).toThrow(expect.objectContaining({ code: 'invalid' }))
    expect(await inspectSettings(settings)).toMatchObject([{ about: 'settings', level: 'problem' }])
    expect(await listDrafts()).toEqual([])
  })

  it.each(wrongContents)('in a file fails what uses it, and is reported by doctor: %j', async (content, read) => {
    writeFileSync(join(place.env['STUDIO_HOME']!, 'config.json'), JSON.stringify({ user: 'ana', ...content }))
    const settings = loadSettings(place)
    expect(settings.user).toBe('ana')
    expect(() => read(settings)).toThrow(expect.objectContaining({ code: 'invalid' }))
    expect(await inspectSettings(settings)).toMatchObject([{ about: 'settings', level: 'problem' }])
    expect(await listDrafts()).toEqual([])
  })

  it.each([
    { user: 1 },
    { sanitize: { also: ['names'] } },
    { smpt: {} },
    { smtp: { form: 'docks@example.com' } },
    { trackers: { GH: { url: 'https://github.com' } } },
  ])('fails every command if all may use it, as does a wrong name: %j', (content) => {
    writeFileSync(join(place.env['STUDIO_HOME']!, 'config.json'), JSON.stringify(content))
    expect(() => loadSettings(place)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })
})

it('a sender may have a name', async () => {
  place.env['STUDIO_SMTP_FROM'] = '"Docks" <d@x.example>'
  const settings = loadSettings(place)
  expect(settings.mail.from).toBe('"Docks" <d@x.example>')
  expect(await inspectSettings(settings)).toEqual([])
})
