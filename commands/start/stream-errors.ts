/**
 * Makes an error of standard output end in an exit code: a command that cannot print its result fails. Without standard error a command
 * continues, because its exit code still says how it ended.
 */
export function watchStandardStreams(argv: readonly string[]): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {})
    // `studio … | head` closes our output early, which is not an error.
    if (error.code === 'EPIPE') process.exit(0)
    void reportAndExit(error, argv).catch(() => process.exit(1))
  })
  process.stderr.on('error', () => {})
}

async function reportAndExit(error: NodeJS.ErrnoException, argv: readonly string[]): Promise<void> {
  const [{ reportLostOutput }, { processTerminal }] = await Promise.all([
    import('./command-line'),
    import('../terminal/terminal'),
  ])
  process.exit(await reportLostOutput(error, argv, processTerminal()))
}
