import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openServiceLog } from '../../src/http/service-log'
import { redactSecrets } from '../../src/sanitize'
import { secretExamples } from '../sanitize/rules/secret-examples'
import { served } from './served'

it('a service writes no secret into its log, wherever it comes from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'studio-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'studio.log')
  const log = openServiceLog({ format: 'json', file, secrets: [] })
  const { call, studio, close } = await served({ log })
  for (const { text } of Object.values(secretExamples)) {
    const inUrl = encodeURIComponent(text)
    const inHeader = text.replace(/[^\x20-\x7e]/g, '_')
    const headers = { 'x-request-id': inHeader, cookie: inHeader, 'user-agent': inHeader, 'x-note': inHeader }
    await call('GET', `/${inUrl}`, { headers })
    await call('GET', `/api/stories/${inUrl}?search=${inUrl}`, { headers })
    studio.db.read = () => Promise.reject(new Error(text, { cause: new Error(text) }))
    await call('GET', '/api/stories/1')
    log.warn(text, { note: text, deep: { list: [text] } })
  }
  await close()
  await log.close()
  const written = await readFile(file, 'utf8')
  expect(written.match(/"operation failed"/g)).toHaveLength(Object.keys(secretExamples).length)
  const found = Object.entries(secretExamples).filter(([, { secret }]) =>
    [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((form) => written.includes(form)),
  )
  expect(found).toEqual([])
})

it('a secret is found however often it is percent-encoded', () => {
  for (const [of, { text, secret }] of Object.entries(secretExamples)) {
    const once = encodeURIComponent
    const twice = (written: string) => once(once(written))
    const asItIs = (written: string) => written
    for (const encode of [asItIs, once, twice]) {
      expect(redactSecrets(encode(text), '[removed]'), of).not.toContain(encode(secret))
      if (encode === asItIs) continue
      expect(redactSecrets(`/x/${encode(text)}?a=1`, '[removed]'), of).not.toContain(encode(secret))
    }
  }
})
