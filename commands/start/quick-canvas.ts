import type { Canvas } from '../terminal/layout'
import type { GlobalFlags, Terminal } from './invocation'

/** What a command that answers without loading the program draws with. It loads colors only where they may be visible. */
export async function quickCanvas(flags: GlobalFlags, terminal: Terminal): Promise<Canvas> {
  if (!flags.noColor && (terminal.outIsTty || terminal.env['FORCE_COLOR'] !== undefined))
    return (await import('../terminal/colors')).canvasFor('out', { flags, terminal })
  const plain = (text: string) => text
  const colors = { strong: plain, faint: plain, good: plain, warn: plain, bad: plain, accent: plain, hit: plain }
  return { colors, width: terminal.outIsTty ? terminal.width : null }
}
