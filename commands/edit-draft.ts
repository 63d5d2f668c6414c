import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadOperation } from '../src/catalog'
import { EMPTY_CONTENT } from '../src/drafts/rules/draft-content'
import { formatDraftFile, parseDraftFile } from '../src/drafts/rules/draft-file'
import type { Draft } from '../src/drafts/schemas'
import { StudioError } from '../src/kernel'
import type { StandaloneCommand } from './operation/command-parts'
import { executeHere } from './operation/with-studio'
import type { Invocation } from './start/invocation'
import { canvasFor } from './terminal/colors'
import { getEditor, runEditor } from './terminal/editor'
import { prependHint, saveRecoveryFile } from './terminal/recovery-file'
import { renderJson } from './terminal/render-json'
import { writeNotice } from './terminal/write-message'
import { renderSavedDraft } from './views/stories/draft'

export const editDraft: StandaloneCommand = {
  define(command) {
    command.argument('[id]', 'Draft to edit; a new one if omitted', parseDraftId)
    return {
      about:
        'Opens the draft as Markdown in $VISUAL, $EDITOR or vi, and saves it when the editor exits. An unchanged draft is not saved. If the draft changed meanwhile or the text is invalid, your text stays in a file.',
      examples: ['studio draft edit 1', 'EDITOR="code --wait" studio draft edit 1'],
      related: ['draft save', 'draft get', 'draft history', 'draft undo'],
    }
  },

  async run(command, invocation) {
    const id = command.processedArgs[0] as number | undefined
    requireTerminal(id, invocation)
    const draft = id === undefined ? null : await run('drafts.get', { id }, invocation)
    const before = formatDraftFile(draft ?? EMPTY_CONTENT)
    const file = await saveRecoveryFile(draft ? `draft-${draft.id}.md` : 'draft.md', before, invocation)
    const after = await editFile(file, invocation)
    if (after === before) {
      await removeFile(file)
      invocation.terminal.err('Nothing was changed.\n')
      return 0
    }
    const saved = await withRecoveryHint(file, async () => {
      const known = draft ? { id: draft.id, updatedAt: draft.updatedAt } : {}
      return run('drafts.save', { ...parseDraftFile(after, file), ...known }, invocation)
    })
    await removeFile(file)
    await show(saved, invocation)
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

function requireTerminal(id: number | undefined, { flags, terminal }: Invocation): void {
  if (terminal.canAsk && !flags.noInput) return
  const get = id === undefined ? '' : `studio draft get ${id} --format md > story.md, change it, then: `
  throw new StudioError('invalid', 'An editor needs a terminal, and this command was not started from one.', {
    hint: `${get}studio draft save --file story.md`,
  })
}

function removeFile(file: string): Promise<void> {
  return rm(dirname(file), { recursive: true, force: true })
}

async function editFile(file: string, invocation: Invocation): Promise<string> {
  const editor = getEditor(invocation.terminal.env)
  writeNotice(invocation, `Editing ${file} in ${editor}. The draft is saved when the editor exits.`)
  await withRecoveryHint(file, () => runEditor(editor, file, invocation.terminal))
  return (await readFile(file, 'utf8')).replace(/\r\n?/g, '\n')
}

/** An error after the user has written something says in which file the text is. */
async function withRecoveryHint<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw prependHint(
      error,
      `Your text is saved in ${file}\nTo save it after you fix it: studio draft save --file ${file}`,
    )
  }
}
