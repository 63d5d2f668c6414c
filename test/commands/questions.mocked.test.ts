import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'

interface Question {
  type: string
  name: string
  message: string
  choices?: (string | { name: string; value: unknown })[]
  source?(typed: string): Promise<{ name: string; value: unknown }[]>
}

const asked: Question[] = []
/** Answers questions in order: a function chooses from the question. */
let answers: ((question: Question) => unknown)[] = []
vi.mock('inquirer', () => ({
  default: {
    createPromptModule: () => async (questions: Question[]) => {
      const given: Record<string, unknown> = {}
      for (const question of questions) {
        asked.push(question)
        given[question.name] = await answers.shift()!(question)
      }
      return given
    },
  },
}))

beforeEach(() => {
  asked.length = 0
  answers = []
})

async function openWorkspace() {
  const home = await mkdtemp(join(tmpdir(), 'studio-questions-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const env = { STUDIO_HOME: home, EDITOR: `"${process.execPath}" "${join(home, 'edit.cjs')}"` }
  const run = async (
    argv: string[],
    { canAsk = true, signal = new AbortController().signal, onOutput = () => {} } = {},
  ) => {
    const terminal = memoryTerminal({ env, cwd: home, canAsk, outIsTty: canAsk })
    terminal.out = (text) => {
      terminal.output += text
      onOutput()
    }
    const exitCode = await runCommand([...argv, '--no-color'], terminal, signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
  return { home, run }
}

const pick = (text: string) => async (question: Question) => {
  const choices = question.source ? await question.source(text) : (question.choices ?? [])
  const found = choices.find((choice) => (typeof choice === 'string' ? choice : choice.name).includes(text))
  return typeof found === 'string' ? found : found!.value
}
const type = (text: string) => () => text
const agree = () => true

describe('item create on a terminal', () => {
  it('asks for what is missing, shows the item and asks before it creates it', async () => {
    const { run } = await openWorkspace()
    answers = [pick('Bug'), type('The clock is slow'), agree]
    const { exitCode, out, err } = await run(['item', 'create', '--parent', '204'])
    expect(asked.map(({ message }) => message)).toEqual(['Type:', 'Title:', 'Create this Bug below #204?'])
    expect(err).toContain('The clock is slow')
    expect(out).toMatch(/Created Bug #\d+ below #204: The clock is slow/)
    expect(exitCode).toBe(0)
  })

  it('starts from a template of the user, which flags override', async () => {
    const { home, run } = await openWorkspace()
    await mkdir(join(home, 'templates'), { recursive: true })
    await writeFile(join(home, 'templates', 'incident.md'), '---\ntype: Bug\nPriority: 1\n---\n\n# From the template\n')
    const { out } = await run(['item', 'create', '--template', 'incident', '--title', 'Typed', '--dry-run', '--json'])
    const { type, changes } = JSON.parse(out)
    expect(type).toBe('Bug')
    expect(changes).toMatchObject([
      { field: 'Title', to: 'Typed' },
      { field: 'Priority', to: 1 },
    ])
    const unknown = await run(['item', 'create', '--template', 'nope'])
    expect(unknown).toMatchObject({ exitCode: 3, err: expect.stringContaining('Use one of: incident') })
  })
})

describe('import without an ID on a terminal', () => {
  it('lets the user pick features, and imports them together', async () => {
    const { run } = await openWorkspace()
    answers = [pick('#101'), pick('#102'), pick('Import #101, #102')]
    const { out, exitCode } = await run(['import'])
    expect(out).toMatch(/✓ #101 [\s\S]*✓ #102 /)
    expect(exitCode).toBe(0)
  })

  it('names the missing argument in a script', async () => {
    const { run } = await openWorkspace()
    expect(await run(['import'], { canAsk: false })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('<featureId>: is required'),
    })
  })
})

describe('a conflict of a draft and the tracker', () => {
  /** Draft 1 and item 204 have different changes of the title. */
  async function openConflict() {
    const { run, home } = await openWorkspace()
    await run(['copy-sanitize', '204', '--title-suffix', ''])
    await run(['draft', 'save', '--id', '1', '--title', 'Ours', '--description', 'Our text'])
    await run(['batch-update', '204', '--set', 'Title=Theirs', '--set', 'Description=Their text', '--yes'])
    return { run, home }
  }

  it('asks for each field whose version to publish, and shows the result before it sends it', async () => {
    const { run } = await openConflict()
    answers = [pick('draft'), pick('tracker'), agree]
    const { exitCode, err } = await run(['draft', 'publish', '1', '--to', '204'])
    expect(asked.map(({ message }) => message)).toEqual([
      'Title:',
      'Description:',
      'Save these changes to work item 204?',
    ])
    expect(err).toContain('conflict: Title was changed in the draft and in the tracker.')
    expect(exitCode).toBe(0)
    const { title, description } = JSON.parse((await run(['item', 'get', '204', '--json'])).out)
    expect(title).toBe('Ours')
    expect(description).toContain('Their text')
  })

  it('opens a text with both versions in the editor, until it has no conflict markers', async () => {
    const { run, home } = await openConflict()
    const requireMarkers = `const fs = require('node:fs')
const file = process.argv[2]
if (!fs.readFileSync(file, 'utf8').includes('<<<<<<< draft')) process.exit(1)
`
    const script = (text: string) => writeFile(join(home, 'edit.cjs'), requireMarkers + text)
    await script('')
    const writeBoth = () => script("fs.writeFileSync(file, 'Both texts')").then(() => 'edit')
    answers = [pick('draft'), pick('Edit'), writeBoth, agree]
    const { exitCode, err } = await run(['draft', 'publish', '1', '--to', '204'])
    expect(err).toContain('still has conflict markers')
    expect(exitCode).toBe(0)
    expect(JSON.parse((await run(['item', 'get', '204', '--json'])).out).description).toContain('Both texts')
  })

  it('is an error in a script, which names the flags', async () => {
    const { run } = await openConflict()
    expect(await run(['draft', 'publish', '1', '--to', '204', '--yes'], { canAsk: false })).toMatchObject({
      exitCode: 5,
      err: expect.stringContaining('--ours'),
    })
  })
})

describe('an edit beside what was removed from the draft', () => {
  it('is shown with what each choice does, and what the item would lose', async () => {
    const { run } = await openWorkspace()
    const text = '```\na = 1\npassword: Hunter2!x103\n```'
    await run(['batch-update', '204', '--set', `Description=${text}`, '--yes'])
    await run(['copy-sanitize', '204', '--title-suffix', ''])
    const { description } = JSON.parse((await run(['draft', 'get', '1', '--json'])).out)
    await run(['draft', 'save', '--id', '1', '--description', description.replace('a = 1', 'a = 2')])
    answers = [pick('Make the edits of the draft'), agree]
    const { exitCode, err } = await run(['draft', 'publish', '1', '--to', '204'])
    expect(asked.map(({ message }) => message)).toEqual(['Description:', 'Save these changes to work item 204?'])
    expect(asked[0]!.choices).toContainEqual({
      name: 'Keep the text of the tracker, without the edits of the draft',
      value: 'tracker',
    })
    expect(err.replace(/\s+/g, ' ')).toContain(
      'The draft changes Description beside what was removed from the draft, so the place of the edit in the item is not known.',
    )
    expect(err).toMatch(/Edited: .*a = 2/)
    expect(err).toContain('[secret removed]')
    expect(exitCode).toBe(0)
  })
})

describe('--watch', () => {
  it('draws the list again until it is interrupted, and ends well', async () => {
    const { run } = await openWorkspace()
    await run(['import', '101'])
    const controller = new AbortController()
    let draws = 0
    const onOutput = () => {
      draws += 1
      if (draws === 2) controller.abort()
    }
    const { exitCode, out } = await run(['item', 'list', '--watch', '1'], { signal: controller.signal, onOutput })
    expect(out.split('Ctrl-C ends.')).toHaveLength(3)
    expect(exitCode).toBe(0)
  })

  it('is refused in a script and with --json', async () => {
    const { run } = await openWorkspace()
    expect(await run(['item', 'list', '--watch'], { canAsk: false })).toMatchObject({ exitCode: 2 })
    expect(await run(['item', 'list', '--watch', '--json'])).toMatchObject({ exitCode: 2 })
  })
})
