import { type Finding, findWithin, type Run } from '../finding'
import { isRandomText, isWordLike } from './random-text'

/** Matches an address with a path, with or without a scheme, up to a character that cannot be part of it. */
const ADDRESS =
  /(?<![\w.@/-])(?:https?:\/\/)?(?<host>[A-Za-z0-9](?:[\w.-]{0,253}[A-Za-z0-9])?)(?::\d{1,5})?(?<path>\/[\w@/.:%+~!$=-]+)/g

/**
 * Matches a host label or a path segment of web hooks, which anyone who knows the address can call: `hooks.slack.com`,
 * `/webhookb2/`.
 */
const HOOK = /^(?:incoming)?-?(?:web)?hooks?(?:b2|-test)?$/i
/** A commit hash only names a part of a repository or page. */
const COMMIT = /^[0-9a-f]{40}$/
const MIN_CHARACTERS = 16

/** Finds web hooks of any vendor. Their addresses are secrets, because anyone who knows them can post. */
export function findWebhooks(runs: readonly Run[]): Finding[] {
  const withHooks = runs.filter(({ text }) => /hook/i.test(text))
  return findWithin(withHooks, ADDRESS, 'token', { accepts: isWebhook })
}

function isWebhook({ groups }: RegExpExecArray): boolean {
  const parts = (groups?.['path'] ?? '').split('/').slice(1)
  const isHookHost = (groups?.['host'] ?? '').split('.').some((label) => HOOK.test(label))
  const hook = isHookHost ? 0 : parts.findIndex((part) => HOOK.test(part))
  return hook >= 0 && parts.slice(hook).some(isSecretPart)
}

function isSecretPart(part: string): boolean {
  if (part.length < MIN_CHARACTERS || COMMIT.test(part)) return false
  if (isRandomText(part)) return true
  const longest = part.split(/[-_.@]/).reduce((found, piece) => (piece.length > found.length ? piece : found), '')
  return longest.length >= MIN_CHARACTERS && !isWordLike(longest)
}
