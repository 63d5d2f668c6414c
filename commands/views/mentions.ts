/** Markdown as people read it: a mention is stored as a link with the identity of the person. */
export function showMentions(markdown: string): string {
  return markdown.replace(/\[(@[^\][]{1,200})\]\(mention:[\w:.@+-]{1,128}\)/g, '$1')
}
