import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startStubModel } from '../assistant/stub-model'
import { addKeychain } from '../commands/keychain'
import { addProgram } from '../program-in-path'
import { temporaryFolder } from '../temporary-folder'
import { openGitHubWithSignIn } from '../tracker/github/sign-in'
import { program } from './program'

/** The command lines of all processes, as `ps` shows them to every user of the machine. */
function listCommandLines(): string {
  const lines = readdirSync('/proc').map((name) => {
    try {
      return /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') : ''
    } catch {
      // The process has ended.
      return ''
    }
  })
  return lines.join('\n')
}

/** Notes the command lines whenever a server is asked, or a program runs the shell command. */
function observe() {
  const file = join(temporaryFolder(), 'processes')
  writeFileSync(file, '')
  return {
    note: () => writeFileSync(file, listCommandLines(), { flag: 'a' }),
    command: `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\000' ' ' >> ${file}`,
    read: () => readFileSync(file, 'utf8'),
  }
}

/** Other systems have no such folder. */
describe.runIf(process.platform === 'linux')('the list of processes has no secret', () => {
  async function open() {
    const seen = observe()
    // Other processes may have names of files and tests in their command lines.
    const secret = randomUUID()
    const { url } = await openGitHubWithSignIn({ secret, onRequest: seen.note })
    const { home, run } = await program()
    const tracker = { url, kind: 'github', project: 'harbor' }
    writeFileSync(join(home, 'config.json'), JSON.stringify({ tracker }))
    return { seen, secret, run }
  }

  it('while studio signs in, stores the sign-in in the keychain and uses it', async () => {
    const { seen, secret, run } = await open()
    const vault = addKeychain(seen.command)
    expect(await run(['login', '--client-id', 'Iv1.0', '--keychain'])).toMatchObject({ exitCode: 0 })
    expect(await run(['item', 'get', '1'])).toMatchObject({ exitCode: 0 })
    for (const part of ['studio.js login', 'secret-tool store', 'secret-tool lookup', 'studio.js item get'])
      expect(seen.read()).toContain(part)
    expect(seen.read()).not.toContain(secret)
    expect(seen.read()).not.toContain(readFileSync(join(vault, 'secret'), 'utf8'))
  })

  it('while a command prints the token', async () => {
    const { seen, secret, run } = await open()
    const file = join(temporaryFolder(), 'token')
    writeFileSync(file, `access-0${secret}`)
    addProgram('print-token', `${seen.command}\ncat ${file}`)
    const env = { STUDIO_TRACKER_TOKEN_COMMAND: 'print-token' }
    expect(await run(['item', 'get', '1'], { env })).toMatchObject({ exitCode: 0 })
    expect(seen.read()).toContain('print-token')
    expect(seen.read()).not.toContain(secret)
  })

  it('while studio init is given a token', async () => {
    const { seen, secret, run } = await open()
    expect(await run(['init', '--with-token'], { input: `access-0${secret}` })).toMatchObject({ exitCode: 0 })
    expect(seen.read()).toContain('studio.js init')
    expect(seen.read()).not.toContain(secret)
  })

  it('while a language model gets the token of a variable', async () => {
    const seen = observe()
    const secret = `sk-${randomUUID()}`
    const token = () => {
      seen.note()
      return secret
    }
    const model = await startStubModel({ token })
    onTestFinished(() => model.close())
    const { run } = await program()
    const env = { STUDIO_LLM_HOST: model.url, STUDIO_LLM_TOKEN: secret }
    expect(await run(['llm', 'models'], { env })).toMatchObject({ exitCode: 0 })
    expect(seen.read()).toContain('studio.js llm models')
    expect(seen.read()).not.toContain(secret)
  })
})
