import type { Link, PhrasingContent } from 'mdast'
import { text, textOf } from '../tree/nodes'

/**
 * In Markdown, a mention is a link whose address has the account of the person: `[@Jane Doe](mention:8c8c7d32-…)`. The tracker's own
 * form, `@<8c8c7d32-…>`, does not show the name.
 */
const SCHEME = 'mention:'
const ACCOUNT = '[\\w:.@+-]{1,128}'
const WHOLE_ACCOUNT = new RegExp(`^${ACCOUNT}$`)
const MENTION_LINK = new RegExp(`\\[(@[^\\][]{1,200})\\]\\(${SCHEME}${ACCOUNT}\\)`, 'g')

/** Returns the mention that a link is; the link itself if it is none. */
export function readMention(link: Link): PhrasingContent {
  const account = link.url.startsWith(SCHEME) ? link.url.slice(SCHEME.length) : ''
  if (!WHOLE_ACCOUNT.test(account)) return link
  return { type: 'mention', account, name: textOf(link.children).trim().replace(/^@/, '') }
}

/** Returns the link that says a mention in Markdown. A mention without an account is text. */
export function toMentionLink(account: string, name: string): Link {
  return { type: 'link', url: `${SCHEME}${account}`, children: [text(`@${name}`)] }
}

/** Markdown as people read it, with the names of mentions alone. */
export function showMentions(markdown: string): string {
  return markdown.replace(MENTION_LINK, '$1')
}
