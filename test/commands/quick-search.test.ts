import { expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { quickSearch } from '../../commands/start/quick-search'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

it('passes --no-color on to the pager', async () => {
  const home = temporaryFolder()
  const place = { env: { STUDIO_HOME: home }, cwd: home }
  expect(await runCommand(['import', '101'], memoryTerminal(place), new AbortController().signal)).toBe(0)
  const shown: unknown[] = []
  const terminal = memoryTerminal({ ...place, show: async (_text, options) => void shown.push(options?.noColor) })
  expect(await quickSearch(['search', 'door'], terminal)).toBe(true)
  expect(await quickSearch(['search', 'door', '--no-color'], terminal)).toBe(true)
  expect(shown).toEqual([false, true])
})
