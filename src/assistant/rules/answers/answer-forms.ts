import * as z from 'zod'
import { detailsOf } from '../../../kernel'
import { isRecord, parseJson } from '../../../kernel/json'
import { checkDiagram } from '../check-diagram'
import { cleanWholeText } from '../clean-answer'
import type { Target } from '../prompts/template'

/** The result of an answer: Markdown, and for a story a title. */
export interface Refinement {
  title: string | null
  markdown: string
}

/** The form of an answer. The Markdown is made from its parts, so that the layout of a model's text does not matter. */
interface AnswerForm<Shape extends z.ZodType = z.ZodType> {
  schema: Shape
  /** Instructions for an answer in JSON. */
  ask: string
  /** Instructions for an answer in Markdown, which a person reads while it is written. */
  askMarkdown: string
  /** What is wrong with an answer that matches the schema. */
  problems?(value: z.output<Shape>): string[]
  refine(value: z.output<Shape>): Refinement
}

/** Infers the types of a form. */
function answerForm<Shape extends z.ZodType>(form: AnswerForm<Shape>): AnswerForm<Shape> {
  return form
}

const MAX_SCENARIOS = 40
const MAX_CASES = 100

/** A line of text that is not empty after cleaning. */
function lineOfText(maxLength: number) {
  return z
    .string()
    .transform((text) => cleanWholeText(text).replace(/\s+/g, ' '))
    .pipe(z.string().min(1).max(maxLength))
}

function markdown(maxLength: number) {
  return z.string().transform(cleanWholeText).pipe(z.string().min(1).max(maxLength))
}

const steps = z.array(lineOfText(500)).min(1).max(12)

const Scenario = z.object({
  scenario: lineOfText(200),
  given: z.array(lineOfText(500)).max(12),
  when: steps,
  outcome: steps,
})

const TestCase = z.object({
  title: lineOfText(200),
  preconditions: z.array(lineOfText(500)).max(12),
  steps: z.array(lineOfText(500)).min(1).max(30),
  expected: lineOfText(1000),
})

const forms: Record<Target, AnswerForm<any>> = {
  story: answerForm({
    schema: z.object({ title: lineOfText(200), description: markdown(20_000) }),
    ask: 'title: one line, without a full stop. description: Markdown, without the title and without acceptance criteria.',
    askMarkdown: 'Answer in Markdown: the title as a heading of level 1, below it the description.',
    refine: ({ title, description }) => ({ title, markdown: description }),
  }),
  'acceptance-criteria': answerForm({
    schema: z.object({ criteria: z.array(Scenario).min(1).max(MAX_SCENARIOS) }),
    ask: 'criteria: one entry per scenario. scenario: its name. given, when, outcome: the steps of Given, When and Then, each as a list, without these words or And at the beginning of a step.',
    askMarkdown:
      'Answer in Markdown: for each scenario its name in bold, below it a list of its steps, each beginning with **Given**, **When**, **Then** or **And**.',
    refine: ({ criteria }) => ({ title: null, markdown: criteria.map(formatScenario).join('\n\n') }),
  }),
  'test-cases': answerForm({
    schema: z.object({ cases: z.array(TestCase).min(1).max(MAX_CASES) }),
    ask: 'cases: one entry per test case. preconditions and steps: each as a list, not numbered. expected: what can be observed at the end.',
    askMarkdown: 'Answer with one Markdown table: #, Test case, Preconditions, Steps, Expected result.',
    refine: ({ cases }) => ({ title: null, markdown: formatTestCases(cases) }),
  }),
  diagram: answerForm({
    schema: z.object({ mermaid: markdown(20_000).transform(removeFence) }),
    ask: 'mermaid: the source of the diagram, its first line flowchart with a direction, sequenceDiagram or stateDiagram-v2; without a fence.',
    askMarkdown: 'Answer with only the diagram, in one fenced block: ```mermaid',
    problems({ mermaid }) {
      const problem = checkDiagram(mermaid)
      return problem === null ? [] : [`mermaid: line ${problem.line}: ${problem.message}`]
    },
    refine: ({ mermaid }) => ({ title: null, markdown: `\`\`\`mermaid\n${mermaid}\n\`\`\`` }),
  }),
  summary: answerForm({
    schema: z.object({ summary: markdown(4000) }),
    ask: 'summary: the sentences, without a heading.',
    askMarkdown: 'Answer with only the sentences, without a heading.',
    refine: ({ summary }) => ({ title: null, markdown: summary }),
  }),
}

