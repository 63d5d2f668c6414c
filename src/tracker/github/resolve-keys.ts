import * as z from 'zod'
import { isRefusal } from '../services/requests/tracker-error'
import { parseIssueKey } from './address'
import type { RepositoryClient } from './repository-client'

/** Each takes a part of a request, and keys with names of many repositories are not of this one. */
const MAX_REPOSITORIES = 10

const WireNames = z.record(z.string(), z.object({ id: z.string() }).nullish())

/**
 * Creates a function that finds the numbers by keys. A key may have another name of the same repository: GitHub finds a renamed repository by
 * its old names too, and sends webhooks with the new one.
 */
export function createKeyResolver(graphql: RepositoryClient) {
  const { owner, name } = graphql.repository
  /** Whether repositories are this one, by their names in lower case. */
  const isOwn = new Map([
    ['', true],
    [`${owner}/${name}`.toLowerCase(), true],
  ])

  async function compareNames(others: readonly string[], signal: AbortSignal): Promise<void> {
    const select = ([owner, name]: readonly string[], index: number) =>
      `r${index}: repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) { id }`
    const lines = [[owner, name], ...others.map((one) => one.split('/'))].map(select)
    const request = { query: `query { ${lines.join(' ')} }`, variables: {} }
    const found = await graphql.query(() => request, WireNames, signal)
    const id = found['r0']?.id
    for (const [i, other] of others.entries()) isOwn.set(other, id !== undefined && found[`r${i + 1}`]?.id === id)
  }

  return async (keys: readonly string[], signal: AbortSignal): Promise<Map<string, number>> => {
    const parsed = keys.flatMap((key) => {
      const issue = parseIssueKey(key)
      return issue === null ? [] : [{ key, ...issue }]
    })
    const isName = (repository: string) => /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository)
    const names = new Set(parsed.map(({ repository }) => repository))
    const others = [...names].filter((one) => !isOwn.has(one) && isName(one))
    if (others.length > 0 && others.length <= MAX_REPOSITORIES)
      await compareNames(others, signal).catch((error: unknown) => {
        // The token cannot read one of them, so that one is not this repository.
        if (!isRefusal(error)) throw error
      })
    return new Map(parsed.flatMap(({ key, repository, number }) => (isOwn.get(repository) ? [[key, number]] : [])))
  }
}
