import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LogDestination } from '../../src/http/log-destination'
import { temporaryFolder } from '../temporary-folder'

it('writes all lines in their order before it ends, also those that another thread is writing', async () => {
  const file = join(temporaryFolder(), 'studio.log')
  const destination = new LogDestination(file, () => 'lost\n')
  const lines = Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(300)}\n`)
  for (const line of lines) destination.write(line)
  await destination.end()
  expect(await readFile(file, 'utf8')).toBe(lines.join(''))
})
