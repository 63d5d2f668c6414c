import * as z from 'zod'
import { type Draft, requireDraft, saveDraft } from '../../drafts'
import { asStudioError, type ErrorDetail, hint, operation, StudioError, suggest } from '../../kernel'
import { askForJson, jsonSchemaOf, parseJsonAnswer, type Refinement } from '../rules/answers/answer-forms'
import { applyRefinement, type TextChange } from '../rules/answers/apply-refinement'
import { type Boundary, boundaryRule, createBoundary, withoutMarks } from '../rules/prompts/boundary'
import { ROLE } from '../rules/prompts/compose-messages'
import { fillTemplate, type Template, targets } from '../rules/prompts/template'
import { draftStory, type Story, storyText } from '../rules/story'
import { ModelName, PromptId, StoryId, Variables } from '../schemas'
import type { AssistantContext } from '../services/assistant-context'
import { MAX_ANSWER_MS } from '../services/limits'
import { type Message, MODEL_ERRORS } from '../services/model'
import { findTemplate, requireTemplateInput } from '../services/prompt-templates'

export const refineDraft = operation({
  id: 'drafts.refine',
  summary: 'Let the language model work on a draft, and show what would change',
  description:
    'The prompt decides what is written, and so which text of the draft changes: story the title and the description, acceptance-criteria the ' +
    'acceptance criteria, test-cases, diagram and summary a section of the description. The answer is checked, and asked for again once. ' +
    'Nothing is saved until the change is applied; what the draft was stays in its history. Where the save is refused, the details of the ' +
    'refusal hold what was written, as unsaved.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: StoryId.describe('Draft (working copy) ID'),
    promptId: PromptId,
    variables: Variables.default({}),
    model: ModelName.nullish(),
    apply: z.boolean().default(false).describe('Save the change'),
  }),
  output: z.object({
    draftId: z.int(),
    promptId: z.string(),
    target: z.enum(targets),
    model: z.string(),
    changes: z.array(
      z.object({
        field: z.enum(['title', 'description', 'acceptanceCriteria']),
        before: z.string().nullable(),
        after: z.string(),
      }),
    ),
    applied: z.boolean(),
    updatedAt: z
      .string()
      .describe('Of the draft, after the change where it was saved: send it along with a save of your own'),
    attempts: z.int().describe('2 where the first answer had not the asked form'),
    durationMs: z.int(),
    notice: z.string().nullable(),
  }),
  errors: ['not_found', 'stale_revision', ...MODEL_ERRORS],
  http: { method: 'post', path: '/api/stories/{id}/refine', extension: true, withinMs: MAX_ANSWER_MS },
  cli: {
    command: 'draft refine',
    args: ['id'],
    flags: {
      promptId: { name: 'prompt', value: 'name', about: 'Prompt template; see: studio prompt list' },
      model: { value: 'name' },
      variables: false,
    },
    extraFlags: [
      {
        flag: '--set <name=value>',
        about: 'value of a variable of the prompt; may be given several times',
        repeatable: true,
        standsFor: ['variables'],
      },
    ],
    toInput: ({ set, ...typed }) => (set === undefined ? typed : { ...typed, variables: parseVariableFlags(set) }),
    offer: ({ draftId, applied, changes, updatedAt }) =>
      applied || changes.length === 0
        ? null
        : {
            question: `Save these changes to draft ${draftId}?`,
            operation: 'drafts.save',
            input: { id: draftId, updatedAt, ...fieldsOf(changes) },
            otherwise: 'Nothing was saved. Run the command with --apply to save the changes.',
            done: `Saved. To undo: studio draft undo ${draftId}`,
          },
    examples: [
      'studio draft refine 1 --prompt acceptance-criteria',
      'studio draft refine 1 --prompt story --set audience="a new team" --apply',
    ],
    seeAlso: ['prompt list', 'draft get', 'llm models'],
  },
  async run(ctx: AssistantContext, { id, promptId, variables, model, apply }) {
    const startedAt = ctx.clock.now()
    const template = await findTemplate(ctx, promptId)
    const { draft } = await ctx.db.read((tx) => requireDraft(tx, id))
    const story = draftStory(draft)
    requireTemplateInput(template, story, variables)
    const boundary = createBoundary(ctx, [storyText(story), template.template])
    const answer = await requestRefinement(ctx, { template, story, variables, boundary, model: model ?? null })
    const changes = applyRefinement(draft, template.target, answer.refinement)
    const applied = apply && changes.length > 0
    const saved = applied ? await save(ctx, draft, changes) : draft
    return {
      draftId: id,
      promptId,
      target: template.target,
      model: answer.model,
      changes,
      applied,
      updatedAt: saved.updatedAt,
      attempts: answer.attempts,
      durationMs: ctx.clock.now() - startedAt,
      notice: changes.length === 0 ? 'The model suggested no changes.' : answer.notice,
    }
  },
})

