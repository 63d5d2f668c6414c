import { loadOperation } from '../src/catalog'
import { EMPTY_CONTENT } from '../src/drafts/rules/draft-content'
import { formatDraftFile, parseDraftFile } from '../src/drafts/rules/draft-file'
import type { Draft } from '../src/drafts/schemas'
import { StudioError } from '../src/kernel'
import type { StandaloneCommand } from './operation/command-parts'
import { addLocalImages } from './operation/files/local-images'
import { executeHere } from './operation/with-studio'
import type { Invocation } from './start/invocation'
import { canvasFor } from './terminal/colors'
import { editText, requireEditorTerminal } from './terminal/edit-text'
import { renderJson } from './terminal/render-json'
import { renderSavedDraft } from './views/stories/draft'

export const editDraft: StandaloneCommand = {
  define(command) {
    command.argument('[id]', 'Draft to edit; a new one if omitted', parseDraftId)
    return {
      about:
        'Opens the draft as Markdown in $VISUAL, $EDITOR or vi, and saves it when the editor exits. An unchanged draft is not saved. If the draft changed meanwhile or the text is invalid, your text stays in a file. The paths of images begin in the folder of the command.',
      examples: ['studio draft edit 1', 'EDITOR="code --wait" studio draft edit 1'],
      related: ['draft save', 'draft get', 'draft history', 'draft undo'],
    }
  },

  async run(command, invocation) {
    const id = command.processedArgs[0] as number | undefined
    const get = id === undefined ? '' : `studio draft get ${id} --format md > story.md, change it, then: `
    requireEditorTerminal(invocation, `${get}studio draft save --file story.md`)
    const draft = id === undefined ? null : await run('drafts.get', { id }, invocation)
    const saved = await editText(
      {
        name: draft ? `draft-${draft.id}.md` : 'draft.md',
        before: formatDraftFile(draft ?? EMPTY_CONTENT),
        notice: 'The draft is saved when the editor exits.',
        again: (file) => `studio draft save --file ${file}`,
        use: async (after, file) => {
          const known = draft ? { id: draft.id, updatedAt: draft.updatedAt } : {}
          const input = await addLocalImages(parseDraftFile(after, file), [invocation.terminal.cwd], invocation)
          return run('drafts.save', { ...input, ...known }, invocation)
        },
      },
      invocation,
    )
    if (saved !== null) await show(saved, invocation)
    return 0
  },
}

async function run(operationId: string, input: object, invocation: Invocation): Promise<Draft> {
  return (await executeHere(await loadOperation(operationId), input, invocation)) as Draft
}

async function show(saved: Draft, invocation: Invocation): Promise<void> {
  const { flags, terminal } = invocation
  if (flags.json) return terminal.out(renderJson(saved, flags.fields, (await loadOperation('drafts.save')).output))
  terminal.out(renderSavedDraft(saved, canvasFor('out', invocation)))
}

function parseDraftId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text)
  throw new StudioError('invalid', `<id> must be a whole number, not "${text}".`, { hint: 'See: studio draft list' })
}
