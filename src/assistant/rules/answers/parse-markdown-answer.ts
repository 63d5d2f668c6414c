import { checkDiagram } from '../check-diagram'
import { cleanWholeText } from '../clean-answer'
import type { Target } from '../prompts/template'
import type { ParsedAnswer } from './answer-forms'

const MAX_CHARACTERS = 100_000

/** The refinement in a Markdown answer, or the problem of the answer. */
export function parseMarkdownAnswer(target: Target, answer: string): ParsedAnswer {
  const text = cleanWholeText(answer)
  if (text === '') return { problems: ['It is empty.'] }
  if (text.length > MAX_CHARACTERS) return { problems: [`It is longer than ${MAX_CHARACTERS} characters.`] }
  if (target === 'diagram') return parseDiagramAnswer(text)
  const titled = target === 'story' ? /^#[ \t]+(?![ \t])(.{1,200})(?:\n|$)([\s\S]*)$/.exec(text) : null
  if (titled) return { refinement: { title: titled[1]!.trim(), markdown: titled[2]!.trim() } }
  return { refinement: { title: null, markdown: text } }
}

function parseDiagramAnswer(text: string): ParsedAnswer {
  const source = findFirstDiagram(text)
  if (source === null) return { problems: ['It has no ```mermaid block.'] }
  const problem = checkDiagram(source)
  if (problem) return { problems: [`The diagram cannot be drawn: line ${problem.line}: ${problem.message}`] }
  return { refinement: { title: null, markdown: `\`\`\`mermaid\n${source.trim()}\n\`\`\`` } }
}

/** The content of the first closed block that begins with the line "```mermaid". */
function findFirstDiagram(text: string): string | null {
  const opening = /```mermaid[ \t]*\n/.exec(text)
  if (!opening) return null
  const start = opening.index + opening[0].length
  const end = text.indexOf('\n```', start)
  return end < 0 ? null : text.slice(start, end)
}
