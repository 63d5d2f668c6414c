import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives all tests of a run one folder for temporary files, and removes it at the end. An empty project file in it keeps programs under
 * test from reading one of the machine's temporary folder. Others may enter the folder, because some tests run programs as another user.
 * The tests with PostgreSQL put the files of an empty server there, once for all of them.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'studio-tests-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'studio.config.json'), '{}')
  for (const name of process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR']) process.env[name] = folder
  process.env['STUDIO_TEST_CLUSTER'] = join(folder, 'postgres-cluster')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
