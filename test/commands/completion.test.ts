import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCompletionTarget } from '../../commands/completion/complete'
import { SHELLS } from '../../commands/completion/completion'
import { deriveCommands } from '../../commands/completion/derive-spec'
import { quickCompletion } from '../../commands/completion/quick-completion'
import type { CommandSpec } from '../../commands/completion/spec'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { openStudio } from '../../src/library'

const HOSTILE = 'it\'s "$(touch pwned)" `touch pwned`: a\tb\u001b[31m\nnext; touch pwned'

let home: string
let commands: CommandSpec[]
let draft: number
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'studio-completion-'))
  commands = await deriveCommands()
  const studio = openStudio({ env: { STUDIO_HOME: home }, cwd: home })
  await studio.call('features.import', { featureId: 101 })
  draft = ((await studio.call('drafts.save', { title: HOSTILE })) as { id: number }).id
  await studio.call('folders.create', { name: 'Next sprint' })
  await studio.call('filters.save', { name: 'Mine', criteria: { state: 'Active', assignedTo: null, search: null } })
  await studio.call('tenants.create', { name: 'acme' })
  await studio.close()
  mkdirSync(join(home, 'prompts'))
  writeFileSync(join(home, 'prompts', 'retell.md'), 'Retell {{story}}')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function complete(words: string[], { shell = 'zsh', at = home, env = {} } = {}): Promise<string[]> {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: at, ...env }, cwd: at })
  await quickCompletion(['__complete', shell, '--', ...words], terminal)
  expect(terminal.errors).toBe('')
  return terminal.output.split('\n').filter(Boolean)
}
const values = async (...words: string[]) => (await complete(words)).map((line) => line.split('\t')[0])

/** The answer to the script of PowerShell, which sends its words in base64. */
async function completeInPowerShell(...words: string[]): Promise<any> {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
  await quickCompletion(['__complete', 'powershell', Buffer.from(words.join('\n')).toString('base64')], terminal)
  expect(terminal.output).toMatch(/^[\x20-\x7e]+\n$/)
  return JSON.parse(terminal.output)
}

