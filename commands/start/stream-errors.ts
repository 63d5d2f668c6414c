import type { Terminal } from './invocation'

let isWatching = false

/**
 * Makes an error of standard output end in an exit code: a command that cannot print its result fails. Without standard error a command
 * continues, because its exit code still says how it ended.
 */
export function watchStandardStreams(argv: readonly string[], terminal: Terminal): void {
  if (isWatching) return
  isWatching = true
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {})
    // `studio … | head` closes our output early, which is not an error.
    if (error.code === 'EPIPE') process.exit(0)
    void reportAndExit(error, argv, terminal).catch(() => process.exit(1))
  })
  process.stderr.on('error', () => {})
}

async function reportAndExit(error: NodeJS.ErrnoException, argv: readonly string[], terminal: Terminal): Promise<void> {
  const { reportLostOutput } = await import('./command-line')
  process.exit(await reportLostOutput(error, argv, terminal))
}
