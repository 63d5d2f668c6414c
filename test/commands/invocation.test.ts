import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../../commands/start/command-line'
import { takeGlobalFlags } from '../../commands/start/invocation'
import { findNearest } from '../../commands/start/parse'
import { renderJson } from '../../commands/terminal/render-json'
import { memoryTerminal } from '../../commands/terminal/terminal'

describe('the flags of every command', () => {
  it('are accepted at any position', () => {
    const { flags, rest } = takeGlobalFlags(['--json', 'item', 'get', '7', '--fields=id,title', '--tenant', 'acme'])
    expect(flags).toMatchObject({ json: true, fields: ['id', 'title'], tenant: 'acme' })
    expect(rest).toEqual(['item', 'get', '7'])
  })

  it('are words after --', () => {
    const { flags, rest } = takeGlobalFlags(['search', '--', '--json'])
    expect(flags.json).toBe(false)
    expect(rest).toEqual(['search', '--', '--json'])
  })

  it('need their value', () => {
    expect(() => takeGlobalFlags(['item', 'list', '--fields'])).toThrow('--fields needs a value')
  })
})

describe('--fields', () => {
  const entry = z.object({ id: z.int(), title: z.string() })

  it('selects those of the entries of an array', () => {
    expect(JSON.parse(renderJson([{ id: 1, title: 'a' }], ['id'], z.array(entry)))).toEqual([{ id: 1 }])
  })

  it('selects those of an object', () => {
    expect(JSON.parse(renderJson({ id: 1, title: 'a' }, ['title'], entry))).toEqual({ title: 'a' })
  })

  it('reaches into the one list of an object', () => {
    const answer = z.object({ total: z.int(), results: z.array(entry) })
    const text = renderJson({ total: 1, results: [{ id: 1, title: 'a' }] }, ['id'], answer)
    expect(JSON.parse(text)).toEqual({ total: 1, results: [{ id: 1 }] })
  })

  it('names the valid ones when one is unknown, also for an empty list', () => {
    expect(() => renderJson([], ['nope'], z.array(entry))).toThrow(
      expect.objectContaining({ hint: 'Valid fields: id, title' }),
    )
  })
})

describe('a value that is none of those to choose from', () => {
  it.each([
    [
      ['report', 'summary', '--format', 'htm'],
      '--format must be text, md, html or csv, not "htm"',
      'Did you mean: --format html',
    ],
    [
      ['report', 'summary', '--format=xlsx'],
      '--format must be text, md, html or csv, not "xlsx"',
      'See: studio report summary --help',
    ],
    [
      ['search', 'dock', '--type', "it's"],
      '--type must be devops, draft or folder, not "it\'s"',
      'See: studio search --help',
    ],
    [
      ['completion', 'fissh'],
      '<shell> must be bash, zsh, fish or powershell, not "fissh"',
      'Did you mean: studio completion fish',
    ],
  ])('%j', async (argv, message, hint) => {
    const terminal = memoryTerminal()
    expect(await runCommand(argv, terminal, new AbortController().signal)).toBe(2)
    expect(terminal.errors).toBe(`error: ${message}.\nhint: ${hint}\n`)
  })
})

describe('did you mean', () => {
  it.each([
    ['serch', 'search'],
    ['resheduel', 'reschedule'],
    ['xyzzy', null],
  ])('%s: %s', (typed, meant) => {
    expect(findNearest(typed, ['search', 'reschedule', 'book'])).toBe(meant)
  })
})
