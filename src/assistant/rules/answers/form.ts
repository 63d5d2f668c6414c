import type * as z from 'zod'

/** What an answer becomes: Markdown, and for some a title too. */
export interface Refinement {
  title: string | null
  markdown: string
}

/** The form that an answer has, so that what is made of it depends on its parts and not on how a model likes to lay out its text. */
export interface AnswerForm<Shape extends z.ZodType = z.ZodType> {
  schema: Shape
  /** What the model is told of the form when it is to answer in JSON. */
  ask: string
  /** What it is told where a person reads the answer as it comes. */
  askMarkdown: string
  /** What is wrong with an answer of the right shape; none where nothing is. */
  problems?(value: z.output<Shape>): string[]
  refine(value: z.output<Shape>): Refinement
}

/** Declares a form; there only so that types are inferred. */
export function answerForm<Shape extends z.ZodType>(form: AnswerForm<Shape>): AnswerForm<Shape> {
  return form
}
