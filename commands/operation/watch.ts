import { setTimeout } from 'node:timers/promises'
import { InvalidArgumentError, Option } from 'commander'
import { StudioError } from '../../src/kernel'
import type { Invocation } from '../start/invocation'

const DEFAULT_SECONDS = 5
const MAX_SECONDS = 3600

export const watchOption = new Option(
  '--watch [seconds]',
  `Refresh the list every few seconds until Ctrl-C (default: ${DEFAULT_SECONDS})`,
).argParser(parseSeconds)

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,4}$/.test(text) && seconds >= 1 && seconds <= MAX_SECONDS) return seconds
  throw new InvalidArgumentError(`It must be a whole number of seconds from 1 to ${MAX_SECONDS}.`)
}

/** Clears the window and moves to its first line. */
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'

/**
 * Draws a result again and again until Ctrl-C, which is the normal end. The cost of a round is that of the command: it reads the workspace,
 * not the tracker.
 */
export async function watch(
  option: unknown,
  { terminal, signal, flags }: Invocation,
  render: () => Promise<string>,
): Promise<number> {
  if (!terminal.outIsTty || flags.json) {
    throw new StudioError('invalid', '--watch needs a terminal, and its output is for people.', {
      hint: 'In a script, run the command again, or use --json without --watch.',
    })
  }
  const seconds = typeof option === 'number' ? option : DEFAULT_SECONDS
  while (!signal.aborted) {
    const text = await render()
    const time = new Date().toTimeString().slice(0, 8)
    terminal.out(`${CLEAR}${text}\n${time}, again every ${seconds} s. Ctrl-C ends.\n`)
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {})
  }
  return 0
}
