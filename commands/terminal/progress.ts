import type { Progress } from '../../src/kernel'
import type { Invocation } from '../start/invocation'
import { printableLine } from './printable'

const SPINNER_DELAY_MS = 500

/** Shows a spinner on standard error after half a second, if a user can see it. */
export function showProgress(invocation: Pick<Invocation, 'flags' | 'terminal'>): {
  show(step: Progress): void
  end(): void
} {
  const { flags, terminal } = invocation
  // A terminal that does not know its width reports 0, and the spinner would clear lines endlessly.
  const hasWidth = process.stderr.columns !== 0
  const watched = terminal.canAsk && hasWidth && !flags.quiet && !flags.json
  if (!watched) return { show() {}, end() {} }
  let text = 'working'
  let spinner: { text: string; stop(): unknown } | null = null
  let ended = false
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora')
    if (!ended) spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  }, SPINNER_DELAY_MS)
  timer.unref()
  return {
    show(step) {
      text = renderProgress(step)
      if (spinner) spinner.text = text
    },
    end() {
      ended = true
      clearTimeout(timer)
      // Only once, because stopping clears the current line.
      spinner?.stop()
      spinner = null
    },
  }
}

const BAR = 24

/** `importing work items  ██████░░░░░░  120 of 480`; without a total only what is going on. */
export function renderProgress({ label, done = 0, total = 0 }: Progress): string {
  // It may quote what a language model is writing.
  const text = printableLine(label)
  if (total <= 0) return text
  const filled = Math.round((BAR * Math.min(done, total)) / total)
  return `${text}  ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}  ${done} of ${total}`
}
