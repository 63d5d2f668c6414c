import * as z from 'zod'
import { type Draft, findDraft, saveDraft } from '../../drafts'
import { asStudioError, type ErrorDetail, hint, operation, StudioError, suggest } from '../../kernel'
import { applyRefinement, type TextChange } from '../rules/answers/apply-refinement'
import { targets } from '../rules/prompts/template'
import { parseVariableFlags } from '../rules/prompts/variable-flags'
import { draftStory, storyText } from '../rules/story'
import { ModelName, PromptId, StoryId, Variables } from '../schemas'
import type { AssistantContext } from '../services/assistant-context'
import { createBoundary } from '../services/create-boundary'
import { MAX_ANSWER_MS } from '../services/limits'
import { MODEL_ERRORS } from '../services/model'
import { findTemplate } from '../services/prompt-templates'
import { requestRefinement } from '../services/request-refinement'
import { requireTemplateInput } from '../services/require-filled'

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
    const draft = await ctx.db.read((tx) => findDraft(tx, id))
    if (!draft) throw missing(id)
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

/** Refused where the draft was changed while the model was at work. The refusal holds what it wrote, which took minutes to make. */
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

function missing(id: number): StudioError {
  return new StudioError('not_found', `There is no draft ${id}.`, {
    hint: hint`List the drafts: ${suggest('drafts.list')}`,
  })
}
