export type { Debris, DebrisKind, Mention } from './model'
export { adfToMarkdown } from './rules/adf-to-markdown'
export { cleanCharacters, foldWhitespace, trimCode } from './rules/characters'
export { isHostile as isHostileHtml } from './rules/html/hostile'
export { readHtml } from './rules/html/read'
export { SECRET_LABEL, TAG_OF_SECRET } from './rules/html/secret-tags'
export { htmlToMarkdown } from './rules/html-to-markdown'
export { limits } from './rules/limits'
export { describeLocalImages, listLocalImages } from './rules/local-images'
export { writeFence } from './rules/markdown/fence'
export { isHostile as isHostileMarkdown } from './rules/markdown/hostile'
export { showMentions } from './rules/markdown/mention'
export { parseMarkdown, readMarkdown } from './rules/markdown/read'
export { writeMarkdown } from './rules/markdown/write'
export { markdownToAdf } from './rules/markdown-to-adf'
export { markdownToHtml } from './rules/markdown-to-html'
export type { PersonIdentity } from './rules/mentions'
export { htmlToLines, htmlToPlainText } from './rules/plain-text/html'
export { markdownToPlainText } from './rules/plain-text/markdown'
export { listRelativeImages, replaceRelativeImages } from './rules/relative-images'
export {
  createFrontError,
  formatSections,
  parseFieldMap,
  parseFieldValue,
  parseStoryFile,
} from './rules/story-file'
export { linkAddresses, parseUrl } from './rules/tree/addresses'
export { normalizeBlocks } from './rules/tree/blocks'
export { type Block, type Leaf, text, textOf } from './rules/tree/nodes'
export { markdownToWiki, wikiToMarkdown } from './rules/wiki-markup'
