import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { startSandbox } from '../../src/sandbox'
import { startStubModel } from '../assistant/stub-model'
import { temporaryFolder } from '../temporary-folder'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

/** No model is there, wherever the test runs. */
const noModel = { STUDIO_LLM_HOST: 'http://127.0.0.1:9' }

async function studio(argv: string[], input = '', env: NodeJS.ProcessEnv = noModel) {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home, ...env }, cwd: home, input })
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
    const files = [join(home, 'credentials.json'), join(home, 'config.json')]
    expect(JSON.parse(output)).toMatchObject({ tracker: { types: expect.arrayContaining(['Feature']) }, files })
    expect(output + readFileSync(files[1]!, 'utf8')).not.toContain('the-right-token')
    expect(JSON.parse(readFileSync(files[1]!, 'utf8'))).toEqual({ tracker: { url, project }, user: 'ana' })
    expect(await studio(['item', 'get', '101', '--json'])).toMatchObject({ code: 0, errors: '' })
  })

  it('writes nothing if the tracker rejects the token', async () => {
    const { url, project } = await tracker()
    const argv = ['init', '--tracker-url', url, '--tracker-project', project, '--with-token']
    expect(await studio(argv, 'wrong-token')).toMatchObject({ code: 4, output: '' })
    expect(existsSync(join(home, 'config.json'))).toBe(false)
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it('calls the language model server with the token, stores it, and later commands use it', async () => {
    const stub = await startStubModel({ token: () => 'the-model-token' })
    onTestFinished(() => stub.close())
    const argv = ['init', '--llm-host', `${stub.url}/v1`, '--llm-api', 'openai', '--with-llm-token', '--json']
    const { code, output, errors } = await studio(argv, 'the-model-token\n', {})
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(JSON.parse(output)).toMatchObject({
      model: { models: ['stub:latest'], problem: null },
      files: [join(home, 'credentials.json'), join(home, 'config.json')],
    })
    expect(output + readFileSync(join(home, 'config.json'), 'utf8')).not.toContain('the-model-token')
    expect(await studio(['llm', 'models', '--json'], '', {})).toMatchObject({ code: 0, errors: '' })
    const listed = await studio(['config', 'list', '--sources', '--json'], '', {})
    expect(listed.output).not.toContain('the-model-token')
    expect(JSON.parse(listed.output)).toContainEqual({
      key: 'llm.token',
      value: 'set',
      source: join(home, 'credentials.json'),
    })
    // The token of the tracker is stored beside it.
    const { url, project } = await tracker()
    await studio(['init', '--tracker-url', url, '--tracker-project', project, '--with-token'], 'the-right-token', {})
    expect(await studio(['llm', 'models', '--json'], '', {})).toMatchObject({ code: 0, errors: '' })
  })

  it('writes nothing if the language model server rejects the token', async () => {
    const stub = await startStubModel({ token: () => 'another-token' })
    onTestFinished(() => stub.close())
    const argv = ['init', '--llm-host', stub.url, '--with-llm-token']
    const { code, output, errors } = await studio(argv, 'the-model-token', {})
    expect({ code, output }).toEqual({ code: 4, output: '' })
    expect(errors).toMatch(/does not accept the token/)
    expect(errors).not.toContain('the-model-token')
    const unsafe = await studio(
      ['init', '--llm-host', 'http://models.example.com', '--with-llm-token'],
      'the-model-token',
      {},
    )
    expect(unsafe).toMatchObject({ code: 2, output: '', errors: expect.stringMatching(/not encrypted/) })
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
    [['--with-llm-token'], ' \n', 'contains no token'],
    [['--with-token', '--with-llm-token'], 'x', 'both read standard input'],
    [['--tracker-url', 'ftp://tracker'], '', 'http'],
    [['--time-zone', 'Mars/Base', '--facility', 'DC1'], '', 'ime zone'],
  ])('refuses %j', async (argv, input, message) => {
    expect(await studio(['init', ...argv], input)).toMatchObject({
      code: 2,
      errors: expect.stringContaining(message),
    })
  })
})

