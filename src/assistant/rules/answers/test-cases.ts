import * as z from 'zod'
import { answerForm } from './form'
import { line } from './texts'

const MOST_CASES = 100

const TestCase = z.object({
  title: line(200),
  preconditions: z.array(line(500)).max(12),
  steps: z.array(line(500)).min(1).max(30),
  expected: line(1000),
})

export const testCasesForm = answerForm({
  schema: z.object({ cases: z.array(TestCase).min(1).max(MOST_CASES) }),
  ask: 'cases: one entry a test case. preconditions and steps: a list each, not numbered. expected: what can be observed at the end.',
  askMarkdown: 'Answer with one Markdown table: #, Test case, Preconditions, Steps, Expected result.',
  refine: ({ cases }) => ({ title: null, markdown: tableOf(cases) }),
})

function tableOf(cases: readonly z.infer<typeof TestCase>[]): string {
  const rows = cases.map(({ title, preconditions, steps, expected }, i) => [
    String(i + 1),
    cell(title),
    preconditions.map(cell).join('<br>'),
    steps.map((step, at) => `${at + 1}. ${cell(step)}`).join('<br>'),
    cell(expected),
  ])
  const head = ['#', 'Test case', 'Preconditions', 'Steps', 'Expected result']
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** A bar would end the cell, and a backslash before it would undo our own. */
function cell(text: string): string {
  return text.replace(/\\(?=\||$)/g, '\\\\').replace(/\|/g, '\\|')
}
