import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { startSandbox } from '../../src/sandbox'
import { startStubModel } from '../assistant/stub-model'
import { addNodeProgram } from '../program-in-path'
import { temporaryFolder } from '../temporary-folder'
import { openGitHub } from '../tracker/github/fixtures'
import { startFakeJira } from '../tracker/jira/fake-jira'

type Answers = Record<string, unknown>
interface Choice {
  name: string
  value: unknown
}
interface Question {
  name: string
  message: string | ((answers: Answers) => string)
  choices?: Choice[] | ((answers: Answers) => Choice[])
  when?: boolean | ((answers: Answers) => boolean | Promise<boolean>)
  validate?(text: string, answers: Answers): true | string
}

/** The answers to give, by the beginning of the message. An answer that is refused is an error. */
let replies: Record<string, string | boolean>
const asked: string[] = []
vi.mock('inquirer', () => ({
  default: {
    createPromptModule: () => async (questions: Question[]) => {
      const given: Answers = {}
      for (const { name, message, choices: offered, when = true, validate = () => true } of questions) {
        if (!(await (typeof when === 'function' ? when(given) : when))) continue
        const choices = typeof offered === 'function' ? offered(given) : offered
        const text = typeof message === 'function' ? message(given) : message
        asked.push(text)
        const reply = Object.entries(replies).find(([start]) => text.startsWith(start))?.[1] ?? ''
        const choice = choices?.find((each) => each.name === reply)
        if (choices && !choice) throw new Error(`${text} has no choice ${reply}`)
        given[name] = choice ? choice.value : reply
        const verdict = choice ? true : validate(String(reply), given)
        if (verdict !== true) throw new Error(`${text} ${verdict}`)
      }
      return given
    },
  },
}))

const TOKEN = 'the-right-token'
const ACCOUNT = 'robin@works.example'
let home: string
beforeEach(() => {
  home = temporaryFolder()
  asked.length = 0
})

async function studio(argv: string[], env: NodeJS.ProcessEnv = {}) {
  const terminal = memoryTerminal({
    env: { STUDIO_HOME: home, STUDIO_LLM_HOST: 'http://127.0.0.1:9', ...env },
    cwd: home,
    canAsk: true,
  })
  const code = await runCommand(argv, terminal, new AbortController().signal)
  return { code, output: terminal.output, errors: terminal.errors }
}

const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
const tokens = () => JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8')).tokens

async function startTracker() {
  const sandbox = await startSandbox({ file: null, token: TOKEN })
  onTestFinished(() => sandbox.close())
  return sandbox
}

const startJira = () =>
  startFakeJira({
    deployment: 'cloud',
    project: { key: 'HAR', name: 'Harbor' },
    issues: [],
    token: TOKEN,
    account: ACCOUNT,
  })

describe('the questions about the language model', () => {
  it('ask for the API and the token only of a server that is named, and the token is stored', async () => {
    const stub = await startStubModel({ token: () => TOKEN })
    onTestFinished(() => stub.close())
    replies = {
      'What will you use': 'Work items of a tracker',
      'Where are your work items': 'Use the sandbox with sample data',
      'Language model URL': stub.url,
      'Which API': 'OpenAI, such as vLLM, llama.cpp, LM Studio and gateways',
      'Its token': TOKEN,
    }
    const { code, output } = await studio(['init'])
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(`stub:latest at ${stub.url}`) })
    expect(settings()).toMatchObject({ llm: { host: stub.url, api: 'openai' } })
    expect(JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))).toEqual({
      modelTokens: { [stub.url]: TOKEN },
    })
    asked.length = 0
    replies = { ...replies, 'Language model URL': '' }
    await studio(['init'])
    expect(asked.filter((text) => /^Which API|^Its token/.test(text))).toEqual([])
  })
})

