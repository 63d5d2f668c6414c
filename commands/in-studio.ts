import type { AnyOperation } from '../src/kernel'
import { openStudio, type StudioContext } from '../src/studio'
import { expectBriefWork } from './brief-work'
import { fold } from './fold'
import type { Invocation } from './invocation'
import { nameInFlags } from './operation-command'
import { progressLine } from './progress'

/** Does `work` for an operation as the person at this terminal, with progress and notices on standard error. */
export async function inStudio<R>(
  operation: AnyOperation,
  invocation: Invocation,
  work: (context: StudioContext, progress: { end(): void }) => Promise<R>,
): Promise<R> {
  const progress = progressLine(invocation)
  const notices = noticesTo(invocation)
  expectBriefWork()
  const studio = openStudio({
    env: invocation.terminal.env,
    cwd: invocation.terminal.cwd,
    flags: { tenant: invocation.flags.tenant ?? undefined },
    onNotice: (text) => notices.push(text),
  })
  try {
    const context = studio.context({
      actor: { kind: 'terminal', tenant: studio.settings.tenant },
      signal: invocation.signal,
      progress: progress.show,
    })
    const result = await work(context, progress)
    notices.flush()
    return result
  } catch (error) {
    throw nameInFlags(error, operation, invocation.inputFile)
  } finally {
    progress.end()
    await studio.close()
  }
}

/** With `--json` an error is all that standard error holds, so there notices wait for the success. */
function noticesTo({ flags, terminal }: Invocation): { push(text: string): void; flush(): void } {
  const held: string[] = []
  const say = (text: string) => terminal.err(`${fold(text, terminal.canAsk ? terminal.width : null)}\n`)
  return {
    push: (text) => {
      if (flags.quiet) return
      if (flags.json) held.push(text)
      else say(text)
    },
    flush: () => held.splice(0).forEach(say),
  }
}
