import type { Link, PhrasingContent } from 'mdast'
import { text, textOf } from '../tree/nodes'

/**
 * In Markdown, a mention is a link whose address has the account of the person: `[@Jane Doe](mention:8c8c7d32-…)`. The tracker's own
 * form, `@<8c8c7d32-…>`, does not show the name.
 */
const SCHEME = 'mention:'

/** Returns the mention that a link is; the link itself if it is none. */
export function readMention(link: Link): PhrasingContent {
  const account = link.url.startsWith(SCHEME) ? link.url.slice(SCHEME.length) : ''
  if (!/^[\w:.@+-]{1,128}$/.test(account)) return link
  return { type: 'mention', account, name: textOf(link.children).trim().replace(/^@/, '') }
}

/** Returns the link that says a mention in Markdown. A mention without an account is text. */
export function toMentionLink(account: string, name: string): Link {
  return { type: 'link', url: `${SCHEME}${account}`, children: [text(`@${name}`)] }
}
