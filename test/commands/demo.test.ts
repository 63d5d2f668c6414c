import { expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { textWidth } from '../../commands/terminal/wrap-text'

it('fits a window of 80 columns, with its command lines wrapped as a shell reads them', async () => {
  const terminal = memoryTerminal({ outIsTty: true, width: 80 })
  expect(await runCommand(['demo'], terminal, new AbortController().signal)).toBe(0)
  expect(terminal.output.split('\n').filter((line) => textWidth(line) > 80)).toEqual([])
  expect(terminal.output).toMatch(/\$ studio facility create .* \\\n {6}--/)
})
