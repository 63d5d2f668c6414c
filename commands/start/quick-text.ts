import { formatJson } from '../terminal/format-json'
import type { Canvas } from '../terminal/layout'
import { wrapText } from '../terminal/wrap-text'
import type { GlobalFlags, Terminal } from './invocation'

/** The answer of a command that does not load the program: as JSON, or as its view draws it. */
export async function quickText<Answer>(
  answer: Answer,
  render: (answer: Answer, canvas: Canvas) => string,
  { flags, terminal }: { flags: GlobalFlags; terminal: Terminal },
): Promise<string> {
  if (flags.json) return formatJson(answer)
  const canvas = await loadCanvas(flags, terminal)
  return wrapText(render(answer, canvas), canvas.width)
}

/** Loads colors only where they may be visible. */
async function loadCanvas(flags: GlobalFlags, terminal: Terminal): Promise<Canvas> {
  if (!flags.noColor && (terminal.outIsTty || terminal.env['FORCE_COLOR'] !== undefined))
    return (await import('../terminal/colors')).canvasFor('out', { flags, terminal })
  const plain = (text: string) => text
  const colors = { strong: plain, faint: plain, good: plain, warn: plain, bad: plain, accent: plain, hit: plain }
  return { colors, width: terminal.outIsTty ? terminal.width : null }
}
