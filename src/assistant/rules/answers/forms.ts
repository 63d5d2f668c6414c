import * as z from 'zod'
import { detailsOf } from '../../../kernel'
import type { Target } from '../prompts/template'
import { acceptanceCriteriaForm } from './acceptance-criteria'
import { diagramForm } from './diagram'
import type { AnswerForm, Refinement } from './form'
import { extractJsonObject } from './json-in'
import { storyForm } from './story'
import { summaryForm } from './summary'
import { testCasesForm } from './test-cases'

const forms: Record<Target, AnswerForm<any>> = {
  story: storyForm,
  'acceptance-criteria': acceptanceCriteriaForm,
  'test-cases': testCasesForm,
  diagram: diagramForm,
  summary: summaryForm,
}

/** What a model is told of the form of its answer: JSON, by a schema. */
export function askForJson(target: Target): string {
  return [
    'Answer with one JSON object and nothing else, by this schema:',
    JSON.stringify(jsonSchemaOf(target)),
    forms[target].ask,
  ].join('\n')
}

/** The same where a person reads the answer as it comes. */
export function askForMarkdown(target: Target): string {
  return forms[target].askMarkdown
}

/** For a server that can hold an answer to a schema. */
export function jsonSchemaOf(target: Target): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(forms[target].schema, { io: 'input', unrepresentable: 'any' })
  return schema
}

export type Reading = { refinement: Refinement } | { problems: string[] }

/** What an answer says, or everything that keeps it from being read. */
export function readAnswer(target: Target, answer: string): Reading {
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
