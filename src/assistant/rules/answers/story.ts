import * as z from 'zod'
import { answerForm } from './form'
import { line, markdown } from './texts'

export const storyForm = answerForm({
  schema: z.object({ title: line(200), description: markdown(20_000) }),
  ask: 'title: one line, without a full stop. description: Markdown, without the title and without acceptance criteria.',
  askMarkdown: 'Answer in Markdown: the title as a heading of level 1, below it the description.',
  refine: ({ title, description }) => ({ title, markdown: description }),
})
