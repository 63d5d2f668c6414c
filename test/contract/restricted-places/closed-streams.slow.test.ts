import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { program } from '../program'
import { bin } from './namespace'

it.skipIf(process.platform === 'win32')('the program works with closed standard streams', async () => {
  const studio = await program()
  const run = (command: string, closed: string) =>
    execFileSync('sh', ['-c', `"$0" "$1" ${command} ${closed}; echo $?`, process.execPath, bin], {
      env: { PATH: process.env['PATH'], STUDIO_HOME: studio.home },
      encoding: 'utf8',
    })
  expect(run('draft save --title First', '<&- >&- 2>&-')).toBe('0\n')
  expect(run('draft save --title Second', '>&-')).toBe('0\n')
  expect(run('draft delete 1', '<&- >&- 2>&-')).toBe('2\n')
  expect(run('search First', '2>&-')).toContain('First')
  const drafts = await studio.json(['draft', 'list'])
  expect(drafts.map(({ title }: { title: string }) => title).sort()).toEqual(['First', 'Second'])
})
