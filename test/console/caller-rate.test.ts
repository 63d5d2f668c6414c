import { expect, it } from 'vitest'
import { altered } from '../contract/program'
import { servedConsole } from './console-fixtures'

/** So many are sent at once that a slow machine does not answer them in the time in which they would be allowed. */
const REQUESTS = 40
const BURST = 5

it('a browser that is signed in has the rate of its credential, and one with a wrong session that of its address', async () => {
  const { open, signIn, token } = await servedConsole({ env: { STUDIO_RATE_LIMIT: '1' } })
  const [ann, ben] = [await signIn(await token(['read'])), await signIn(await token(['read']))]
  const load = (cookies: readonly string[]) =>
    Promise.all(Array.from({ length: REQUESTS }, (_, i) => open('/console/drafts', cookies[i % cookies.length]!)))
  const strangers = await load([altered(ann), altered(ben)])
  const refused = strangers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.headers).toMatchObject({ 'retry-after': '1' })
  // A flood from the same address changes nothing for those who are signed in.
  for (const cookie of [ann, ben]) {
    const statuses = (await load([cookie])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(BURST)
    expect(statuses).toContain(429)
  }
})
