import * as z from 'zod'
import { answerForm } from './form'
import { markdown } from './texts'

export const summaryForm = answerForm({
  schema: z.object({ summary: markdown(4000) }),
  ask: 'summary: the sentences, without a heading.',
  askMarkdown: 'Answer with the sentences alone, without a heading.',
  refine: ({ summary }) => ({ title: null, markdown: summary }),
})
