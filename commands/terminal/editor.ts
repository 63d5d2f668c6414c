import { spawn } from 'node:child_process'
import { StudioError } from '../../src/kernel'
import type { Terminal } from '../start/invocation'
import { readTextFile } from './text-file'

/** The user's editor as a command line, which may have arguments. */
export function getEditor(env: NodeJS.ProcessEnv): string {
  return env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi')
}

/** The text that an editor has saved. On Windows it may add a byte order mark and line ends of its own. */
export async function readEditedText(file: string, signal: AbortSignal): Promise<string> {
  const { text } = await readTextFile(file, 'The edited text', signal)
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

/** Resolves when the editor exits with 0. It gets the terminal even if our own results go into a pipe. */
export async function runEditor(editor: string, file: string, terminal: Terminal): Promise<void> {
  const windows = process.platform === 'win32'
  // cmd.exe does not read the value of a variable as a command, so a percent sign in the path has no effect.
  const [program, args] = windows ? [`${editor} "%STUDIO_FILE%"`, []] : ['sh', ['-c', `${editor} "$1"`, 'sh', file]]
  const running = spawn(program, args, {
    stdio: ['inherit', terminal.outIsTty ? 'inherit' : 2, 'inherit'],
    env: windows ? { ...terminal.env, STUDIO_FILE: file } : terminal.env,
    shell: windows,
  })
  const ended = await new Promise<number | string>((resolve, reject) => {
    running.once('error', reject)
    running.once('close', (code, signal) => resolve(code ?? signal ?? 'a signal'))
  })
  if (ended === 0) return
  throw new StudioError('invalid', `The editor (${editor}) ended with ${ended}, so nothing was saved.`)
}
