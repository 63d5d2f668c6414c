import {
  type GetPromptResult,
  type ListPromptsResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { findMissingVariables, isStoryVariable } from '../assistant'
import type { ResultOf } from '../catalog'
import { answerOf, type Calling, findAction } from './run-action'

type Template = ResultOf<'prompts.list'>[number]

/** One of these arguments names the story of a prompt; all others are variables of the template. */
const storyArguments = [
  { name: 'storyId', description: 'ID of the draft that the prompt is about' },
  { name: 'itemId', description: 'ID of the cached work item that the prompt is about, in place of a draft' },
]

/** The templates for refining stories, as prompts for the client's own model. */
export async function listPrompts(calling: Calling): Promise<ListPromptsResult> {
  const action = findAction('prompts.list', calling)
  if (!action) return { prompts: [] }
  const templates: Template[] = await answerOf(action, {}, calling)
  return { prompts: templates.map(promptOf) }
}

function promptOf({ id, name, description, template, variables }: Template): Prompt {
  const required = findMissingVariables({ template }, {})
  const own = variables.filter((variable) => !isStoryVariable(variable))
  return {
    name: id,
    title: name,
    description,
    arguments: [
      ...(own.length < variables.length ? storyArguments : []),
      ...own.map((variable) => ({ name: variable, required: required.includes(variable) })),
    ],
  }
}

export async function getPrompt(
  name: string,
  { storyId, itemId, ...variables }: Record<string, string>,
  calling: Calling,
): Promise<GetPromptResult> {
  const action = findAction('prompts.fill', calling)
  if (!action) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
  const input = { id: name, ...idOf('storyId', storyId), ...idOf('itemId', itemId), variables }
  const { name: title, text } = await answerOf(action, input, calling)
  return { description: title, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

/** Arguments of prompts are texts, and may be empty in a client's form. The operation rejects a text that is not a number. */
function idOf(name: string, text: string | undefined): Record<string, unknown> {
  if (text === undefined || text.trim() === '') return {}
  return { [name]: /^\d+$/.test(text.trim()) ? Number(text) : text }
}