describe('completion', () => {
  it('completes commands, their verbs and the words behind help', async () => {
    expect(await values('dra')).toEqual(['draft'])
    expect(await values('draft', '')).toEqual(expect.arrayContaining(['list', 'get', 'edit', 'undo']))
    expect(await values('tenant', 'key', 'r')).toEqual(['revoke'])
    expect(await values('help', 'exit')).toEqual(['exit-codes'])
    expect(await values('help', 'draft', 'li')).toEqual(['list'])
    expect(await values('completion', '')).toEqual([...SHELLS])
  })

  it('answers PowerShell as JSON in ASCII, also for empty words', async () => {
    expect((await completeInPowerShell('tenant', '')).words.map(({ value }: any) => value)).toEqual(
      expect.arrayContaining(['create', 'key']),
    )
    expect(await completeInPowerShell('draft', 'list', '--sort=ti')).toEqual({
      words: [{ value: '--sort=title', about: '' }],
    })
    expect(await completeInPowerShell('draft', 'save', '--file=')).toEqual({ files: '--file=' })
    expect(await completeInPowerShell('nope', '')).toEqual({ words: [] })
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
    const { signal } = new AbortController()
    await runCommand(['folder', 'create', 'Übergabe “später”'], terminal, signal)
    expect((await completeInPowerShell('folder', 'rename', '')).words).toContainEqual(
      expect.objectContaining({ about: 'Übergabe “später”' }),
    )
    await runCommand(['folder', 'delete', 'Übergabe “später”', '--yes'], terminal, signal)
  })

  it('completes flags, and offers none twice', async () => {
    expect(await values('draft', 'list', '--sor')).toEqual(['--sort'])
    expect(await values('--json', 'draft', 'list', '--js')).toEqual([])
    expect(await values('draft', 'list', '--sort', 'title', '--se')).toEqual(['--search'])
    expect(await values('--ver')).toEqual(['--version'])
  })

  it('completes fields to set, and then the values that cached items have', async () => {
    expect(await values('batch-update', '204', '--set', 'Ri')).toEqual(['Risk='])
    expect(await values('item', 'create', '--set', 'Value')).toEqual(['Value Area='])
    expect(await values('draft', 'publish', '1', '--set', 'S')).toEqual(
      expect.arrayContaining(['State=', 'Story Points=', 'Start Date=']),
    )
    expect(await values('item', 'move', '204', '--set', 'Value Area=')).toEqual(['Value Area=Business'])
    expect(await values('draft', 'save', '--set=State=A')).toEqual(['--set=State=Active'])
    // What only the tracker sets.
    expect(await values('batch-update', '204', '--set', 'Created')).toEqual([])
    expect(await values('batch-update', '204', '--set', 'Nope=')).toEqual([])
    expect(await values('draft', 'refine', '1', '--set', 'Ri')).toEqual([])
  })

  it('completes the values of a flag, after a space and after =', async () => {
    expect(await values('draft', 'list', '--sort', 'ti')).toEqual(['title'])
    expect(await values('draft', 'list', '--sort=ti')).toEqual(['--sort=title'])
    expect(await values('draft', 'list', '--json', '--fields', 'id,ti')).toEqual(['id,title'])
    expect(await values('appointment', 'list', '--status', 'sch')).toEqual(['scheduled'])
  })

  it('completes stored names: items, drafts, folders, filters, prompts, tenants', async () => {
    expect(await complete(['item', 'get', '204'])).toEqual(['204\tDriver is told the dock door by text message'])
    expect(await values('import', '--item', '203', '204')).toEqual(['204'])
    expect(await values('draft', 'get', '')).toEqual([String(draft)])
    expect(await complete(['draft', 'move', '1', '--folder', ''])).toContain('2\tNext sprint')
    expect(await complete(['draft', 'move', '1', '--folder=2'])).toEqual(['--folder=2\tNext sprint'])
    expect(await complete(['filter', 'delete', ''])).toEqual(['1\tMine'])
    expect(await values('prompt', 'get', 're')).toEqual(['retell'])
    expect(await values('--tenant', 'ac')).toEqual(['acme'])
  })

  it('completes stored names without an index', async () => {
    const without = { env: { STUDIO_SEARCH_INDEX: 'off' } }
    expect(await complete(['item', 'get', '204'], without)).toEqual([
      '204\tDriver is told the dock door by text message',
    ])
    expect(await complete(['draft', 'move', '1', '--folder='], without)).toContain('--folder=2\tNext sprint')
    expect(await complete(['--tenant', 'ac'], without)).toEqual(['acme\t'])
  })

  it('treats words after -- as words, not as flags', async () => {
    expect(await values('item', 'get', '--', '204')).toEqual(['204'])
    expect(await values('item', 'get', '--', '--')).toEqual([])
  })

  it('asks the shell for files', async () => {
    expect(await complete(['backup', 'x'])).toEqual([':files\t'])
    expect(await complete(['draft', 'save', '--file=x'])).toEqual([':files\t--file='])
  })

  it('shows control characters of a title, on one line and without a tab', async () => {
    const [line] = await complete(['draft', 'get', ''])
    expect(line!.split('\t')).toHaveLength(2)
    expect(line!.split('\t')[1]).not.toMatch(/[\u0000-\u001f]/)
  })

  it('knows every command, and looks up no unknown kind of value', () => {
    for (const { command, args } of commands) {
      const next = findCompletionTarget([...command.split(' '), ''], commands, [])
      expect(next.kind === 'words' || args.length > 0).toBe(true)
    }
  })

  it('prints and creates nothing without a database, or with a damaged one', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'studio-completion-'))
    for (const words of [
      ['draft', 'get', ''],
      ['filter', 'delete', ''],
    ])
      expect(await complete(words, { at: empty })).toEqual([])
    expect(readdirSync(empty)).toEqual([])
    writeFileSync(join(empty, 'studio.db'), 'no database')
    for (const words of [
      ['draft', 'get', ''],
      ['filter', 'delete', ''],
    ])
      expect(await complete(words, { at: empty })).toEqual([])
    expect(readFileSync(join(empty, 'studio.db'), 'utf8')).toBe('no database')
    rmSync(empty, { recursive: true })
  })
})

describe('studio completion', () => {
  async function run(...args: string[]) {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
    const exitCode = await runCommand(['completion', ...args], terminal, new AbortController().signal)
    return { exitCode, ...terminal }
  }

  it.each([
    ['tcsh', 'See: studio completion --help'],
    ['bsh', 'Did you mean: studio completion bash'],
  ])('names the supported shells for %s', async (shell, hint) => {
    const { exitCode, errors } = await run(shell)
    expect(exitCode).toBe(2)
    expect(errors).toBe(`error: <shell> must be bash, zsh, fish or powershell, not "${shell}".\nhint: ${hint}\n`)
  })
})
