import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolvePaths } from '../../src/config'
import { type AnyOperation, execute, type Hint } from '../../src/kernel'
import type { NoticeKind } from '../../src/open-trackers'
import { limitWasmTiering } from '../../src/storage'
import { makeFolder } from '../../src/storage/services/make-folder'
import { openStudio } from '../../src/studio'
import type { StudioContext } from '../../src/studio-context'
import type { Invocation } from '../start/invocation'
import { printable } from '../terminal/printable'
import { showProgress } from '../terminal/progress'
import { writeMessage } from '../terminal/write-message'
import { nameInFlags } from './operation-command'
import type { Notices, OpenedStudio, Session } from './session'

/** Does `work` for an operation as the user of this terminal, with progress and notices on standard error. */
export async function withStudio<R>(
  operation: AnyOperation,
  invocation: Invocation,
  work: (context: StudioContext, progress: { end(): void }) => Promise<R>,
): Promise<R> {
  const progress = showProgress(invocation)
  try {
    invocation.session.opened ??= open(invocation)
    const { studio, notices } = invocation.session.opened
    const said: Hint[] = []
    const context = studio.context({
      actor: { kind: 'terminal', tenant: studio.settings.tenant },
      signal: invocation.signal,
      progress: progress.show,
      notice: (text) => said.push(text),
    })
    const result = await work(context, progress)
    const texts = await Promise.all(said.map(context.formatHint))
    for (const text of new Set(texts)) notices.push(printable(text))
    notices.flush()
    return result
  } catch (error) {
    throw nameInFlags(error, operation, invocation.inputFile)
  } finally {
    progress.end()
  }
}

function open(invocation: Invocation): OpenedStudio {
  const { terminal, flags } = invocation
  const notices = noticesTo(invocation)
  limitWasmTiering()
  const studio = openStudio({
    env: terminal.env,
    cwd: terminal.cwd,
    flags: { tenant: flags.tenant ?? undefined },
    surface: 'cli',
    streams: { readInput: terminal.openInput, writeOutput: terminal.outBytes },
    onNotice: notices.push,
  })
  return { studio, notices }
}

/** Closes the studio, before a user reads the result for as long as they like. An operation that follows opens another one. */
export async function closeSession(session: Session): Promise<void> {
  const { opened } = session
  session.opened = undefined
  await opened?.studio.close()
}

export function executeHere(operation: AnyOperation, input: unknown, invocation: Invocation): Promise<unknown> {
  return withStudio(operation, invocation, (context) => execute(operation, input, context))
}

/** With `--json`, standard error must contain only the error of a failed command, so notices wait until the command succeeds. */
function noticesTo({ flags, terminal }: Invocation): Notices {
  const held: (() => void)[] = []
  const say = (text: string, kind?: NoticeKind) => {
    if (kind && !takeDailyNotice(kind, terminal.env)) return
    writeMessage(terminal, text)
  }
  return {
    push: (text, kind) => {
      if (flags.quiet) return
      if (flags.json) held.push(() => say(text, kind))
      else say(text, kind)
    },
    flush: () => {
      for (const sayLater of held.splice(0)) sayLater()
    },
  }
}

/**
 * Whether to show a notice that appears once a day per home: true for the first caller of a day. If the day cannot be stored, the notice
 * is shown again.
 */
export function takeDailyNotice(name: string, env: NodeJS.ProcessEnv, now = new Date()): boolean {
  const { state } = resolvePaths(env)
  const file = join(state, `${name}-notice-day`)
  const day = now.toISOString().slice(0, 10)
  try {
    if (readFileSync(file, 'utf8').trim() === day) return false
  } catch {
    // No notice was shown from this home yet.
  }
  try {
    makeFolder(state)
    writeFileSync(file, `${day}\n`, { mode: 0o600 })
  } catch {
    // The home is read-only.
  }
  return true
}
