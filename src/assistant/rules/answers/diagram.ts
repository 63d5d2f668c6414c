import * as z from 'zod'
import { mermaidProblem } from '../mermaid'
import { answerForm } from './form'
import { markdown } from './texts'

export const diagramForm = answerForm({
  schema: z.object({ mermaid: markdown(20_000).transform(withoutFence) }),
  ask: 'mermaid: the source of the diagram, its first line flowchart with a direction, sequenceDiagram or stateDiagram-v2; without a fence.',
  askMarkdown: 'Answer with the diagram alone, in one fenced block: ```mermaid',
  problems({ mermaid }) {
    const problem = mermaidProblem(mermaid)
    return problem === null ? [] : [`mermaid: line ${problem.line}: ${problem.message}`]
  },
  refine: ({ mermaid }) => ({ title: null, markdown: `\`\`\`mermaid\n${mermaid}\n\`\`\`` }),
})

/** Models put a fence around it whatever they are told. */
function withoutFence(text: string): string {
  const fenced = /```(?:mermaid)?[ \t]*\n([\s\S]*?)\n?```/.exec(text)
  return (fenced ? fenced[1]! : text).trim()
}
