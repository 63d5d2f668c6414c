import { checkFlowchart } from './flowchart'
import { DiagramError, type DiagramProblem, type SourceLine } from './scanner'
import { checkSequence } from './sequence'
import { checkStates } from './states'

export type { DiagramProblem } from './scanner'

const MAX_LINES = 500

const kinds: readonly { header: RegExp; check(lines: readonly SourceLine[]): void }[] = [
  { header: /^(?:flowchart|graph)\s+(?:TB|TD|BT|RL|LR)$/, check: checkFlowchart },
  { header: /^sequenceDiagram$/, check: checkSequence },
  { header: /^stateDiagram-v2$/, check: checkStates },
]

/**
 * Returns the problem of a Mermaid diagram, or null. Accepts a subset of Mermaid's grammar that Mermaid certainly draws: flowchart,
 * sequenceDiagram and stateDiagram-v2 with the usual statements, without styles, links, scripts and HTML.
 */
export function checkDiagram(source: string): DiagramProblem | null {
  const all = source.split('\n').map((text, i) => ({ number: i + 1, text: text.trim() }))
  const lines = all.filter(({ text }) => text !== '' && !/^%%(?!\{)/.test(text))
  const [header, ...statements] = lines
  if (!header) return { line: 1, message: 'there is no diagram' }
  if (lines.length > MAX_LINES) return { line: MAX_LINES, message: `it has more than ${MAX_LINES} lines` }
  const kind = kinds.find((known) => known.header.test(header.text))
  if (!kind) {
    return {
      line: header.number,
      message:
        'the first line must be "flowchart" with TB, BT, LR or RL, "sequenceDiagram" or "stateDiagram-v2", with nothing after it',
    }
  }
  if (statements.length === 0) return { line: header.number, message: 'the diagram is empty' }
  try {
    for (const line of all) rejectMarkup(line)
    kind.check(statements)
    return null
  } catch (error) {
    if (error instanceof DiagramError) return { line: error.line, message: error.message }
    throw error
  }
}

/** Rejects HTML tags and Mermaid directives in any text, because a page could interpret them. */
function rejectMarkup(line: SourceLine): void {
  const text = line.text.replace(/<<(?:choice|fork|join)>>/g, '')
  const tag = /<(?!br\s*\/?>)[a-z/!?][^\s>]{0,20}/i.exec(text)
  if (tag) throw new DiagramError(line, `"${tag[0]}" begins HTML, of which only <br> is allowed`)
  if (text.includes('%%{')) throw new DiagramError(line, '"%%{" begins a directive, and directives are not allowed')
}
