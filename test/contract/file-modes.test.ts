import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { program } from './program'

const bin = resolve('bin/studio.js')

// On Windows the rights come from the folder of the user.
it.skipIf(process.platform === 'win32')(
  'only the owner can read the files that studio creates, whatever the umask is',
  async () => {
    const { home } = await program()
    const commands = [
      ['draft', 'save', '--title', 'Gate'],
      ['item', 'get', '204'],
      ['search', 'Gate'],
      ['backup', 'copy.db'],
      ['restore', 'copy.db', '--yes'],
      ['report', 'summary', '--out', 'summary.html'],
    ]
    for (const args of commands)
      await execa('sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, bin, ...args], {
        cwd: home,
        extendEnv: false,
        env: { PATH: process.env['PATH'] ?? '', STUDIO_HOME: home },
      })
    const names = await readdir(home, { recursive: true })
    expect(names).toEqual(expect.arrayContaining(['copy.db', 'summary.html']))
    for (const name of names) {
      const { mode } = await stat(join(home, name))
      expect(mode & 0o077, name).toBe(0)
    }
  },
)
