import { expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

const NOTICE = /no line break: it stays as typed.*\$'first\\nsecond'/

async function save(...flags: string[]) {
  const home = temporaryFolder()
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
  const argv = ['draft', 'save', '--title', 'One', '--json', ...flags]
  expect(await runCommand(argv, terminal, new AbortController().signal)).toBe(0)
  return { errors: terminal.errors, draft: JSON.parse(terminal.output) }
}

it('a typed \\n in a long text stays, and a notice says how to type a line break', async () => {
  const { errors, draft } = await save('--description', 'First\\nsecond')
  expect(draft.description).toBe('First\\nsecond')
  expect(errors).toMatch(NOTICE)
  expect(errors).toContain('--description')
  expect(errors).toContain('--file -')
  expect((await save('--description', 'First\\nsecond', '--quiet')).errors).toBe('')
})

it.each([
  ['a text with line breaks', ['--description', 'Path C:\\new\nsecond line']],
  ['a short text, such as a path', ['--area-path', 'Harbor\\new']],
])('%s gets no notice', async (_, flags) => {
  expect((await save(...flags)).errors).not.toMatch(NOTICE)
})
