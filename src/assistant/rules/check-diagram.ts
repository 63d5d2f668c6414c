export interface DiagramProblem {
  /** From 1. */
  line: number
  message: string
}

const MAX_LINES = 500
const HEADER = /^(?:(?:flowchart|graph)\s+(?:TB|TD|BT|RL|LR)|sequenceDiagram|stateDiagram-v2)$/
/** Statements that change the looks, or open a page or run a script when a node is clicked. An arrow may follow a node of that name. */
const REFUSED =
  /^(click|style|classDef|class|linkStyle|links?|properties|details)\s+(?!--|-\.|->|==|<|~~|[ox]--|:|&\s)\S/i
/** In a state diagram this statement may begin anywhere in a line. */
const CLICK_ON_STATE = /\bclick\s+\S+\s+(?:href\s*)?"/i
/** Another statement may follow one of these in the same line. */
const BEFORE_STATEMENT = /^(?:(?:end(?:\s+note)?|direction\s+(?:TB|TD|BT|RL|LR))\s+)+/i
/** The mistake that language models make most: `A[Gate (north)]` without quotes. */
const BARE_BRACKETS = /\w\[[^\][("/\\][^\]["()]*[()]/

/**
 * Returns the problem of a Mermaid diagram, or null: a kind of diagram that is not asked for, markup that a page could interpret, or the most
 * frequent mistake. Only Mermaid itself knows whether it can draw the rest.
 */
export function checkDiagram(source: string): DiagramProblem | null {
  // Mermaid, too, takes a carriage return alone for the end of a line.
  const all = source.split(/\r\n?|\n/).map((text, index) => ({ line: index + 1, text: text.trim() }))
  const lines = all.filter(({ text }) => text !== '' && !/^%%(?!\{)/.test(text))
  const [header, ...statements] = lines
  if (!header) return { line: 1, message: 'there is no diagram' }
  if (lines.length > MAX_LINES) return { line: MAX_LINES, message: `it has more than ${MAX_LINES} lines` }
  if (!HEADER.test(header.text)) {
    return {
      line: header.line,
      message:
        'the first line must be "flowchart" with TB, BT, LR or RL, "sequenceDiagram" or "stateDiagram-v2", with nothing after it',
    }
  }
  if (statements.length === 0) return { line: header.line, message: 'the diagram is empty' }
  for (const { line, text } of all) {
    const message = describeProblem(text)
    if (message !== null) return { line, message }
  }
  return null
}

function describeProblem(text: string): string | null {
  const [tag] = /<(?!br\s*\/?>)[a-z/!?][^\s>]{0,20}/i.exec(text.replace(/<<(?:choice|fork|join)>>/g, '')) ?? []
  if (tag) return `"${tag}" begins HTML, of which only <br> is allowed`
  if (text.includes('%%{')) return '"%%{" begins a directive, and directives are not allowed'
  const [entity] = /#\w{1,31};/.exec(text) ?? []
  if (entity) return `"${entity}" could become HTML`
  if (text.includes('@{')) return '"@{" gives a node an image or an icon, which is not allowed'
  if (text.startsWith('```')) return '"```" would end the block of the diagram'
  const words = text.split(/[;}]/).map((part) => REFUSED.exec(part.trim().replace(BEFORE_STATEMENT, ''))?.[1])
  const refused = words.find(Boolean) ?? (CLICK_ON_STATE.test(text) ? 'click' : null)
  if (refused) return `"${refused}" is not allowed: no styles, links and scripts`
  return BARE_BRACKETS.test(text) ? 'a label with brackets needs double quotes: A["Gate (north)"]' : null
}
