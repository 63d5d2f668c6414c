import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

/**
 * Ends the run with the tests that passed only at their second try, the seed, the time since its start, and one plain line that any tool can
 * read: `N passed, N failed`.
 */
export default class PlainCount implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    const retried: string[] = []
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1
        if (test.diagnostic()?.flaky)
          retried.push(`passed only at its second try: ${test.fullName} (${module.relativeModuleId})`)
      }
    }
    // A run that was stopped is no run that passed.
    if (reason !== 'passed') count.failed ||= 1
    const skipped = count.skipped ? `, ${count.skipped} skipped` : ''
    const lines = [
      ...retried,
      `seed ${process.env['STUDIO_SEED']}`,
      `tests: ${count.failed === 0 ? 'passed' : 'failed'}, ${(performance.now() / 1000).toFixed(1)} s`,
      `${count.passed} passed, ${count.failed} failed${skipped}`,
    ]
    setImmediate(() => process.stdout.write(`\n${lines.join('\n')}\n`))
  }
}
