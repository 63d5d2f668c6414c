import { expect, it } from 'vitest'
import { altered } from '../contract/program'
import { servedConsole } from './console-fixtures'

it('a browser that is signed in has the rate of its credential, and one with a wrong session that of its address', async () => {
  const { open, signIn, token } = await servedConsole({ env: { STUDIO_RATE_LIMIT: '1' } })
  const [ann, ben] = [await signIn(await token(['read'])), await signIn(await token(['read']))]
  const load = async (cookie: string) => {
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await open('/console/drafts', cookie)).status)
    return statuses
  }
  const strangers = await load(altered(ann))
  // Another flood from the same address changes nothing for those who are signed in.
  expect(strangers.at(-1)).toBe(429)
  expect(await open('/console/drafts', altered(ben))).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  for (const cookie of [ann, ben]) {
    const statuses = await load(cookie)
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(429)
  }
})
