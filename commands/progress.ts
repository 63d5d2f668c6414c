import type { Progress } from '../src/kernel'
import type { Invocation } from './invocation'

const PATIENCE_MS = 500

/** A spinner on standard error for what lasts over half a second; nothing where nobody watches. */
export function progressLine(invocation: Invocation): { show(step: Progress): void; end(): void } {
  const { flags, terminal } = invocation
  const watched = terminal.canAsk && !flags.quiet && !flags.json
  if (!watched) return { show() {}, end() {} }
  let text = 'working'
  let spinner: { text: string; stop(): unknown } | null = null
  let ended = false
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora')
    if (!ended) spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  }, PATIENCE_MS)
  timer.unref()
  return {
    show(step) {
      text = step.total ? `${step.label}: ${step.done ?? 0} of ${step.total}` : step.label
      if (spinner) spinner.text = text
    },
    end() {
      ended = true
      clearTimeout(timer)
      spinner?.stop()
    },
  }
}
