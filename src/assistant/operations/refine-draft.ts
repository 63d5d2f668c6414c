import * as z from 'zod'
import { type Draft, requireDraft, saveDraft } from '../../drafts'
import { asStudioError, type ErrorDetail, operation, StudioError } from '../../kernel'
import { createInterruptedAnswerError } from '../adapters/model-errors'
import { applyRefinement, type TextChange } from '../rules/answers/apply-refinement'
import { createBoundary } from '../rules/prompts/boundary'
import { targets } from '../rules/prompts/template'
import { createDraftStory, formatStory } from '../rules/story'
import { ModelName, PromptId, StoryId, Variables } from '../schemas'
import type { AssistantContext } from '../services/assistant-context'
import { MODEL_ERRORS } from '../services/model'
import { findTemplate, requireTemplateInput } from '../services/prompt-templates'
import { RefinementProgress, requestRefinement } from '../services/request-refinement'
import { MAX_ANSWER_MS } from '../services/timeouts'

const input = z.strictObject({
  id: StoryId.describe('Draft ID'),
  promptId: PromptId,
  variables: Variables.default({}),
  model: ModelName.nullish(),
  apply: z.boolean().default(false).describe('Save the change'),
})

const Refined = z.object({
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
  updatedAt: z.string().describe('The time of the last change of the draft, for your next save'),
  attempts: z.int().describe('2 if the first answer was not valid'),
  durationMs: z.int(),
  notice: z.string().nullable(),
})

const RefineEvent = z.discriminatedUnion('event', [
  ...RefinementProgress.options,
  Refined.extend({ event: z.literal('done') }),
])
type RefineEvent = z.infer<typeof RefineEvent>

export const refineDraft = operation({
  id: 'drafts.refine',
  summary: 'Refine a draft with the language model, and show what would change',
  description:
    'The target of the prompt decides which text of the draft changes: story changes the title and the description, acceptance-criteria the ' +
    'acceptance criteria, and test-cases, diagram and summary a section of the description. The answer is validated, and requested again if it ' +
    'is not valid. Nothing is saved unless you apply the change, and the history of the draft has its former version. If the save fails, the ' +
    'details of the error contain the new texts in `unsaved`. With Accept: text/event-stream or application/x-ndjson, the texts are streamed as ' +
    'the model writes them, before they are validated, and the result comes last.',
  effect: 'write',
  access: 'workspace',
  isExpensive: true,
  input,
  output: Refined,
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
        about: 'Value of a variable of the prompt; can be repeated',
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
            input: { id: draftId, updatedAt, ...toFields(changes) },
            otherwise: 'Nothing was saved. Run the command with --apply to save the changes.',
            done: `Saved. To undo: studio draft undo ${draftId}`,
          },
    examples: [
      'studio draft refine 1 --prompt acceptance-criteria',
      'studio draft refine 1 --prompt story --set audience="a new team" --apply',
    ],
    seeAlso: ['prompt list', 'draft get', 'llm models'],
  },
  async run(ctx: AssistantContext, request) {
    for await (const event of refine(ctx, request)) {
      if (event.event !== 'done') continue
      const { event: _, ...refined } = event
      return refined
    }
    throw createInterruptedAnswerError()
  },
  stream: { event: RefineEvent, open: refine },
})

/** What the model writes as it arrives, then the changes, which are saved on request. */
async function* refine(
  ctx: AssistantContext,
  { id, promptId, variables, model, apply }: z.output<typeof input>,
): AsyncGenerator<RefineEvent, void> {
  const startedAt = ctx.clock.now()
  const template = await findTemplate(ctx, promptId)
  const { draft } = await ctx.db.read((tx) => requireDraft(tx, id))
  const story = createDraftStory(draft)
  requireTemplateInput(template, story, variables)
  const boundary = createBoundary(ctx, [formatStory(story), template.template])
  const answer = yield* requestRefinement(ctx, { template, story, variables, boundary, model: model ?? null })
  const changes = applyRefinement(draft, template.target, answer.refinement)
  const applied = apply && changes.length > 0
  const saved = applied ? await saveChanges(ctx, draft, changes) : draft
  yield {
    event: 'done',
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
}

/** Fails if the draft was changed meanwhile. The error then contains the refined texts, because the model may have taken minutes. */
async function saveChanges(ctx: AssistantContext, draft: Draft, changes: readonly TextChange[]): Promise<Draft> {
  try {
    return await saveDraft.run(ctx, { id: draft.id, updatedAt: draft.updatedAt, ...toFields(changes) })
  } catch (error) {
    const known = asStudioError(error)
    throw known.copyWith({ details: [...known.details, ...changes.map(toUnsavedDetail)] })
  }
}

function toUnsavedDetail({ field, after }: TextChange): ErrorDetail {
  return { path: field, message: 'was refined, and the text is not saved', unsaved: after }
}

function toFields(changes: readonly TextChange[]): Partial<Record<TextChange['field'], string>> {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]))
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
