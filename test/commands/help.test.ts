import { describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { foldHelp } from '../../commands/start/help'
import { loadManifest } from '../../commands/start/manifest'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { textWidth } from '../../commands/terminal/wrap-text'

describe('help', () => {
  it('fits a window of 80 columns, for every command and topic', async () => {
    const commands = (await loadManifest()).map(({ command }) => [...command.split(' '), '--help'])
    const topics = ['exit-codes', 'environment', 'output', 'search-syntax', 'dates'].map((name) => ['help', name])
    for (const words of [['--help'], ['item'], ...topics, ...commands]) {
      const terminal = memoryTerminal({ outIsTty: true, width: 80 })
      expect(await runCommand(words, terminal, new AbortController().signal)).toBe(0)
      const tooWide = terminal.output.split('\n').filter((line) => textWidth(line) > 80)
      expect({ words, tooWide }).toEqual({ words, tooWide: [] })
    }
  })

  it('wraps beside the name, and an example before a flag', () => {
    expect(foldHelp('  --json  print one JSON value', 24)).toBe('  --json  print one JSON\n          value')
    expect(foldHelp('Examples:\n  studio do 1 --set "a b" --yes', 28)).toBe(
      'Examples:\n  studio do 1 --set "a b" \\\n      --yes',
    )
  })
})
