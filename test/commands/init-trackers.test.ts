import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { startSandbox } from '../../src/sandbox'
import { TRACKER_KINDS, type TrackerKind } from '../../src/tracker'
import { temporaryFolder } from '../temporary-folder'
import { startStub } from '../tracker/azure-devops/stub-server'
import { createFakeGitHub } from '../tracker/github/fake-github'
import { createFakeGitLab } from '../tracker/gitlab/fake-gitlab'
import { startFakeJira } from '../tracker/jira/fake-jira'
import { authenticationError, createFakeLinear } from '../tracker/linear/fake-linear'

const TOKEN = 'secret-token'
const ACCOUNT = 'robin@works.example'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

async function studio(argv: string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  const terminal = memoryTerminal({
    env: { STUDIO_HOME: home, STUDIO_LLM_HOST: 'http://127.0.0.1:9', ...env },
    cwd: home,
    input,
  })
  const code = await runCommand(argv, terminal, new AbortController().signal)
  return { code, output: terminal.output, errors: terminal.errors }
}

const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
const tokens = () => JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8')).tokens

/** A tracker that accepts only the token, with the settings and flags that it needs besides its kind and address. */
interface TestTracker {
  url: string
  settings: Record<string, string>
  flags: string[]
}

const starters: Record<TrackerKind, () => Promise<TestTracker>> = {
  async 'azure-devops'() {
    const sandbox = await startSandbox({ file: null, token: TOKEN })
    onTestFinished(() => sandbox.close())
    const { url, project } = sandbox
    return { url, settings: { project }, flags: ['--tracker-project', project] }
  },
  async github() {
    const github = createFakeGitHub({ issues: [] })
    const { url } = await startStub((request) =>
      request.headers.authorization === `Bearer ${TOKEN}`
        ? github.answer(request)
        : { status: 401, json: { message: 'Bad credentials' } },
    )
    return { url: `${url}/harbor`, settings: {}, flags: [] }
  },
  async gitlab() {
    const gitlab = createFakeGitLab({ items: [] })
    const { url } = await startStub((request) => gitlab.answer(request))
    return { url: `${url}/harbor`, settings: {}, flags: [] }
  },
  async jira() {
    const { url } = await startFakeJira({
      deployment: 'cloud',
      project: { key: 'HAR', name: 'Harbor' },
      issues: [],
      token: TOKEN,
      account: ACCOUNT,
    })
    const flags = ['--tracker-project', 'HAR', '--tracker-account', ACCOUNT]
    return { url, settings: { project: 'HAR', account: ACCOUNT }, flags }
  },
  async linear() {
    const linear = createFakeLinear({ issues: [] })
    const { url } = await startStub((request) =>
      request.headers.authorization === `Bearer ${TOKEN}`
        ? linear.answer(request)
        : { status: 401, json: authenticationError() },
    )
    return { url: `${url}/team/ENG`, settings: {}, flags: [] }
  },
}

/** The kind is written only where the address does not say it. */
const kindSetting = (kind: TrackerKind) => (kind === 'azure-devops' ? {} : { kind })

describe.each(TRACKER_KINDS)('studio init with a tracker of the kind %s', (kind) => {
  it('calls it with all that its sign-in needs, and stores that', async () => {
    const { url, settings: needed, flags } = await starters[kind]()
    const argv = ['init', '--tracker-kind', kind, '--tracker-url', url, ...flags, '--with-token']
    const { code, errors } = await studio(argv, { input: TOKEN })
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(settings()).toEqual({ tracker: { ...kindSetting(kind), url, ...needed } })
    expect(await studio(['doctor', '--quick', '--json'])).toMatchObject({
      output: expect.stringContaining('token accepted'),
    })
  })

  it('takes the kind from the variable, and stores it with the address', async () => {
    const { url, settings: needed, flags } = await starters[kind]()
    const env = { STUDIO_TRACKER_KIND: kind, STUDIO_TRACKER_TOKEN: TOKEN }
    expect(await studio(['init', '--tracker-url', url, ...flags], { env })).toMatchObject({ code: 0, errors: '' })
    expect(settings()).toEqual({ tracker: { ...kindSetting(kind), url, ...needed } })
  })

  it('adds it beside the default one', async () => {
    const { url, settings: needed, flags } = await starters[kind]()
    const argv = ['init', '--add', 'other', '--tracker-kind', kind, '--tracker-url', url, ...flags, '--with-token']
    expect(await studio(argv, { input: TOKEN })).toMatchObject({ code: 0, errors: '' })
    expect(settings()).toEqual({ trackers: { other: { ...kindSetting(kind), url, ...needed } } })
  })

  it('writes nothing if the tracker rejects the token', async () => {
    const { url, flags } = await starters[kind]()
    const argv = ['--tracker-kind', kind, '--tracker-url', url, ...flags, '--with-token']
    for (const [add, variable] of [
      [[], /STUDIO_TRACKER_TOKEN\b/],
      [['--add', 'other'], /STUDIO_TRACKER_TOKEN_OTHER/],
    ] as const) {
      const refused = await studio(['init', ...add, ...argv], { input: 'wrong-token' })
      expect(refused).toMatchObject({ code: 4, errors: expect.stringMatching(variable) })
    }
    expect(existsSync(join(home, 'config.json'))).toBe(false)
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })
})

