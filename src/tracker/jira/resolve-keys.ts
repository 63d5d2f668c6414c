import { TrackerError } from '../services/requests/tracker-error'
import { findIdsByKey } from './issue-reader'
import type { JiraClient } from './jira-client'
import { WireReference } from './map-issue'

/**
 * The IDs of issues by their keys in upper case. An issue that was moved has another key now, and Jira returns it for its old one. A key of
 * another project counts only if its issue is in this project now.
 */
export async function resolveIssueKeys(
  keys: readonly string[],
  client: JiraClient,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const isOwn = (key: string) => key.startsWith(`${client.project.key}-`)
  const found = await findIdsByKey(keys, client, signal)
  const asked = new Set(keys)
  const moved = [...found].filter(([key]) => !asked.has(key))
  const missing = [...asked].filter((key) => !found.has(key))
  const ids = new Map([...found].filter(([key]) => asked.has(key) && isOwn(key)))
  for (const key of missing) {
    if (moved.length === 0) break
    // The answers do not say which of several keys an issue was found by.
    const isOnly = moved.length === 1 && missing.length === 1
    const reference = isOnly ? { key: moved[0]![0], id: moved[0]![1] } : await readReference(key, client, signal)
    if (reference && (isOwn(key) || isOwn(reference.key))) ids.set(key, reference.id)
  }
  return ids
}

async function readReference(key: string, client: JiraClient, signal: AbortSignal) {
  try {
    const path = `/issue/${encodeURIComponent(key)}`
    const { id, key: now } = await client.get(path, { fields: 'issuetype' }, WireReference, signal)
    return { id: Number(id), key: now }
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'not_found') return null
    throw error
  }
}
