import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { temporaryFolder } from '../temporary-folder'

const GH = 'https://github.com/acme/harbor'
const JIRA = 'https://acme.example.com'
let place: { env: Record<string, string>; cwd: string }

beforeEach(() => {
  const home = temporaryFolder()
  place = { env: { STUDIO_HOME: home }, cwd: home }
})

const write = (settings: unknown) =>
  writeFileSync(join(place.env['STUDIO_HOME']!, 'config.json'), JSON.stringify(settings))

describe('further trackers', () => {
  it('are listed in the order of their names, and do not replace the default one', () => {
    expect(loadSettings(place).trackers).toEqual([])
    write({
      tracker: { url: 'https://dev.example.com/works', project: 'Harbor' },
      trackers: {
        jira: { url: JIRA, project: 'ABC', account: 'ada@example.com' },
        gh: { kind: 'github', url: GH, board: 3, typeLabels: ['us=Story'] },
      },
    })
    const { tracker, trackers } = loadSettings(place)
    expect(tracker).toMatchObject({ url: 'https://dev.example.com/works', project: 'Harbor', board: null })
    const none = { kind: null, token: null, proxy: null, project: null, account: null, board: null, typeLabels: [] }
    expect(trackers).toMatchObject([
      { ...none, name: 'gh', kind: 'github', url: GH, board: 3, typeLabels: ['us=Story'] },
      { ...none, name: 'jira', url: JIRA, project: 'ABC', account: 'ada@example.com' },
    ])
  })

  it('have a token each, and never that of the default one', () => {
    write({ trackers: { 'gh-2': { url: GH }, jira: { url: JIRA } } })
    Object.assign(place.env, { STUDIO_TRACKER_TOKEN: 'default', STUDIO_TRACKER_TOKEN_GH_2: 'of-gh' })
    expect(loadSettings(place).trackers.map(({ name, token }) => [name, token])).toEqual([
      ['gh-2', 'of-gh'],
      ['jira', null],
    ])
  })

  it('have a command each that prints their token, in a variable or a setting', () => {
    write({ trackers: { gh: { url: GH, tokenCommand: 'gh auth token' }, jira: { url: JIRA } } })
    const commands = () => loadSettings(place).trackers.map(({ tokenCommand }) => tokenCommand)
    place.env['STUDIO_TRACKER_TOKEN_COMMAND'] = 'of-default'
    expect(commands()).toEqual(['gh auth token', null])
    place.env['STUDIO_TRACKER_TOKEN_COMMAND_GH'] = 'op read op://work/gh'
    expect(commands()).toEqual(['op read op://work/gh', null])
    write({ trackers: { 'command-gh': { url: GH } } })
    expect(() => loadSettings(place).trackers).toThrow()
  })

  it('have their own names for settings, which errors show', () => {
    write({ trackers: { 'gh-2': { url: GH } } })
    expect(loadSettings(place).trackers[0]!.settingNames).toEqual({
      token: 'STUDIO_TRACKER_TOKEN_GH_2',
      tokenCommand: 'trackers.gh-2.tokenCommand',
      url: 'trackers.gh-2.url',
      project: 'trackers.gh-2.project',
      account: 'trackers.gh-2.account',
      board: 'trackers.gh-2.board',
      login: 'studio login gh-2',
    })
  })

  it('are refused without an address, with a name that is no plain word, and in another shape', () => {
    for (const trackers of [{ gh: { project: 'docks' } }, { GH: { url: GH } }, { https: { url: GH } }, { gh: 1 }, []]) {
      write({ trackers })
      expect(() => ({ ...loadSettings(place) })).toThrow()
    }
  })

  it('use the proxies that all requests use', () => {
    write({ trackers: { gh: { url: GH } } })
    place.env['HTTPS_PROXY'] = 'http://proxy.example.com:3128'
    const { tracker, trackers } = loadSettings(place)
    expect(trackers[0]!.proxy).toEqual(tracker.proxy)
    expect(trackers[0]!.proxy).not.toBeNull()
  })

  it('are refused without an address', () => {
    write({ trackers: { gh: { project: 'harbor' } } })
    expect(() => ({ ...loadSettings(place) })).toThrow(
      expect.objectContaining({ code: 'invalid', hint: expect.stringContaining('trackers.gh.url') }),
    )
  })

  it.each(['Gh', '2gh', 'g_h', '', 'a'.repeat(21), 'default', 'http', 'https'])(
    'are refused with the name "%s"',
    (name) => {
      writeFileSync(
        join(place.env['STUDIO_HOME']!, 'config.json'),
        `{"trackers":{${JSON.stringify(name)}:{"url":"${GH}"}}}`,
      )
      expect(() => loadSettings(place)).toThrow(/config\.json: trackers/)
    },
  )

  it.each([{ gh: { url: 'ftp://x' } }, { gh: { token: 'secret' } }, { gh: 'https://github.com' }, []])(
    'are refused with other content: %j',
    (trackers) => {
      write({ trackers })
      expect(() => ({ ...loadSettings(place) })).toThrow(/config\.json: trackers/)
    },
  )
})
