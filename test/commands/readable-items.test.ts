import { expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { colorsFor } from '../../commands/terminal/colors'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { renderItemHistory } from '../../commands/views/stories/item-history'
import { temporaryFolder } from '../temporary-folder'

const canvas = { colors: colorsFor('out', { isTty: false, env: {}, noColor: false }), width: null }

/** Runs commands in a new home and gives what each printed. */
async function printed(...commands: string[][]): Promise<string[]> {
  const home = temporaryFolder()
  const outputs: string[] = []
  for (const argv of commands) {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
    expect(await runCommand(argv, terminal, new AbortController().signal)).toBe(0)
    outputs.push(terminal.output)
  }
  return outputs
}

it('prints the fields of an item as the tracker gave them with --raw, and readable texts without', async () => {
  const [raw, readable] = await printed(['item', 'get', '101', '--raw'], ['item', 'get', '101'])
  expect(raw).toMatch(/^System\.Title: \S/m)
  expect(raw).toMatch(/^System\.Description: <\w+>/m)
  expect(readable).not.toContain('System.')
  expect(readable).not.toMatch(/<\/\w+>/)
})

it('shows the history of a long text as a diff of its readable lines, without markup and secrets', () => {
  const change = {
    field: 'System.Description',
    from: '<p>Token: ghp_R7tVq2Lx9KdPz4Wn6HsYb3Mc8JfGa5Te1UoX</p><p>Stays as it is</p>',
    to: '<p>Ask the team</p><p>Stays as it is</p>',
  }
  const answer = {
    comparison: { from: 1, to: 2, changes: [change], linksChanged: false },
    snapshots: [],
    goneSince: null,
  }
  expect(renderItemHistory(answer as never, canvas)).toBe(
    'Revision 1 → 2\n  Description:\n    - Token: [secret removed]\n    + Ask the team\n      Stays as it is\n',
  )
})

it('says how to set the working filter, and where it applies', async () => {
  const [unset, , set] = await printed(
    ['filter', 'working'],
    ['filter', 'working', '--state', 'Active'],
    ['filter', 'working'],
  )
  expect(unset).toContain('No working filter is set')
  expect(unset).toContain('studio filter working --state <text>')
  expect(set).toContain('state Active')
  expect(set).toContain('To apply it: studio item list --filter working')
})
