import { execFileSync } from 'node:child_process'

/** Builds the program that the tests of the surfaces run; once, also where two projects of the test run ask for it. */
export default function buildOnce(): void {
  if (process.env['STUDIO_BUILT_FOR_TESTS']) return
  process.env['STUDIO_BUILT_FOR_TESTS'] = '1'
  execFileSync(process.execPath, ['esbuild.config.mjs'], { stdio: 'inherit' })
}
