import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../../src/sandbox'
import { TRACKER_KINDS } from '../../src/tracker'
import { startFakeJira } from '../tracker/jira/fake-jira'
import { canOpenTerminal, program } from './program'

const TOKEN = 'the-right-token'
const ACCOUNT = 'robin@works.example'
const DOWN = '\u001b[B'

/** Types each answer when its question is on the screen. `script` gives the program a terminal. */
async function answerOnTerminal(command: string, env: NodeJS.ProcessEnv, answers: [question: string, keys: string][]) {
  const child = spawn('script', ['-qec', `stty cols 80; ${command}`, '/dev/null'], { env })
  const left = [...answers]
  let screen = ''
  let fresh = ''
  // A part may end within a character or a control sequence.
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    fresh += text
    const [next] = left
    if (next === undefined || !stripVTControlCharacters(fresh).replace(/\s+/g, ' ').includes(next[0])) return
    left.shift()
    fresh = ''
    child.stdin.write(`${next[1]}\r`)
  })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exitCode, screen: stripVTControlCharacters(screen), unanswered: left.map(([question]) => question) }
}

describe.skipIf(!canOpenTerminal)('studio init on a terminal', () => {
  it('sets up a first tracker, adds Jira Cloud beside it, and removes it with its token', async () => {
    const sandbox = await startSandbox({ file: null, token: TOKEN })
    onTestFinished(() => sandbox.close())
    const jira = await startFakeJira({
      deployment: 'cloud',
      project: { key: 'HAR', name: 'Harbor' },
      issues: [],
      token: TOKEN,
      account: ACCOUNT,
    })
    const { home } = await program()
    const env = {
      PATH: process.env['PATH'],
      STUDIO_HOME: home,
      STUDIO_LLM_HOST: 'http://127.0.0.1:9',
      TERM: 'xterm',
    }
    const studio = `${process.execPath} ${join(process.cwd(), 'bin/studio.js')}`
    const read = (file: string) => JSON.parse(readFileSync(join(home, file), 'utf8'))

    const first = await answerOnTerminal(`${studio} init`, env, [
      ['What will you use studio for?', ''],
      ['Where are your work items?', DOWN],
      ['URL with its organization', sandbox.url],
      ['Project (Enter for', sandbox.project],
      ['Personal access token', TOKEN],
      ['Your name in the tracker', ''],
      ['Language model URL', ''],
    ])
    expect(first).toMatchObject({ exitCode: 0, unanswered: [] })
    expect(first.screen).not.toContain(TOKEN)
    const { url, project } = sandbox
    expect(read('config.json')).toEqual({ tracker: { url, project } })

    const second = await answerOnTerminal(`${studio} init`, env, [
      ['What do you want to do?', DOWN],
      ['A short name', 'jira'],
      ['Which tracker is it?', DOWN.repeat(TRACKER_KINDS.indexOf('jira'))],
      ['URL of the site', jira.url],
      ['Key of the project', 'HAR'],
      ['E-mail address', ACCOUNT],
      ['API token of Jira Cloud', TOKEN],
    ])
    expect(second).toMatchObject({ exitCode: 0, unanswered: [] })
    const added = { kind: 'jira', url: jira.url, project: 'HAR', account: ACCOUNT }
    expect(read('config.json')).toEqual({ tracker: { url, project }, trackers: { jira: added } })
    expect(read('credentials.json').tokens).toEqual({ [url]: TOKEN, [jira.url]: TOKEN })

    const removal = await answerOnTerminal(`${studio} config set trackers.jira --unset`, env, [
      ['Delete the stored token of', 'y'],
    ])
    expect(removal).toMatchObject({ exitCode: 0, unanswered: [] })
    expect(read('config.json')).toEqual({ tracker: { url, project } })
    expect(read('credentials.json').tokens).toEqual({ [url]: TOKEN })
  })
})
