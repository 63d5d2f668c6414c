import type { Message } from '../../services/model'
import { askForMarkdown } from '../answers/answer-forms'
import { formatStory, type Story } from '../story'
import { type Boundary, formatBoundaryRule, markMaterial } from './boundary'
import { fillTemplate, type Template, usesStory } from './template'

export const ROLE =
  'You help product people to write work items: stories, acceptance criteria, test cases and diagrams.'

const CHAT_INSTRUCTIONS = `${ROLE} Answer briefly, in Markdown, and say so if the material does not contain the answer.`

interface Conversation {
  messages: readonly Message[]
  /** Replaces the instructions of studio. */
  system: string | null
  story: Story | null
  template: Template | null
  variables: Readonly<Record<string, string>>
  boundary: Boundary
}

/**
 * Composes the messages for the model: a system message with the instructions and the rule of the marks, then the story between marks, the
 * template and the conversation.
 */
export function composeMessages(conversation: Conversation): Message[] {
  const { messages, system, story, template, variables, boundary } = conversation
  const opening = template
    ? [fillTemplate(template, { story, variables, boundary }), askForMarkdown(template.target)].join('\n\n')
    : null
  const material =
    story && !(template && usesStory(template)) ? markMaterial(boundary, 'story', formatStory(story)) : null
  const before = [material, opening].filter((text) => text !== null)
  const turns = [...messages]
  const rules = [system ?? CHAT_INSTRUCTIONS, ...(story ? [formatBoundaryRule(boundary)] : [])]
  const first = turns[0]
  // The material and the question are one turn of the user, because some models require alternating turns.
  if (before.length > 0 && first?.role === 'user') {
    turns[0] = { role: 'user', content: [...before, first.content].join('\n\n') }
  } else if (before.length > 0) turns.unshift({ role: 'user', content: before.join('\n\n') })
  const systems = turns.filter(({ role }) => role === 'system').map(({ content }) => content)
  return [
    { role: 'system', content: [...rules, ...systems].join('\n\n') },
    ...turns.filter(({ role }) => role !== 'system'),
  ]
}