/** Instructions for an answer in JSON, with its schema. */
export function askForJson(target: Target): string {
  return [
    'Answer with one JSON object and nothing else, by this schema:',
    JSON.stringify(toJsonSchema(target)),
    forms[target].ask,
  ].join('\n')
}

/** Instructions for an answer in Markdown. */
export function askForMarkdown(target: Target): string {
  return forms[target].askMarkdown
}

/** For a server that can restrict an answer to a schema. */
export function toJsonSchema(target: Target): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(forms[target].schema, { io: 'input', unrepresentable: 'any' })
  return schema
}

export type ParsedAnswer = { refinement: Refinement } | { problems: string[] }

/** The refinement in a JSON answer, or all problems of the answer. */
export function parseJsonAnswer(target: Target, answer: string): ParsedAnswer {
  const form = forms[target]
  const value = extractJsonObject(answer)
  if (value === undefined) return { problems: ['It is not one JSON object.'] }
  const parsed = form.schema.safeParse(value)
  if (!parsed.success) {
    return { problems: detailsOf(parsed.error).map(({ path, message }) => (path ? `${path}: ${message}` : message)) }
  }
  const problems = form.problems?.(parsed.data) ?? []
  return problems.length > 0 ? { problems } : { refinement: form.refine(parsed.data) }
}

/** The JSON object of an answer, also if the model puts a fence or a sentence around it. */
function extractJsonObject(answer: string): unknown {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n?```/.exec(answer)?.[1]
  const braced = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  for (const candidate of [answer, fenced, braced]) {
    const value = candidate === undefined ? undefined : parseJson(candidate)
    if (isRecord(value)) return value
  }
  return undefined
}

function formatScenario({ scenario, given, when, outcome }: z.infer<typeof Scenario>): string {
  const steps = [...formatSteps('Given', given), ...formatSteps('When', when), ...formatSteps('Then', outcome)]
  return [`**${scenario.replace(/\*/g, '')}**`, '', ...steps].join('\n')
}

/** Removes the keyword from a step, because some models write it despite the instructions. */
function formatSteps(keyword: string, steps: readonly string[]): string[] {
  return steps.map(
    (step, i) => `- **${i === 0 ? keyword : 'And'}** ${step.replace(/^(?:given|when|then|and)\b[,:]?\s+/i, '')}`,
  )
}

function formatTestCases(cases: readonly z.infer<typeof TestCase>[]): string {
  const rows = cases.map(({ title, preconditions, steps, expected }, i) => [
    String(i + 1),
    escapeCell(title),
    preconditions.map(escapeCell).join('<br>'),
    steps.map((step, at) => `${at + 1}. ${escapeCell(step)}`).join('<br>'),
    escapeCell(expected),
  ])
  const head = ['#', 'Test case', 'Preconditions', 'Steps', 'Expected result']
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** A bar ends a cell, and a backslash in front of it would cancel the escape. */
function escapeCell(text: string): string {
  return text.replace(/\\(?=\||$)/g, '\\\\').replace(/\|/g, '\\|')
}

/** Models put a fence around a diagram despite the instructions. */
function removeFence(text: string): string {
  const fenced = /```(?:mermaid)?[ \t]*\n([\s\S]*?)\n?```/.exec(text)
  return (fenced ? fenced[1]! : text).trim()
}