describe('studio init', () => {
  const cloud = ['--tracker-url', 'https://acme.atlassian.net']
  it.each([
    [[...cloud, '--with-token'], '--tracker-project'],
    [[...cloud, '--tracker-project', 'ABC', '--with-token'], '--tracker-account'],
  ])('says what Jira Cloud needs: %j', async (argv, flag) => {
    for (const add of [[], ['--add', 'jira']]) {
      const errors = expect.stringContaining(flag)
      expect(await studio(['init', ...add, ...argv], { input: TOKEN })).toMatchObject({ code: 2, errors })
    }
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it.each([['--tracker-kind', 'jira'], ['--tracker-project', 'ABC'], ['--tracker-account', ACCOUNT], ['--with-token']])(
    'refuses %s without the address of a tracker',
    async (...flags) => {
      const errors = expect.stringContaining('--tracker-url')
      expect(await studio(['init', ...flags], { input: TOKEN })).toMatchObject({ code: 2, errors })
      expect(existsSync(join(home, 'config.json'))).toBe(false)
    },
  )

  it('keeps no setting of the tracker that was the default one before', async () => {
    const old = { kind: 'github', url: 'https://git.example.com/acme', project: 'docks', account: ACCOUNT, board: 3 }
    writeFileSync(join(home, 'config.json'), JSON.stringify({ user: 'ana', tracker: old }))
    const { url, settings: needed, flags } = await starters['azure-devops']()
    const argv = ['init', '--tracker-url', url, ...flags, '--with-token']
    expect(await studio(argv, { input: TOKEN })).toMatchObject({ code: 0, errors: '' })
    expect(settings()).toEqual({ user: 'ana', tracker: { url, ...needed } })
  })

  it('can change the token alone', async () => {
    const { url, settings: needed, flags } = await starters.jira()
    const argv = ['init', '--tracker-kind', 'jira', '--tracker-url', url, ...flags, '--with-token']
    expect(await studio(argv, { input: TOKEN })).toMatchObject({ code: 0 })
    writeFileSync(join(home, 'credentials.json'), JSON.stringify({ tokens: { [url]: 'old-token' } }), { mode: 0o600 })
    expect(await studio(['init', '--with-token'], { input: TOKEN })).toMatchObject({ code: 0, errors: '' })
    expect(settings()).toEqual({ tracker: { kind: 'jira', url, ...needed } })
    expect(tokens()).toEqual({ [url]: TOKEN })
  })
})

describe('removing a tracker', () => {
  const gh = 'https://github.com/acme/harbor'
  beforeEach(() => {
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ tracker: { url: 'https://dev.example.com/works' }, trackers: { gh: { url: gh } } }),
    )
    const stored = { tokens: { [gh]: 'of-gh', 'https://dev.example.com/works': 'of-default' } }
    writeFileSync(join(home, 'credentials.json'), JSON.stringify(stored), { mode: 0o600 })
  })

  it.each([
    ['trackers.gh', { 'https://dev.example.com/works': 'of-default' }],
    ['tracker.url', { [gh]: 'of-gh' }],
  ])('with --yes also deletes its stored token: %s', async (key, left) => {
    const { code, errors } = await studio(['config', 'set', key, '--unset', '--yes'])
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining('was deleted') })
    expect(tokens()).toEqual(left)
  })

  it('without an answer keeps the token, and says where it is', async () => {
    const { code, errors } = await studio(['config', 'set', 'trackers.gh', '--unset'])
    expect(code).toBe(0)
    expect(errors).toContain(`The token of ${gh} is still stored`)
    expect(errors).toContain(join(home, 'credentials.json'))
    expect(tokens()).toHaveProperty([gh])
  })

  it('keeps a token that another tracker needs', async () => {
    expect(await studio(['config', 'set', 'trackers.docks.url', `${gh}/`])).toMatchObject({ code: 0 })
    const { errors } = await studio(['config', 'set', 'trackers.gh', '--unset', '--yes'])
    expect(errors).not.toContain('token')
    expect(tokens()).toHaveProperty([gh])
  })

  it('says nothing of tokens when another setting is removed', async () => {
    await studio(['config', 'set', 'user', 'ana'])
    expect((await studio(['config', 'set', 'user', '--unset'])).errors).not.toContain('token')
  })
})
