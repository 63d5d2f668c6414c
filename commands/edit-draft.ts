import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { loadOperation } from '../src/catalog'
import { EMPTY_CONTENT } from '../src/drafts/rules/draft-content'
import { formatDraftFile, parseDraftFile } from '../src/drafts/rules/draft-file'
import type { Draft } from '../src/drafts/schemas'
import { execute, StudioError } from '../src/kernel'
import { colorsFor } from './colors'
import { addHelpText } from './help'
import type { Invocation } from './invocation'
import { prependHint, saveRecoveryFile } from './recovery-file'
import { renderJson } from './render-json'
import type { StandaloneCommand } from './standalone-commands'
import type { Terminal } from './terminal'
import { renderSavedDraft } from './views/draft'
import { withStudio } from './with-studio'
import { writeMessage } from './write-message'

export const editDraft: StandaloneCommand = {
  build() {
    const command = new Command('draft edit')
      .description('Edit a draft story in your editor; without an ID a new one')
      .argument('[id]', 'Draft (working copy) ID', draftId)
    return addHelpText(command, {
      about: [
        'The draft is opened as Markdown in VISUAL, or EDITOR, else vi, and saved when the editor ends. Where nothing was',
        'changed nothing is saved. Where somebody else saved it meanwhile, or the text is refused, yours is kept in a file.',
      ].join('\n'),
      examples: ['studio draft edit 1', 'EDITOR="code --wait" studio draft edit 1'],
      related: ['draft save', 'draft get', 'draft history', 'draft undo'],
    })
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
  const operation = await loadOperation(operationId)
  return withStudio(operation, invocation, (context) => execute(operation, input, context))
}

async function show(saved: Draft, { flags, terminal }: Invocation): Promise<void> {
  if (flags.json) return terminal.out(renderJson(saved, flags.fields, (await loadOperation('drafts.save')).output))
  const colors = colorsFor('out', { isTty: terminal.outIsTty, env: terminal.env, noColor: flags.noColor })
  terminal.out(renderSavedDraft(saved, { colors, width: terminal.outIsTty ? terminal.width : null }))
}

function draftId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text)
  throw new StudioError('invalid', `<id> must be a whole number, not "${text}".`, { hint: 'See: studio draft list' })
}

function requireTerminal(id: number | undefined, { flags, terminal }: Invocation): void {
  if (terminal.canAsk && !flags.noInput) return
  const get = id === undefined ? '' : `studio draft get ${id} --format md > story.md, change it, then: `
  throw new StudioError('invalid', 'An editor needs a terminal, and there is none here.', {
    hint: `${get}studio draft save --file story.md`,
  })
}

function removeFile(file: string): Promise<void> {
  return rm(dirname(file), { recursive: true, force: true })
}

async function editFile(file: string, invocation: Invocation): Promise<string> {
  const editor = getEditor(invocation.terminal.env)
  if (!invocation.flags.quiet) writeMessage(invocation.terminal, `Waiting for ${editor} to end. It edits ${file}`)
  await withRecoveryHint(file, () => runEditor(editor, file, invocation.terminal))
  return (await readFile(file, 'utf8')).replace(/\r\n?/g, '\n')
}

/** A refusal after somebody has written something says where it is kept. */
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

/** The person's editor as a command line: it may have arguments. */
export function getEditor(env: NodeJS.ProcessEnv): string {
  return env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi')
}

/** Resolves when the editor has ended well. It gets the terminal, also where our own results go into a pipe. */
export async function runEditor(editor: string, file: string, terminal: Terminal): Promise<void> {
  const windows = process.platform === 'win32'
  const [program, args] = windows ? [`${editor} "${file}"`, []] : ['sh', ['-c', `${editor} "$1"`, 'sh', file]]
  const running = spawn(program, args, {
    stdio: ['inherit', terminal.outIsTty ? 'inherit' : 2, 'inherit'],
    env: terminal.env,
    shell: windows,
  })
  const ended = await new Promise<number | string>((resolve, reject) => {
    running.once('error', reject)
    running.once('close', (code, signal) => resolve(code ?? signal ?? 'a signal'))
  })
  if (ended === 0) return
  throw new StudioError('invalid', `The editor (${editor}) ended with ${ended}, so nothing was saved.`)
}
