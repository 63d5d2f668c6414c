export { htmlToLines, htmlToPlainText } from './plain-text/html'
export { markdownToPlainText } from './plain-text/markdown'
export { type Removal, type RemovalKind, removalKinds } from './removal'
export { type SanitizeContext, type SanitizeInput, sanitizeLine, sanitizeText } from './sanitize-text'