describe('studio init --add', () => {
  const add = async (name: string, more: string[] = [], input = 'the-right-token') => {
    const { url, project } = await tracker()
    const argv = ['init', '--add', name, '--tracker-url', url, '--tracker-project', project, '--with-token', ...more]
    return { url, project, ...(await studio(argv, input)) }
  }
  const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))

  it('adds a tracker beside the default one, each with its own token', async () => {
    const first = await tracker()
    const argv = ['init', '--tracker-url', first.url, '--tracker-project', first.project, '--with-token']
    expect(await studio(argv, 'the-right-token')).toMatchObject({ code: 0 })
    const { tracker: before } = settings()
    const { url, project, code, output, errors } = await add('gh', ['--json'])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const files = [join(home, 'credentials.json'), join(home, 'config.json')]
    expect(JSON.parse(output)).toEqual({ name: 'gh', tracker: expect.anything(), files })
    expect(settings()).toEqual({ tracker: before, trackers: { gh: { url, project } } })
    expect(readFileSync(join(home, 'config.json'), 'utf8') + output).not.toContain('the-right-token')
    const doctor = await studio(['doctor', '--quick', '--json'])
    expect(JSON.parse(doctor.output)).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ about: 'tracker', message: expect.stringContaining(`at ${first.url} responds`) }),
        expect.objectContaining({ about: 'tracker', message: expect.stringMatching(/^gh: .* responds/) }),
      ]),
    })
  })

  it('leaves the sandbox the default tracker, and reports what it wrote', async () => {
    const { url, project, code, output } = await add('gh')
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Tracker gh: connected to') })
    expect(settings()).toEqual({ trackers: { gh: { url, project } } })
  })

  it('never sends the token of the default tracker to another one', async () => {
    const { url, project } = await tracker()
    const argv = ['init', '--add', 'gh', '--tracker-url', url, '--tracker-project', project]
    const env = { STUDIO_HOME: home, STUDIO_TRACKER_TOKEN: 'the-right-token' }
    const run = async (more: Record<string, string>) =>
      runCommand(argv, memoryTerminal({ env: { ...env, ...more }, cwd: home }), new AbortController().signal)
    expect(await run({})).toBe(4)
    expect(existsSync(join(home, 'config.json'))).toBe(false)
    expect(await run({ STUDIO_TRACKER_TOKEN_GH: 'the-right-token' })).toBe(0)
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it('calls the tracker with the token that the command of its variable prints, and stores neither', async () => {
    const { url, project } = await tracker()
    const argv = ['init', '--add', 'gh', '--tracker-url', url, '--tracker-project', project]
    const env = { ...noModel, STUDIO_TRACKER_TOKEN_COMMAND_GH: 'echo the-right-token' }
    expect(await studio(argv, '', env)).toMatchObject({ code: 0, errors: '' })
    expect(settings()).toEqual({ trackers: { gh: { url, project } } })
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it('writes nothing if the tracker rejects the token', async () => {
    expect(await add('gh', [], 'wrong-token')).toMatchObject({ code: 4, output: '' })
    expect(existsSync(join(home, 'config.json'))).toBe(false)
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it('can change the token of a name, but not its address, and adds no tracker twice', async () => {
    const { url, project } = await add('gh')
    const again = (...argv: string[]) => studio(['init', ...argv, '--tracker-project', project], 'the-right-token')
    expect(await again('--add', 'gh', '--tracker-url', url, '--with-token')).toMatchObject({ code: 0 })
    expect(await add('gh')).toMatchObject({
      code: 5,
      errors: expect.stringContaining(`The name gh is already used for`),
    })
    expect(await again('--add', 'other', '--tracker-url', `${url}/`)).toMatchObject({
      code: 5,
      errors: expect.stringContaining('is the tracker gh already'),
    })
    expect(settings()).toEqual({ trackers: { gh: { url, project } } })
  })

  it.each([
    [['GH', '--tracker-url', 'https://github.com/acme'], 'lower-case letters'],
    [['default', '--tracker-url', 'https://github.com/acme'], 'must not be default'],
    [['gh'], '--tracker-url'],
    [['gh', '--tracker-url', 'ftp://tracker'], 'http'],
    [['gh', '--tracker-url', 'https://github.com/acme', '--tracker-kind', 'paper'], '--tracker-kind'],
    [['gh', '--tracker-url', 'https://github.com/acme', '--user', 'ana'], 'only with'],
  ])('refuses %j', async (argv, message) => {
    expect(await studio(['init', '--add', ...argv])).toMatchObject({
      code: 2,
      errors: expect.stringContaining(message),
    })
    expect(existsSync(join(home, 'config.json'))).toBe(false)
  })
})
