import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listProtectedFiles, loadSettings } from '../../src/config'
import { type AnyOperation, StudioError } from '../../src/kernel'
import { requireUnprotectedFile, toFileError, writeFileAtomic } from '../../src/storage'
import type { Invocation } from '../start/invocation'
import { canvasFor } from '../terminal/colors'
import { printable } from '../terminal/layout'
import { renderJson } from '../terminal/render-json'
import { wrapText } from '../terminal/wrap-text'
import { writeNotice } from '../terminal/write-message'
import type { ViewOptions } from './command-parts'
import { isForPrograms, loadFileView } from './operation-ui'

interface Shown {
  operation: AnyOperation
  invocation: Invocation
  /** The name of the view, from `--format`. */
  format: string | null
  options: ViewOptions
}

/** Prints a result, or writes it to the file `out`. */
export async function showResult(result: unknown, shown: Shown, out?: string): Promise<void> {
  const content = await renderResult(result, shown, out)
  const { terminal, flags } = shown.invocation
  if (out === undefined) await terminal.show(toText(content), flags)
  else await writeOutFile(out, content, shown.invocation)
}

export async function resultText(result: unknown, shown: Shown): Promise<string> {
  return toText(await renderResult(result, shown))
}

/** Bytes are for files alone. */
function toText(content: string | Uint8Array): string {
  if (typeof content === 'string') return content
  throw new StudioError('invalid', 'This format is binary.', { hint: 'Write it to a file: --out <file>' })
}

async function renderResult(
  result: unknown,
  { operation, invocation: { flags, terminal }, format, options }: Shown,
  out?: string,
): Promise<string | Uint8Array> {
  if (flags.json) return renderJson(result, flags.fields, operation.output)
  if (operation.cli!.out?.isFile) return Buffer.from((result as { content: string }).content, 'base64')
  const target = out !== undefined ? { ...terminal, outIsTty: false, env: {} } : terminal
  const canvas = canvasFor('out', { flags, terminal: target })
  const view = await loadFileView(operation.id, format)
  const text = view(result, canvas, options)
  if (typeof text !== 'string') return text
  if (format === null) return wrapText(text, canvas.width)
  // Programs get the bytes as they are, without wrapped lines. A terminal would act on control characters.
  const isShown = terminal.outIsTty && (out === undefined || out === '-')
  return isShown && isForPrograms(operation.id, format) ? printable(text.replaceAll('\r\n', '\n')) : text
}

/** Writes the `--out` file atomically, unless it is a device or a pipe, which cannot be replaced. */
async function writeOutFile(path: string, content: string | Uint8Array, invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  if (path === '-') {
    if (typeof content === 'string' || terminal.outIsTty) return terminal.out(toText(content))
    return terminal.outBytes(content)
  }
  const target = resolve(terminal.cwd, path)
  requireUnprotectedFile(target, listProtectedFiles(loadSettings({ env: terminal.env, cwd: terminal.cwd })))
  const existing = await stat(target).catch(() => null)
  if (existing && !existing.isFile() && !existing.isDirectory()) await writeFile(target, content)
  else if (existing?.isDirectory()) throw toFileError(Object.assign(new Error(), { code: 'EISDIR' }), target)
  else await writeFileAtomic(target, content)
  writeNotice(invocation, `Written to ${path}`)
}

/** With `--json` it is part of the result. */
export function noticeOn(operation: AnyOperation, result: unknown, { flags }: Invocation): string | null {
  const notice = flags.json ? null : (operation.cli!.notice?.(result) ?? null)
  return notice && printable(notice)
}
