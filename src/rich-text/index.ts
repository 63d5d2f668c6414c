export { htmlToMarkdown } from './rules/html-to-markdown'
export { markdownToHtml } from './rules/markdown-to-html'
export { listMentions, MENTION_SCHEME, nameMentions } from './rules/mentions'
