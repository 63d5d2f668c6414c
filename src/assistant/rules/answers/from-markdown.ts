import { cleanWhole } from '../clean-text'
import { mermaidProblem } from '../mermaid'
import type { Target } from '../prompts/template'
import type { Reading } from './forms'

const MOST_CHARACTERS = 100_000

/** What an answer that a person has read as Markdown becomes in a draft, or why it cannot. */
export function refinementFromMarkdown(target: Target, answer: string): Reading {
  const text = cleanWhole(answer)
  if (text === '') return { problems: ['There is nothing in it.'] }
  if (text.length > MOST_CHARACTERS) return { problems: [`It is longer than ${MOST_CHARACTERS} characters.`] }
  if (target === 'diagram') return diagramIn(text)
  const titled = target === 'story' ? /^#[ \t]+(?![ \t])(.{1,200})(?:\n|$)([\s\S]*)$/.exec(text) : null
  if (titled) return { refinement: { title: titled[1]!.trim(), markdown: titled[2]!.trim() } }
  return { refinement: { title: null, markdown: text } }
}

function diagramIn(text: string): Reading {
  const source = firstDiagram(text)
  if (source === null) return { problems: ['It holds no block ```mermaid.'] }
  const problem = mermaidProblem(source)
  if (problem) return { problems: [`The diagram cannot be drawn: line ${problem.line}: ${problem.message}`] }
  return { refinement: { title: null, markdown: `\`\`\`mermaid\n${source.trim()}\n\`\`\`` } }
}

/** What is inside the first block that begins with the line "```mermaid" and has an end. */
function firstDiagram(text: string): string | null {
  const opening = /```mermaid[ \t]*\n/.exec(text)
  if (!opening) return null
  const start = opening.index + opening[0].length
  const end = text.indexOf('\n```', start)
  return end < 0 ? null : text.slice(start, end)
}
