import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { startTestSandbox } from '../sandbox/test-sandbox'

const asked: string[] = []
let answer = false
let whileAsked = async () => {}
vi.mock('inquirer', () => ({
  default: {
    createPromptModule: () => async (questions: { name: string; message: string }[]) => {
      asked.push(...questions.map(({ message }) => message))
      await whileAsked()
      return { agreed: answer }
    },
  },
}))

beforeEach(() => {
  asked.length = 0
  answer = false
  whileAsked = async () => {}
})

async function openWorkspace(variables: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'studio-confirm-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return async (argv: string[], canAsk: boolean) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home, ...variables }, cwd: home, canAsk })
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

describe('the requests of a change that is shown first', () => {
  it('are those of a change without a question, and one that reads the revisions again', async () => {
    const requestsOf = async (flags: string[]) => {
      const sandbox = await startTestSandbox()
      onTestFinished(() => sandbox.close())
      const run = await openWorkspace({ STUDIO_TRACKER_URL: sandbox.url, STUDIO_TRACKER_PROJECT: sandbox.project })
      answer = true
      const { exitCode, err } = await run(['batch-update', '343', '--set', 'Title=Better', ...flags], true)
      expect(exitCode, err).toBe(0)
      return sandbox.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '')}`)
    }
    const direct = await requestsOf(['--yes'])
    const asked = await requestsOf([])
    expect(asked).toEqual(direct.toSpliced(-1, 0, 'POST /quayside/_apis/wit/workitemsbatch'))
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

describe('what changes while it is confirmed', () => {
  /** Runs a command the first time that a question is asked. */
  const changeOnce = (change: () => Promise<unknown>) => {
    whileAsked = async () => {
      whileAsked = async () => {}
      await change()
    }
  }

  it('is shown and asked again: an item that somebody else changes', async () => {
    const run = await openWorkspace()
    answer = true
    changeOnce(() => run(['batch-update', '343', '--set', 'Title=Theirs'], false))
    const { exitCode, err } = await run(['batch-update', '343', '--set', 'Title=Ours', '--set', 'Priority=4'], true)
    expect(asked).toHaveLength(2)
    expect(err).toContain('has changed since it was shown. Nothing was done.')
    expect(err.slice(err.indexOf('since it was shown'))).toMatch(/Title: Theirs → Ours/)
    expect(exitCode).toBe(0)
  })

  it('is shown and asked again: a draft that another command saves', async () => {
    const run = await openWorkspace()
    await run(['copy-sanitize', '343'], false)
    await run(['draft', 'save', '--id', '1', '--title', 'Seen'], false)
    answer = true
    changeOnce(async () => {
      expect((await run(['draft', 'save', '--id', '1', '--title', 'Unseen'], false)).exitCode).toBe(0)
      whileAsked = async () => {
        answer = false
      }
    })
    const asking = ['draft', 'publish', '1', '--to', '343']
    const first = await run(asking, true)
    expect(first.err).toMatch(/Title .+ → Seen[\s\S]*since it was shown[\s\S]*Title .+ → Unseen/)
    expect(asked).toHaveLength(2)
    expect(titleOf((await run(['item', 'get', '343'], false)).out)).not.toMatch(/Seen|Unseen/)
  })

  it('is refused with the new plan if the call names the plan of a dry run', async () => {
    const run = await openWorkspace()
    const call = ['batch-update', '343', '344', '--set', 'Title=Ours', '--json']
    const { planId } = JSON.parse((await run([...call, '--dry-run'], false)).out)
    expect((await run(['batch-update', '343', '--set', 'Title=Theirs'], false)).exitCode).toBe(0)
    const refused = await run([...call, '--plan', planId], false)
    expect(refused).toMatchObject({ exitCode: 5, out: '' })
    const [{ plan }] = JSON.parse(refused.err).details
    expect((await run([...call, '--plan', plan.planId], false)).exitCode).toBe(0)
    expect(titleOf((await run(['item', 'get', '343'], false)).out)).toBe('Ours')
    expect(asked).toEqual([])
  })
})

describe('a plan that is named and is no longer the plan', () => {
  it('is shown as it would be now, with the flag that does it', async () => {
    const run = await openWorkspace()
    const call = ['batch-update', '343', '--set', 'Title=Ours']
    const { exitCode, out, err } = await run([...call, '--plan', '0'.repeat(24)], false)
    expect({ exitCode, out }).toEqual({ exitCode: 5, out: '' })
    expect(err).toMatch(/Title: .+ → Ours/)
    const planId = /--plan (\S+)/.exec(err)![1]!
    expect((await run([...call, '--plan', planId], false)).exitCode).toBe(0)
    expect(titleOf((await run(['item', 'get', '343'], false)).out)).toBe('Ours')
  })
})

describe('an update by query', () => {
  const update = ['batch-update', '--query', 'state:New type:task', '--set', 'Priority=3']
  const idsIn = (text: string) => [...text.matchAll(/^(\d+) {2}(?:change|applied)/gm)].map(([, id]) => id)

  it('sends the items that were shown, whatever the query finds after that', async () => {
    const run = await openWorkspace()
    await run(['import', '101'], false)
    answer = true
    whileAsked = async () => {
      whileAsked = async () => {}
      expect((await run(['batch-update', '342', '--set', 'State=New'], false)).exitCode).toBe(0)
    }
    const { exitCode, out, err } = await run(update, true)
    expect(exitCode).toBe(0)
    expect(asked).toEqual(['Save these changes to 5 work items?'])
    expect(err).toMatch(/344 .*Priority: 2 → 3/)
    expect(idsIn(out)).toEqual(['344', '352', '353', '361', '362'])
    expect(idsIn(out)).toEqual(idsIn(err))
    expect((await run(['item', 'list', '--state', 'New', '--type', 'task', '--json'], false)).out).toContain(
      '"id": 342',
    )
  })

  it('is shown and needs --yes in a script, also for one item', async () => {
    const run = await openWorkspace()
    await run(['import', '101'], false)
    const one = [...update, '--query', 'id:344']
    const refused = await run(one, false)
    expect(refused).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining('Add --yes') })
    expect(idsIn(refused.err)).toEqual(['344'])
    expect(await run([...one, '--yes'], false)).toMatchObject({ exitCode: 0, err: expect.stringContaining('2 → 3') })
    await run(['view', 'save', 'new', '--state', 'new', '--type', 'task'], false)
    const byView = ['batch-update', '--filter', 'new', '--set', 'Priority=4', '--dry-run']
    expect(idsIn((await run(byView, false)).out)).toHaveLength(5)
  })

  it('sends nothing if it finds nothing, or if IDs are given, too', async () => {
    const run = await openWorkspace()
    await run(['import', '101'], false)
    const nothing = await run(['batch-update', '--query', 'state:Newt', '--set', 'Priority=3', '--yes'], false)
    expect(nothing).toMatchObject({ exitCode: 3, err: expect.stringContaining('Did you mean state:New?') })
    expect(await run([...update, '344', '--yes'], false)).toMatchObject({ exitCode: 2, out: '' })
    expect(await run(['batch-update', '--set', 'Priority=3'], false)).toMatchObject({ exitCode: 2, out: '' })
  })
})