/** Fails if the draft was changed meanwhile. The error then contains the refined texts, because the model may have taken minutes. */
async function save(ctx: AssistantContext, draft: Draft, changes: readonly TextChange[]): Promise<Draft> {
  try {
    return await saveDraft.run(ctx, { id: draft.id, updatedAt: draft.updatedAt, ...fieldsOf(changes) })
  } catch (error) {
    const known = asStudioError(error)
    throw known.copyWith({ details: [...known.details, ...changes.map(unsaved)] })
  }
}

function unsaved({ field, after }: TextChange): ErrorDetail {
  return { path: field, message: 'was refined, and the text is not saved', unsaved: after }
}

function fieldsOf(changes: readonly TextChange[]): Partial<Record<TextChange['field'], string>> {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]))
}

interface RefinementRequest {
  template: Template
  story: Story
  variables: Readonly<Record<string, string>>
  boundary: Boundary
  model: string | null
}

interface RefinementAnswer {
  refinement: Refinement
  model: string
  attempts: number
  notice: string | null
}

/** An answer of the wrong form is requested once more, with a list of its problems. */
const MAX_ATTEMPTS = 2

const TRUNCATED = 'It stopped before its end, because it reached the limit of the model or of its server.'

/** Asks the model for an answer in the form of the template's target. Throws `llm_answer` if no attempt has that form. */
async function requestRefinement(ctx: AssistantContext, asked: RefinementRequest): Promise<RefinementAnswer> {
  const { template, boundary } = asked
  const server = await ctx.model()
  const messages: Message[] = [
    { role: 'system', content: [ROLE, boundaryRule(boundary), askForJson(template.target)].join('\n\n') },
    { role: 'user', content: fillTemplate(template, asked) },
  ]
  const form = jsonSchemaOf(template.target)
  let problems: string[] = []
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    ctx.progress({ label: attempts === 1 ? 'the model is writing' : 'the model tries again' })
    const { text, model, notice, complete } = await server.chat({ messages, model: asked.model, form }, ctx.signal)
    const parsed = parseJsonAnswer(template.target, withoutMarks(boundary, text))
    if ('refinement' in parsed) return { refinement: parsed.refinement, model, attempts, notice }
    problems = complete ? parsed.problems : [TRUNCATED]
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: askAgain(problems) })
  }
  throw new StudioError('llm_answer', `The model's answer does not have the requested format: ${problems[0]}`, {
    hint: hint`Try again, or with another model: ${suggest('llm.models')}`,
    details: problems.map((message) => ({ path: '', message })),
  })
}

function askAgain(problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n')
  return `This answer cannot be used:\n${list}\nAnswer again, with the whole JSON object alone.`
}

/** Parses `["tone=formal"]` to `{tone: "formal"}`. */
export function parseVariableFlags(typed: unknown): Record<string, string> {
  const pairs = (typed as string[]).map((text) => {
    const equals = text.indexOf('=')
    if (equals > 0) return [text.slice(0, equals).trim(), text.slice(equals + 1)] as const
    throw new StudioError('invalid', `--set must be name=value, not "${text}".`, {
      hint: 'See: studio draft refine --help',
    })
  })
  return Object.fromEntries(pairs)
}
