import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../commands/command-line'
import { memoryTerminal } from '../../commands/terminal'

const asked: string[] = []
let answer = false
vi.mock('inquirer', () => ({
  default: {
    createPromptModule: () => async (questions: { name: string; message: string }[]) => {
      asked.push(...questions.map(({ message }) => message))
      return { agreed: answer }
    },
  },
}))

beforeEach(() => {
  asked.length = 0
  answer = false
})

async function openWorkspace() {
  const home = await mkdtemp(join(tmpdir(), 'studio-confirm-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return async (argv: string[], canAsk: boolean) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home, canAsk })
    const exitCode = await runCommand([...argv, '--no-color'], terminal, new AbortController().signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
}

const titleOf = (shown: string) => /^#\d+ (.*)/m.exec(shown)?.[1]

describe('a change of the tracker on a terminal', () => {
  it('is shown with old and new value first, and asks also for one item', async () => {
    const run = await openWorkspace()
    const refused = await run(['batch-update', '343', '--set', 'Title=Better'], true)
    expect(asked).toEqual(['Save these changes to work item 343?'])
    expect(refused).toMatchObject({ exitCode: 130, out: '', err: expect.stringMatching(/Title: .+ → Better/) })
    expect(titleOf((await run(['item', 'get', '343'], false)).out)).not.toBe('Better')
    answer = true
    expect((await run(['batch-update', '343', '344', '--set', 'Title=Better'], true)).exitCode).toBe(0)
    expect(asked.at(-1)).toBe('Save these changes to 2 work items?')
    expect(titleOf((await run(['item', 'get', '343'], false)).out)).toBe('Better')
  })

  it('does not ask with --yes, or when nothing would change', async () => {
    const run = await openWorkspace()
    expect((await run(['batch-update', '343', '--set', 'Title=Better', '--yes'], true)).exitCode).toBe(0)
    expect((await run(['batch-update', '343', '--set', 'Title=Better'], true)).exitCode).toBe(0)
    expect(asked).toEqual([])
  })
})

describe('a change of links on a terminal', () => {
  it('names the parent that is replaced, and asks', async () => {
    const run = await openWorkspace()
    const refused = await run(['item', 'link', '343', '--parent', '205'], true)
    expect(asked).toEqual(['Save these changes to work item 343?'])
    expect(refused).toMatchObject({ exitCode: 130, out: '', err: expect.stringContaining('Parent: 204 → 205') })
    expect(refused.err).toContain('Driver is told the dock door')
    answer = true
    expect((await run(['item', 'link', '205', '--child', '343', '344'], true)).exitCode).toBe(0)
    expect(asked.at(-1)).toBe('Save these changes to 2 work items?')
  })
})

describe('a change of the tracker in a script', () => {
  it('is made for one item, and needs --yes for several', async () => {
    const run = await openWorkspace()
    expect((await run(['batch-update', '343', '--set', 'Priority=3'], false)).exitCode).toBe(0)
    const several = await run(['batch-update', '343', '344', '--set', 'Priority=1'], false)
    expect(several).toMatchObject({ exitCode: 2, err: expect.stringContaining('Add --yes') })
    expect((await run(['item', 'link', '343', '--related', '501', '502'], false)).exitCode).toBe(0)
    const children = await run(['item', 'link', '205', '--child', '343', '344'], false)
    expect(children).toMatchObject({ exitCode: 2, err: expect.stringContaining('Add --yes') })
    expect(asked).toEqual([])
  })
})
