import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { quickDrafts, readArguments } from '../../commands/start/quick-drafts'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { loadSettings } from '../../src/config'
import { StudioError } from '../../src/kernel'
import { openStudio } from '../../src/library'
import { temporaryFolder } from '../temporary-folder'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const env = () => ({ STUDIO_HOME: home })
const terminalHere = () => memoryTerminal({ env: env(), cwd: home })

/** What a command has written. */
interface Written {
  output: string
  errors: string
}

async function ordinary(argv: string[]): Promise<Written> {
  const terminal = terminalHere()
  expect(await runCommand(argv, terminal, new AbortController().signal)).toBe(0)
  return { output: terminal.output, errors: terminal.errors }
}

async function quick(argv: string[]): Promise<Written | false> {
  const terminal = terminalHere()
  const isAnswered = await quickDrafts(argv, terminal)
  return isAnswered && { output: terminal.output, errors: terminal.errors }
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((some) => some.trim() !== '')
const anyDraft = fc.record(
  {
    title: text,
    description: text,
    acceptanceCriteria: text,
    storyPoints: fc.constantFrom(0, 0.5, 3, 8),
    tags: fc.constantFrom('a; b', 'c'),
    assignedTo: text,
  },
  { requiredKeys: ['title'] },
)

describe('studio draft list, read without the database engine', () => {
  it('prints what the command itself prints, in every order and of a folder', async () => {
    const studio = openStudio({ env: env(), cwd: home })
    const folder = (await studio.call('folders.create', { name: 'Next' })) as { id: number }
    for (const draft of fc.sample(anyDraft, { numRuns: 40, seed: 7 })) await studio.call('drafts.save', draft)
    const drafts = (await studio.call('drafts.list')) as { id: number }[]
    await studio.call('drafts.move', { id: drafts[3]!.id, folderId: folder.id })
    await studio.call('drafts.delete', { id: drafts[5]!.id })
    await studio.close()
    const orders = ['updated', '-created', 'title', '-title', 'points'].map((sort) => ['--sort', sort])
    const parts = [
      ['--limit', '5'],
      ['--limit=5', '--sort=title'],
      ['--limit', '200'],
    ]
    for (const flags of [[], ...orders, ...parts, [`--folder=${folder.id}`]])
      for (const argv of [
        ['draft', 'list', '--json', ...flags],
        ['draft', 'list', ...flags],
        ['draft', 'list', '--quiet', ...flags],
      ])
        expect(await quick(argv)).toEqual(await ordinary(argv))
    expect(JSON.parse((await ordinary(['draft', 'list', '--json'])).output)).toHaveLength(39)
  })

  it('sees a commit of another process as soon as it was acknowledged', async () => {
    const studio = openStudio({ env: env(), cwd: home })
    for (const title of ['first', 'second']) {
      await studio.call('drafts.save', { title })
      expect(await quick(['draft', 'list', '--json'])).toMatchObject({ output: expect.stringContaining(title) })
    }
    await studio.close()
  })

  it('leaves a missing database to the full program, and creates no file', async () => {
    expect(await quick(['draft', 'list', '--json'])).toBe(false)
    expect(readdirSync(home)).toEqual([])
  })

  it('leaves a damaged database to the full program, which says so', async () => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    const path = join(home, 'studio.db')
    const bytes = readFileSync(path)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(path, bytes)
    expect(await quick(['draft', 'list', '--json'])).toBe(false)
    const terminal = terminalHere()
    expect(await runCommand(['draft', 'list', '--json'], terminal, new AbortController().signal)).toBe(1)
    expect(terminal.errors).toContain('database_damaged')
  })

  it('leaves an unreadable database to the full program', async () => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    const log = readdirSync(home).find((name) => /\.log\.[1-9]\d*$/.test(name))!
    rmSync(join(home, log))
    mkdirSync(join(home, log))
    expect(await quick(['draft', 'list', '--json'])).toBe(false)
  })

  it.each([
    ['{"bogus": 1}'],
    ['[]'],
    ['{"db": ""}'],
    ['{"user": ""}'],
    ['{"tenant": 5}'],
    ['{"search": null}'],
    ['{"tracker": {"url": "ftp://tracker.example"}}'],
    ['{"tracker": {"url": "http://10.0.0.999/org"}}'],
    ['{"tracker": {"token": "secret"}}'],
  ])('leaves an invalid settings file to the full program: %s', async (content) => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    writeFileSync(join(home, 'config.json'), content)
    expect(() => ({ ...loadSettings({ env: env(), cwd: home }) })).toThrow(StudioError)
    expect(await quick(['draft', 'list', '--json'])).toBe(false)
  })

  it.each([
    ['STUDIO_TRACKER_URL', 'tracker'],
    ['STUDIO_SEARCH_INDEX', 'maybe'],
    ['STUDIO_DB', 'mysql://host/db'],
  ])('leaves an invalid variable to the full program: %s=%s', async (name, value) => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    const terminal = memoryTerminal({ env: { ...env(), [name]: value }, cwd: home })
    expect(() => ({ ...loadSettings(terminal) })).toThrow(StudioError)
    expect(await quickDrafts(['draft', 'list', '--json'], terminal)).toBe(false)
  })

  it('answers in spite of a wrong value that only other commands use, as the command itself does', async () => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    writeFileSync(join(home, 'config.json'), '{"llm": {"api": "other"}}')
    const terminal = memoryTerminal({ env: { ...env(), STUDIO_PORT: '99999' }, cwd: home })
    expect(await quickDrafts(['draft', 'list', '--json'], terminal)).toBe(true)
    const { output } = terminal
    const full = memoryTerminal({ env: { ...env(), STUDIO_PORT: '99999' }, cwd: home })
    expect(await runCommand(['draft', 'list', '--json'], full, new AbortController().signal)).toBe(0)
    expect(full.output).toBe(output)
  })

  it('answers with valid settings', async () => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    const tracker = { url: 'https://tracker.example.com/org', project: 'Docks' }
    const content = { user: 'ana', tenant: 'acme', search: { index: 'on' }, tracker, llm: { api: 'openai' } }
    writeFileSync(join(home, 'config.json'), JSON.stringify(content))
    const variables = { STUDIO_PORT: '8080', STUDIO_LLM_HOST: 'http://127.0.0.1:11434', HTTPS_PROXY: 'proxy:3128' }
    const terminal = memoryTerminal({ env: { ...env(), ...variables }, cwd: home })
    expect(await quickDrafts(['draft', 'list', '--json'], terminal)).toBe(true)
    expect(terminal.output).toContain('kept')
  })

  it.each([
    ['draft list --json --fields id'],
    ['draft list --json --limit 0'],
    ['draft list --limit 201'],
    ['draft list --limit'],
    ['draft list --json --search x'],
    ['draft list --json --help'],
    ['draft list --json --folder 0'],
    ['draft list --json --sort size'],
    ['draft list --json stray'],
  ])('leaves %s to the full program', async (line) => {
    const studio = openStudio({ env: env(), cwd: home })
    await studio.call('drafts.save', { title: 'kept' })
    await studio.close()
    expect(await quick(line.split(' '))).toBe(false)
  })

  it('uses the last value of a repeated flag, as the command does', () => {
    expect(readArguments(['--sort', 'title', '--sort=points'])).toEqual({ folderId: undefined, sort: 'points' })
  })
})
