export { htmlToMarkdown } from './rules/html-to-markdown'
export { markdownToHtml } from './rules/markdown-to-html'
export type { PersonIdentity } from './rules/mentions'
export { formatSections, parseStoryFile } from './rules/story-file'
