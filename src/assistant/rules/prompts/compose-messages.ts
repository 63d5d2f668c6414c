import type { Message } from '../../services/model'
import { askForMarkdown } from '../answers/answer-forms'
import { type Story, storyText } from '../story'
import { type Boundary, boundaryRule, markMaterial } from './boundary'
import { fillTemplate, type Template, usesStory } from './template'

export const ROLE =
  'You help product people to write work items: stories, acceptance criteria, test cases and diagrams.'

const CHAT_INSTRUCTIONS = `${ROLE} Answer briefly, in Markdown, and say so where the material does not tell.`

export interface Conversation {
  messages: readonly Message[]
  /** In place of our own words to the model. */
  system: string | null
  story: Story | null
  template: Template | null
  variables: Readonly<Record<string, string>>
  boundary: Boundary
}

/**
 * The messages as the model gets them: one system message with our words and, where there is material, the rule of its marks;
 * the material; the template; what was said. Nothing of the material stands outside its marks.
 */
export function composeMessages(conversation: Conversation): Message[] {
  const { messages, system, story, template, variables, boundary } = conversation
  const opening = template
    ? [fillTemplate(template, { story, variables, boundary }), askForMarkdown(template.target)].join('\n\n')
    : null
  const material =
    story && !(template && usesStory(template)) ? markMaterial(boundary, 'story', storyText(story)) : null
  const before = [material, opening].filter((text) => text !== null)
  const said = [...messages]
  const rules = [system ?? CHAT_INSTRUCTIONS, ...(story ? [boundaryRule(boundary)] : [])]
  const first = said[0]
  // Material and question are one turn of the user: some models take only turns that alternate.
  if (before.length > 0 && first?.role === 'user') {
    said[0] = { role: 'user', content: [...before, first.content].join('\n\n') }
  } else if (before.length > 0) said.unshift({ role: 'user', content: before.join('\n\n') })
  const systems = said.filter(({ role }) => role === 'system').map(({ content }) => content)
  return [
    { role: 'system', content: [...rules, ...systems].join('\n\n') },
    ...said.filter(({ role }) => role !== 'system'),
  ]
}
