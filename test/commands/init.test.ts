import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../commands/command-line'
import { memoryTerminal } from '../../commands/terminal'
import { startSandbox } from '../../src/sandbox'
import { temporaryFolder } from '../temporary-folder'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

async function studio(argv: string[], input = '') {
  // No model is there, wherever the test runs.
  const env = { STUDIO_HOME: home, STUDIO_LLM_HOST: 'http://127.0.0.1:9' }
  const terminal = memoryTerminal({ env, cwd: home, input })
  const code = await runCommand(argv, terminal, new AbortController().signal)
  return { code, output: terminal.output, errors: terminal.errors }
}

async function tracker() {
  const sandbox = await startSandbox({ file: null, token: 'the-right-token' })
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe('studio init', () => {
  it('uses the defaults if it cannot ask, and says what to do next', async () => {
    const { code, output } = await studio(['init', '--no-input'])
    expect(code).toBe(0)
    expect(output).toContain('the sandbox with sample data')
    expect(output).toContain('Language model: none at http://127.0.0.1:9 (')
    expect(output).toContain('studio import 101')
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ tracker: { sandboxNotice: 'off' } })
  })

  it('ends the notice of the sandbox, which else appears once a day', async () => {
    const notice = expect.stringContaining('No tracker is set')
    expect(await studio(['item', 'get', '101', '--quiet'])).toMatchObject({ errors: '' })
    expect(await studio(['item', 'get', '101'])).toMatchObject({ errors: notice })
    expect(await studio(['item', 'get', '102'])).toMatchObject({ errors: '' })
    const file = join(home, 'state', 'sandbox-notice-day')
    writeFileSync(file, '2020-01-01\n')
    expect(await studio(['item', 'get', '101', '--json'])).toMatchObject({ errors: notice })
    rmSync(file)
    expect(await studio(['init', '--no-input'])).toMatchObject({ code: 0 })
    expect(await studio(['item', 'get', '101'])).toMatchObject({ code: 0, errors: '' })
  })

  it('calls the tracker with the token, stores both, and later commands use them', async () => {
    const { url, project } = await tracker()
    const argv = ['init', '--tracker-url', url, '--tracker-project', project, '--with-token', '--user', 'ana', '--json']
    const { code, output, errors } = await studio(argv, 'the-right-token\n')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const files = [join(home, 'config.json'), join(home, 'credentials.json')]
    expect(JSON.parse(output)).toMatchObject({ tracker: { types: expect.arrayContaining(['Feature']) }, files })
    expect(output + readFileSync(files[0]!, 'utf8')).not.toContain('the-right-token')
    expect(JSON.parse(readFileSync(files[0]!, 'utf8'))).toEqual({ tracker: { url, project }, user: 'ana' })
    expect(await studio(['item', 'get', '101', '--json'])).toMatchObject({ code: 0, errors: '' })
  })

  it('writes nothing if the tracker rejects the token', async () => {
    const { url, project } = await tracker()
    const argv = ['init', '--tracker-url', url, '--tracker-project', project, '--with-token']
    expect(await studio(argv, 'wrong-token')).toMatchObject({ code: 4, output: '' })
    expect(existsSync(join(home, 'config.json'))).toBe(false)
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it('creates a facility that can be booked', async () => {
    const { code, output } = await studio(['init', '--facility', 'DC1', '--time-zone', 'America/Chicago', '--no-input'])
    expect(code).toBe(0)
    expect(output).toContain('studio book --facility DC1')
    const booking = ['--type', 'pickup', '--carrier', 'Acme', '--reference', 'PO-1', '--date', '2031-03-03']
    expect(await studio(['book', '--facility', 'DC1', ...booking])).toMatchObject({ code: 0 })
  })

  it.each([
    [['--with-token'], '', 'contains no token'],
    [['--tracker-url', 'ftp://tracker'], '', 'http'],
    [['--time-zone', 'Mars/Base', '--facility', 'DC1'], '', 'ime zone'],
  ])('refuses %j', async (argv, input, message) => {
    expect(await studio(['init', ...argv], input)).toMatchObject({
      code: 2,
      errors: expect.stringContaining(message),
    })
  })
})
