import { execFileSync } from 'node:child_process'

/** The tests of the surfaces drive the built program. */
export default function buildOnce(): void {
  execFileSync(process.execPath, ['esbuild.config.mjs'], { stdio: 'inherit' })
}