describe('studio init on a terminal', () => {
  it('asks for the account of Jira, in the words of Jira', async () => {
    const { url } = await startJira()
    replies = {
      'What will': 'Work items of a tracker',
      'Where are': 'In Jira',
      'URL of the site': url,
      'Key of the project': 'HAR',
      'E-mail address': ACCOUNT,
      'API token': TOKEN,
    }
    expect(await studio(['init'])).toMatchObject({ code: 0, errors: '' })
    expect(settings()).toEqual({ tracker: { kind: 'jira', url, project: 'HAR', account: ACCOUNT } })
    expect(tokens()).toEqual({ [url]: TOKEN })
  })

  it('asks for the organization and the project of Azure DevOps', async () => {
    const { url, project } = await startTracker()
    replies = {
      'What will': 'Work items of a tracker',
      'Where are': 'In Azure DevOps',
      'URL with its organization': url,
      Project: project,
      'Personal access token': TOKEN,
    }
    expect(await studio(['init'])).toMatchObject({ code: 0, errors: '' })
    expect(asked.join('\n')).not.toContain('E-mail')
    expect(settings()).toEqual({ tracker: { url, project } })
  })

  it.each([
    ['https://github.com/acme/harbor', false],
    ['https://github.com/acme', true],
  ])('asks for the repository on GitHub, unless the address names it: %s', async (url, isAsked) => {
    replies = { 'Where are': 'In GitHub', 'What will': 'Both', 'URL of the repository': url, 'Name of the': 'harbor' }
    // There is no answer to the question about a facility, with which the test ends.
    await studio(['init', '--facility', 'DC1', '--user', 'ana', '--llm-host', 'http://127.0.0.1:9'], {
      HTTPS_PROXY: 'http://127.0.0.1:9',
    })
    expect(asked.includes('Name of the repository:')).toBe(isAsked)
    expect(asked).toContain('Personal access token, to read and write issues:')
  })

  it('asks in the words of the kind that the variable or the address says', async () => {
    replies = {}
    await studio(['init', '--tracker-url', 'https://tracker.example.com'], { STUDIO_TRACKER_KIND: 'jira' })
    await studio(['init', '--tracker-url', 'https://acme.atlassian.net'])
    expect(asked).toEqual([
      'Key of the project (ABC for issues such as ABC-7):',
      'Key of the project (ABC for issues such as ABC-7):',
    ])
  })

  it('offers the sign-in of a program of this machine, and stores the command and no token', async () => {
    const { url } = await openGitHub({ issues: [], types: ['Bug'] })
    addNodeProgram('gh', "console.log('secret-token')")
    const flags = ['--tracker-kind', 'github', '--tracker-url', url, '--tracker-project', 'harbor', '--user', 'Robin']
    // It would come before the command, and was revoked.
    const stored = { tokens: { [url]: 'revoked', 'https://another.example': 'other' } }
    writeFileSync(join(home, 'credentials.json'), JSON.stringify(stored), { mode: 0o600 })
    replies = {
      'How does studio sign in': 'With the sign-in of gh on this machine (gh auth token --hostname 127.0.0.1)',
    }
    const { errors, code } = await studio(['init', ...flags, '--llm-host', 'http://127.0.0.1:9'])
    expect(errors).toBe('')
    expect(code).toBe(0)
    const { tracker } = JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
    expect(tracker).toMatchObject({ url, tokenCommand: 'gh auth token --hostname 127.0.0.1' })
    expect(tokens()).toEqual({ 'https://another.example': 'other' })
  })

  it('leaves a stored token to another tracker at the same address', async () => {
    const { url } = await openGitHub({ issues: [], types: ['Bug'] })
    addNodeProgram('gh', "console.log('secret-token')")
    const docks = { url, kind: 'github', project: 'docks' }
    writeFileSync(join(home, 'config.json'), JSON.stringify({ trackers: { docks } }))
    writeFileSync(join(home, 'credentials.json'), JSON.stringify({ tokens: { [url]: 'stored' } }), { mode: 0o600 })
    replies = {
      'How does studio sign in': 'With the sign-in of gh on this machine (gh auth token --hostname 127.0.0.1)',
    }
    const flags = ['--tracker-kind', 'github', '--tracker-url', url, '--tracker-project', 'harbor', '--user', 'Robin']
    expect((await studio(['init', ...flags, '--llm-host', 'http://127.0.0.1:9'])).code).toBe(0)
    expect(tokens()).toEqual({ [url]: 'stored' })
  })

  it('does not offer a program that is not signed in', async () => {
    const { url } = await openGitHub({ issues: [], types: ['Bug'] })
    addNodeProgram('gh', "console.error('not logged in'); process.exitCode = 1")
    const flags = ['--tracker-kind', 'github', '--tracker-url', url, '--tracker-project', 'harbor', '--user', 'Robin']
    replies = { 'Personal access token': 'secret-token' }
    await studio(['init', ...flags, '--llm-host', 'http://127.0.0.1:9'])
    expect(asked).not.toContain('How does studio sign in?')
    expect(tokens()).toEqual({ [url]: 'secret-token' })
  })

  it('adds another tracker, whose token may be none', async () => {
    const { url, project } = await startTracker()
    writeFileSync(join(home, 'config.json'), JSON.stringify({ tracker: { url, project } }))
    const jira = await startJira()
    replies = {
      'Your tracker is': 'Add another tracker',
      'A short name': 'jira',
      'Which tracker': 'Jira',
      'URL of the site': jira.url,
      'Key of the project': 'HAR',
      'E-mail address': ACCOUNT,
      'API token': TOKEN,
    }
    expect(await studio(['init'])).toMatchObject({ code: 0, errors: '' })
    const added = { kind: 'jira', url: jira.url, project: 'HAR', account: ACCOUNT }
    expect(settings()).toEqual({ tracker: { url, project }, trackers: { jira: added } })
    expect(asked.at(-1)).toContain('(Enter for none)')
  })

  it('offers to delete the token of a tracker that is removed', async () => {
    const url = 'https://github.com/acme/harbor'
    const prepare = () => {
      writeFileSync(join(home, 'config.json'), JSON.stringify({ trackers: { gh: { url } } }))
      writeFileSync(join(home, 'credentials.json'), JSON.stringify({ tokens: { [url]: TOKEN } }), { mode: 0o600 })
    }
    prepare()
    replies = { 'Delete the stored token': false }
    expect(await studio(['config', 'set', 'trackers.gh', '--unset'])).toMatchObject({ code: 0 })
    expect(tokens()).toEqual({ [url]: TOKEN })
    prepare()
    replies = { 'Delete the stored token': true }
    expect(await studio(['config', 'set', 'trackers.gh', '--unset'])).toMatchObject({ code: 0 })
    expect(tokens()).toEqual({})
    expect(asked).toEqual([`Delete the stored token of ${url} too?`, `Delete the stored token of ${url} too?`])
  })
})
